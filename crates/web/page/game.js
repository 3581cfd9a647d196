// A game: its setup, its moves, what was taken back, and what was thought of each position.
import { post } from './api.js';

export class Game extends EventTarget {
  constructor() {
    super();
    this.setup = null;
    this.moves = [];
    this.future = [];
    this.values = [];
    this.measure = null;
    this.view = null;
    this.turn = Promise.resolve();
  }

  /** One request after the other, so that quick fingers cannot overtake an answer. */
  queue(work) {
    this.turn = this.turn.then(work, work);
    return this.turn;
  }

  async ask(setup, moves) { return post('table', { setup, moves }); }

  set(view, change) {
    this.view = view;
    this.dispatchEvent(new CustomEvent('change', { detail: change }));
  }

  open(setup, moves = [], future = []) {
    return this.queue(async () => {
      const view = await this.ask(setup, moves);
      Object.assign(this, { setup, moves: [...moves], future: [...future], values: [], measure: view.measure });
      this.set(view, { animate: false, anew: true });
    });
  }

  play(name) {
    return this.queue(async () => {
      const moves = [...this.moves, name];
      const view = await this.ask(this.setup, moves);
      if (this.future[0] === name) this.future.shift();
      else {
        this.future = [];
        this.values.length = Math.min(this.values.length, moves.length);
      }
      this.moves = moves;
      this.set(view, { animate: true });
    });
  }

  /** To the position after so many moves, of those played and those taken back. */
  go(count, animate = true) { return this.seek(() => count, animate); }

  /** Where to is asked when it is this request's turn: two quick undos take two moves back. */
  seek(where, animate = true) {
    return this.queue(async () => {
      const all = [...this.moves, ...this.future];
      const to = Math.max(0, Math.min(where(), all.length));
      if (to === this.moves.length) return;
      const view = await this.ask(this.setup, all.slice(0, to));
      this.moves = all.slice(0, to);
      this.future = all.slice(to);
      this.set(view, { animate });
    });
  }

  undo() { return this.seek(() => this.moves.length - 1); }
  redo() { return this.seek(() => this.moves.length + 1); }

  /** What a hint said of the position now; values of another measure are not to be compared with it. */
  note(value, measure = this.measure) {
    if (measure !== this.measure) Object.assign(this, { values: [], measure });
    this.values[this.moves.length] = value;
    this.dispatchEvent(new CustomEvent('value'));
  }

  /** The address of the game on a page. */
  link(page) {
    const part = encodeURIComponent;
    const { game, deal, position } = this.setup;
    const query = [`game=${part(game)}`];
    if (deal) query.push(`deal=${part(deal)}`);
    if (position) query.push(`position=${part(position)}`);
    if (this.setup.rules) query.push(`rules=${part(this.setup.rules)}`, `role=${part(this.setup.role ?? '')}`);
    if (this.moves.length) query.push(`moves=${this.moves.map(part).join('+')}`);
    return `#/${page}?${query.join('&')}`;
  }
}

/** The setup and moves of a link, or null. */
export function parse(query) {
  const parts = Object.fromEntries(query.split('&').filter(Boolean).map((p) => {
    const at = p.indexOf('=');
    return at < 0 ? [p, ''] : [p.slice(0, at), p.slice(at + 1)];
  }));
  const text = (key) => (parts[key] === undefined ? undefined : decodeURIComponent(parts[key]));
  if (!parts.game) return null;
  const setup = { game: text('game') };
  for (const key of ['deal', 'position', 'rules', 'role']) if (parts[key]) setup[key] = text(key);
  return { setup, moves: parts.moves ? parts.moves.split('+').map(decodeURIComponent) : [] };
}
