// A game: its setup, its moves, what was taken back, and what was thought of each position.
import { post } from './api.js';
import { foresee } from './foresee.js';

/** Views that are kept, so that undo and redo answer at once. */
const MOST = 600;

export class Game extends EventTarget {
  constructor() {
    super();
    this.setup = null;
    this.moves = [];
    this.future = [];
    this.values = [];
    this.measure = null;
    /** What the server said last, and what is on the screen: that, and moves that are on their way. */
    this.view = null;
    this.shown = null;
    this.ahead = [];
    /** The player's own line while another one is looked at. */
    this.kept = null;
    this.turn = Promise.resolve();
    this.views = new Map();
  }

  /** One request after the other, so that quick fingers cannot overtake an answer. */
  queue(work) {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }

  async ask(setup, moves) {
    const key = JSON.stringify([setup, moves]);
    const known = this.views.get(key);
    if (known) return known;
    const view = await post('table', { setup, moves });
    this.views.set(key, view);
    if (this.views.size > MOST) this.views.delete(this.views.keys().next().value);
    return view;
  }

  /** Shows what the server said, with the moves on it that are still on their way. */
  set(view, change = {}) {
    this.view = view;
    this.shown = this.ahead.reduce((shown, { name }) => foresee(shown, name) ?? shown, view);
    this.dispatchEvent(new CustomEvent('change', { detail: { guess: false, ...change } }));
  }

  /** Shows a move before the server has answered. */
  foretell(name) {
    const shown = foresee(this.shown, name);
    if (!shown) return;
    this.shown = shown;
    this.dispatchEvent(new CustomEvent('change', { detail: { animate: true, guess: true } }));
  }

  open(setup, moves = [], future = [], rest = {}) {
    return this.queue(async () => {
      const view = await this.ask(setup, moves);
      const values = rest.values ?? [];
      Object.assign(this, { setup, moves: [...moves], future: [...future], values, kept: null, ahead: [] });
      this.measure = rest.measure ?? view.measure;
      this.set(view, { animate: false, anew: true });
    });
  }

  /** Goes on with a saved game where the server cannot be asked. */
  resume({ setup, moves, future, values, measure, view }) {
    Object.assign(this, { setup, moves, future, values, measure, kept: null, ahead: [] });
    this.set(view, { animate: false, anew: true });
  }

  /** Plays a move: it is on the screen at once, and taken back if the server refuses it. */
  play(name) {
    return this.playAll([name]);
  }

  /** Plays moves in a row with one request. */
  playAll(names) {
    const mine = names.map((name) => ({ name }));
    this.ahead.push(...mine);
    for (const name of names) this.foretell(name);
    return this.queue(async () => {
      // A move before this one was refused, and this one with it.
      if (this.ahead.includes(mine[0])) await this.commit(names, mine);
    });
  }

  /**
   * Lays moves down one after the other, at a pace, with one request for all of them. Which ones is asked
   * when it is their turn, and what is asked for meanwhile waits until those that lie are confirmed.
   */
  layAll(which, pace, goesOn) {
    return this.queue(async () => {
      const names = [];
      for (const name of which()) {
        if (!goesOn()) break;
        this.foretell(name);
        names.push(name);
        await new Promise((done) => {
          setTimeout(done, pace);
        });
      }
      if (names.length) await this.commit(names, []);
    });
  }

  /** Asks the server for moves that are on the screen already. */
  async commit(names, mine) {
    const moves = [...this.moves, ...names];
    try {
      const view = await this.ask(this.setup, moves);
      if (names.every((name, i) => this.future[i] === name)) this.future.splice(0, names.length);
      else {
        this.future = [];
        this.values.length = Math.min(this.values.length, this.moves.length + 1);
      }
      this.moves = moves;
      this.ahead = this.ahead.filter((move) => !mine.includes(move));
      this.set(view, { animate: true, played: names });
    } catch (error) {
      this.ahead = [];
      this.set(this.view, { animate: true });
      throw error;
    }
  }

