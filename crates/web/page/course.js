// The course of a game on a page: its time, whether it counts, and what is remembered of it.
import * as memory from './memory.js';

export class Course {
  constructor(game, page) {
    this.game = game;
    this.page = page;
    this.begin();
    this.seen = () => this.pause();
    document.addEventListener('visibilitychange', this.seen);
    addEventListener('pagehide', this.seen);
  }

  /** Saves a last time: what is answered later must not overwrite what is played by then. */
  close() {
    this.pause();
    this.closed = true;
    document.removeEventListener('visibilitychange', this.seen);
    removeEventListener('pagehide', this.seen);
  }

  /** A new game: no time has passed, and nothing of it was counted. */
  begin(day) {
    Object.assign(this, { spent: 0, since: null, counted: false, done: false, day });
    if (this.game.setup) this.save();
  }

  resume({ spent = 0, counted = false, done = false, day }) {
    Object.assign(this, { spent, since: null, counted, done, day });
    if (this.game.view?.standing === 'open' && this.game.moves.length) this.since = performance.now();
    this.save();
  }

  get seconds() {
    return this.spent + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }

  /** The clock runs while the game is looked at. */
  pause() {
    if (this.since !== null) {
      this.spent = this.seconds;
      this.since = document.visibilityState === 'visible' ? performance.now() : null;
    } else if (document.visibilityState === 'visible' && this.counted && !this.done)
      this.since = performance.now();
    this.save();
  }

  saved() {
    return { spent: this.seconds, counted: this.counted, done: this.done, day: this.day };
  }

  save() {
    if (this.game.setup && !this.closed)
      memory.save(this.page, {
        ...this.game.saved(),
        ...this.saved(),
        view: this.game.kept ? undefined : this.game.view,
      });
  }

  /** After every change: counts what counts; gives the records, `first` if the game ended just now. */
  changed({ played }) {
    const { game } = this;
    const records = [];
    const { standing, score } = game.view;
    // A position that was typed in is no deal that was won.
    const counts = Boolean(game.setup.deal) && !game.kept;
    if (played && counts && !this.counted) {
      this.counted = true;
      memory.began(game.setup.game);
    }
    if (played && this.since === null && standing === 'open') this.since = performance.now();
    if (standing !== 'open' && this.since !== null) {
      this.spent = this.seconds;
      this.since = null;
    }
    if (standing !== 'open' && played && !this.done) {
      records.first = true;
      if (counts) {
        this.done = true;
        const won = standing === 'won';
        const fewer = ['win', 'length'].includes(game.view.objective);
        records.push(
          ...memory.ended(game.setup.game, {
            won,
            score,
            moves: game.moves.length,
            seconds: this.spent,
            fewer,
          }),
        );
        if (won && this.day) memory.wonDay(game.setup.game, this.day);
      }
    }
    this.save();
    return records;
  }
}
