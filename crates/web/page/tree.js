// The search's tree: its first levels, to be opened.
import { post } from './api.js';
import { count, el } from './dom.js';

const SECONDS = 1;

export class Tree {
  constructor(game, planner) {
    this.game = game;
    this.planner = planner;
    this.list = el('ul', { class: 'tree' });
    this.node = el('details', { class: 'small' }, el('summary', { class: 'soft' }, 'Search tree'), this.list);
    this.node.addEventListener('toggle', () => this.node.open && this.load());
  }

  close() { this.abort?.abort(); }

  clear() {
    this.close();
    this.list.replaceChildren();
    if (this.node.open) this.load();
  }

  async load() {
    this.close();
    const abort = (this.abort = new AbortController());
    const note = (text) => this.list.replaceChildren(el('li', { class: 'soft leaf' }, text));
    if (!this.game.view || this.game.view.standing !== 'open') return note('The game is over.');
    note('Searching …');
    try {
      const { setup, moves } = this.game;
      const planner = this.planner();
      const twigs = await post('tree', { setup, moves, seconds: SECONDS, planner: planner && planner !== 'distance' ? planner : undefined }, abort.signal);
      if (twigs.length) this.list.replaceChildren(this.head(), ...twigs.map((t) => this.twig(t)));
      else note('This planner keeps no tree.');
    } catch (error) {
      if (error.name !== 'AbortError') note(error.message);
    }
    return undefined;
  }

  head() { return el('li', { class: 'soft leaf' }, el('div', { class: 'line' }, el('span', {}, 'action'), el('span', {}, 'value'), el('span', {}, 'visits'))); }

  line(name, value, visits) {
    return [el('span', {}, name), el('span', {}, value === null ? '' : value.toFixed(3)), el('span', { class: 'soft' }, count(visits))];
  }

  /** An action; below it what was seen, and the actions then. */
  twig({ action, value, visits, after }) {
    const inner = after.flatMap((a) => (a.seen ? [this.seen(a)] : a.actions.map((t) => this.twig(t))));
    if (!inner.length) return el('li', { class: 'leaf' }, el('div', { class: 'line' }, ...this.line(action, value, visits)));
    return el('li', {}, el('details', {}, el('summary', { class: 'line' }, ...this.line(action, value, visits)), el('ul', {}, inner)));
  }

  seen({ seen, visits, actions }) {
    const name = `if ${seen.replace(/^Some\((.*)\)$/, '$1')}`;
    if (!actions.length) return el('li', { class: 'leaf' }, el('div', { class: 'line soft' }, ...this.line(name, null, visits)));
    return el('li', {}, el('details', {}, el('summary', { class: 'line soft' }, ...this.line(name, null, visits)), el('ul', {}, actions.map((t) => this.twig(t)))));
  }
}