  /** To the position after so many moves, of those played and those taken back. */
  go(count, animate = true) {
    return this.seek(() => count, animate);
  }

  /** Where to is asked when it is this request's turn: two quick undos take two moves back. */
  seek(where, animate = true) {
    return this.queue(async () => {
      if (!this.setup) return;
      const all = [...this.moves, ...this.future];
      const to = Math.max(0, Math.min(where(), all.length));
      if (to === this.moves.length) return;
      const view = await this.ask(this.setup, all.slice(0, to));
      this.moves = all.slice(0, to);
      this.future = all.slice(to);
      this.set(view, { animate });
    });
  }

  undo() {
    return this.seek(() => this.moves.length - 1);
  }
  redo() {
    return this.seek(() => this.moves.length + 1);
  }

  /** Looks at another line from the position after `base` moves; the player's own is kept. */
  explore(base, line, at = 0) {
    return this.queue(async () => {
      this.kept ??= { moves: this.moves, future: this.future, values: this.values };
      const all = [...this.kept.moves, ...this.kept.future];
      const moves = [...all.slice(0, base), ...line.slice(0, at)];
      const view = await this.ask(this.setup, moves);
      Object.assign(this, {
        moves,
        future: line.slice(at),
        values: [...this.kept.values].slice(0, base + 1),
      });
      this.set(view, { animate: true });
    });
  }

  /** Whether the line that is looked at is this one. */
  explores(base, line) {
    const all = [...this.moves, ...this.future];
    return (
      Boolean(this.kept) && all.length === base + line.length && line.every((m, i) => all[base + i] === m)
    );
  }

  /** Back to the player's own line. */
  back() {
    return this.queue(async () => {
      if (!this.kept) return;
      const { moves, future, values } = this.kept;
      const view = await this.ask(this.setup, moves);
      Object.assign(this, { moves, future, values, kept: null });
      this.set(view, { animate: true });
    });
  }

  /** What a hint said of the position now; values of another measure are not to be compared with it. */
  note(value, measure = this.measure) {
    if (measure !== this.measure) Object.assign(this, { values: [], measure });
    this.values[this.moves.length] = value;
    this.dispatchEvent(new CustomEvent('value'));
  }

  /** All that is needed to go on with it later. */
  saved() {
    const { setup, measure } = this;
    const { moves, future, values } = this.kept ?? this;
    // Moves on their way are not the server's yet: they are made again.
    const ahead = this.kept ? [] : this.ahead.map(({ name }) => name);
    return { setup, moves, future, ahead, values: values.map((v) => v ?? null), measure };
  }

  /** The address of the game on a page. */
  link(page) {
    return link(page, this.setup, this.moves);
  }
}

export function link(page, setup, moves = []) {
  const part = encodeURIComponent;
  const query = [`game=${part(setup.game)}`];
  if (setup.deal) query.push(`deal=${part(setup.deal)}`);
  if (setup.position) query.push(`position=${part(setup.position)}`);
  if (setup.rules) query.push(`rules=${part(setup.rules)}`, `role=${part(setup.role ?? '')}`);
  if (moves.length) query.push(`moves=${moves.map(part).join('+')}`);
  return `#/${page}?${query.join('&')}`;
}

/** The parts of a link's query. */
export function parts(query) {
  const all = query
    .split('&')
    .filter(Boolean)
    .map((p) => {
      const at = p.indexOf('=');
      return at < 0 ? [p, ''] : [p.slice(0, at), p.slice(at + 1)];
    });
  return Object.fromEntries(all);
}

/** The setup and moves of a link, or null; throws if it is a broken one. */
export function parse(query) {
  const all = parts(query);
  if (!all.game) return null;
  const setup = { game: decodeURIComponent(all.game) };
  for (const key of ['deal', 'position', 'rules', 'role'])
    if (all[key]) setup[key] = decodeURIComponent(all[key]);
  return { setup, moves: all.moves ? all.moves.split('+').map(decodeURIComponent) : [] };
}
