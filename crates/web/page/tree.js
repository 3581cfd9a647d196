// The first levels of what a planner thinks: every action can be opened, and is then thought about.
import { post, search } from './api.js';
import { count, el } from './dom.js';
import { SHOW } from './hints.js';

const SECONDS = 1;
const MOST = 8;

export class Tree {
  constructor(game, planner) {
    this.game = game;
    this.planner = planner;
    this.list = el('ul', { class: 'tree' });
    this.node = el('details', { class: 'small' }, el('summary', { class: 'soft' }, 'Search tree: visits, value, interval'), this.list);
    this.aborts = new Set();
  }

  close() { for (const abort of this.aborts) abort.abort(); this.aborts.clear(); }
  clear() { this.close(); this.list.replaceChildren(); }
  root(hint) { this.list.replaceChildren(...this.rows(hint, this.game.moves)); }

  rows(hint, before) {
    const show = SHOW[hint.measure];
    return hint.moves.slice(0, MOST).map((move) => {
      const text = (v) => (Number.isFinite(v) ? show.text(v) : '–');
      const range = Number.isFinite(move.low) && Number.isFinite(move.high) ? ` [${text(move.low)}, ${text(move.high)}]` : '';
      const below = el('ul', {});
      const line = el('summary', {}, el('span', {}, move.label), el('span', {}, `${text(move.value)}${range}`), el('span', { class: 'soft' }, count(move.visits)));
      const item = el('details', {}, line, below);
      item.addEventListener('toggle', () => { if (item.open && !below.children.length) this.open(below, before, move); }, { once: true });
      return el('li', {}, item);
    });
  }

  async open(below, before, move) {
    const note = (text) => below.replaceChildren(el('li', { class: 'soft leaf' }, text));
    if (!move.moves.length) return note('cannot be shown on the table');
    note('thinking …');
    const abort = new AbortController();
    this.aborts.add(abort);
    try {
      const { setup } = this.game;
      const view = await post('table', { setup, moves: before }, abort.signal);
      if (hides(view, move)) return note('turns up a card that nobody knows yet');
      const moves = [...before, ...move.moves];
      const hint = await search('hint', { setup, moves, seconds: SECONDS, planner: this.planner() || undefined }, () => {}, abort.signal);
      below.replaceChildren(...(hint.moves.length ? this.rows(hint, moves) : [el('li', { class: 'soft leaf' }, hint.lost ?? 'the game is over')]));
    } catch (error) {
      if (error.name !== 'AbortError') note(error.message);
    } finally {
      this.aborts.delete(abort);
    }
    return undefined;
  }
}

/** Whether a move turns up a card: to look behind it would be to peek. */
function hides({ scene, legal }, move) {
  if (scene.kind !== 'cards' || !scene.piles.some((p) => p.kind === 'column' && p.cards.includes('??'))) return false;
  return move.moves.filter((name) => !/^(turn|redeal|w-)/.test(name)).some((name) => {
    const known = legal.find((l) => l.name === name);
    const pile = known && scene.piles.find((p) => p.id === known.from);
    return !pile || (pile.kind === 'column' && pile.cards[pile.cards.length - known.count - 1] === '??');
  });
}
