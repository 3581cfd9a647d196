// The tree of the planner that gives the hints: its first levels, to be opened.
import { post } from './api.js';
import { count, el, fixed, observed } from './dom.js';
import { link } from './game.js';
import { t } from './words.js';

/** Seconds where no hint has been given. */
const SECONDS = 1;
/** Iterations that are stepped through, at most. */
const FEW = 60;

export class Tree {
  /** `question` is what a hint would be asked with. */
  constructor(game, question) {
    this.game = game;
    this.question = question;
    this.name = el('summary', { class: 'soft' }, t('Search tree'));
    this.list = el('ul', { class: 'tree' });
    this.node = el('details', { class: 'small' }, this.name, this.list);
    this.node.addEventListener('toggle', () => this.node.open && this.load());
  }

  close() {
    this.abort?.abort();
  }

  clear() {
    this.advice = null;
    this.close();
    this.list.replaceChildren();
    if (this.node.open) this.load();
  }

  /** The same search as that of a hint, whose values have a name: its planner and seed, as many iterations. */
  of(advice, measure) {
    this.advice = advice;
    this.measure = measure;
    if (this.node.open) this.load();
  }

  async load() {
    this.close();
    const abort = (this.abort = new AbortController());
    const note = (text) => this.list.replaceChildren(el('li', { class: 'soft leaf' }, text));
    if (this.game.view?.standing !== 'open') return note(t('The game is over.'));
    const question = this.question();
    const planner = this.advice?.planner ?? question.planner ?? this.game.view.planner;
    this.name.textContent = t('Search tree of {planner}', { planner });
    note(t('Searching …'));
    try {
      const { seed, stats } = this.advice ?? {};
      const asked = stats
        ? { ...question, planner, seed, iterations: stats.iterations, seconds: 2 * stats.seconds + SECONDS }
        : { ...question, seconds: SECONDS };
      const twigs = await post('tree', asked, abort.signal);
      if (twigs.length)
        this.list.replaceChildren(
          this.steps(planner),
          ...this.told(twigs),
          this.head(),
          ...twigs.map((twig) => this.twig(twig)),
        );
      else
        note(
          stats?.iterations === 0
            ? t('{planner} searched nothing here: there is no tree.', { planner })
            : t('{planner} keeps no tree.', { planner }),
        );
    } catch (error) {
      if (error.name !== 'AbortError') note(error.message);
    }
    return undefined;
  }

  /** The same search, one iteration at a time. */
  steps(planner) {
    const { setup, moves } = this.game;
    const { seed = 0, stats } = this.advice ?? {};
    const n = Math.max(1, Math.min(stats?.iterations ?? FEW, FEW));
    const href = `${link('tree', setup, moves)}&planner=${encodeURIComponent(planner)}&seed=${seed}&n=${n}`;
    return el('li', {}, el('a', { href }, t('Step through this search')));
  }

  /** Where the hint tells something else than the means that the search compares, that is said. */
  told(twigs) {
    const { moves = [] } = this.advice ?? {};
    const differs = twigs.some(({ action, value }) => {
      const hint = moves.find((move) => move.action === action)?.value;
      return Number.isFinite(hint) && Math.abs(hint - value) > 0.001;
    });
    const note = t('Means of the results, from which the hint tells: {name}.', { name: this.measure });
    return differs ? [el('li', { class: 'soft leaf' }, note)] : [];
  }

  head() {
    return el(
      'li',
      { class: 'soft leaf' },
      el(
        'div',
        { class: 'line' },
        el('span', {}, t('action')),
        el('span', {}, t('value')),
        el('span', {}, t('visits')),
      ),
    );
  }

  line(name, value, visits) {
    return [
      el('span', {}, name),
      el('span', {}, value === null ? '' : fixed(value, 3)),
      el('span', { class: 'soft' }, count(visits)),
    ];
  }

  /** An action; below it what was seen, and the actions then. */
  twig({ action, value, visits, after }) {
    const inner = after.flatMap((a) => (a.seen ? [this.seen(a)] : a.actions.map((twig) => this.twig(twig))));
    if (!inner.length)
      return el('li', { class: 'leaf' }, el('div', { class: 'line' }, ...this.line(action, value, visits)));
    return el(
      'li',
      {},
      el(
        'details',
        {},
        el('summary', { class: 'line' }, ...this.line(action, value, visits)),
        el('ul', {}, inner),
      ),
    );
  }

  seen({ seen, visits, actions }) {
    const name = t('if {seen}', { seen: observed(seen) });
    if (!actions.length)
      return el('li', { class: 'leaf' }, el('div', { class: 'line soft' }, ...this.line(name, null, visits)));
    return el(
      'li',
      {},
      el(
        'details',
        {},
        el('summary', { class: 'line soft' }, ...this.line(name, null, visits)),
        el(
          'ul',
          {},
          actions.map((twig) => this.twig(twig)),
        ),
      ),
    );
  }
}
