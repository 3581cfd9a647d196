// The best solution: its bounds closing in, then its steps, replayed on the board.
import { search } from './api.js';
import { count, el, sign } from './dom.js';
import { gap } from './graph.js';

const PACE = 450;
const spent = (proof) => `${count(proof.nodes)} searched, ${proof.seconds.toFixed(1)} s`;

export class Solve {
  constructor(game) {
    this.game = game;
    this.seconds = el('select', { 'aria-label': 'time for the solution' }, [[10, '10 s'], [60, '60 s'], [120, '2 min']].map(([v, t]) => el('option', { value: String(v), selected: v === 60 }, t)));
    this.seconds.style.flex = '0 0 6rem';
    this.seconds.style.minWidth = '6rem';
    this.ask = el('button', { type: 'button', class: 'main', onclick: () => this.run() }, 'Solve');
    this.end = el('button', { type: 'button', hidden: true, onclick: () => this.abort?.abort() }, 'Stop');
    this.replay = el('button', { type: 'button', hidden: true, onclick: () => this.toggle() }, sign('play'), 'Replay');
    this.meter = el('p', { class: 'meter', role: 'status' });
    this.chart = el('div', {});
    this.legend = el('div', { class: 'legend', hidden: true });
    this.steps = el('ol', { class: 'steps', 'aria-label': 'steps of the solution' });
    this.node = el('section', { class: 'panel', 'aria-label': 'solver' }, el('header', {}, el('h2', {}, 'Solve')),
      el('div', { class: 'row' }, this.ask, this.seconds, this.end, this.replay), this.meter, this.chart, this.legend, this.steps);
    this.mark = () => this.current();
    game.addEventListener('change', this.mark);
  }

  close() { this.abort?.abort(); clearInterval(this.timer); }

  async run() {
    this.close();
    const { setup, moves } = this.game;
    const abort = (this.abort = new AbortController());
    const points = [];
    this.proof = null;
    this.steps.replaceChildren();
    this.replay.hidden = true;
    this.end.hidden = false;
    const steps = this.game.view.objective === 'length';
    this.legend.hidden = !steps;
    const key = (colour, text) => { const line = el('i', {}); line.style.background = `var(--${colour})`; return el('span', {}, line, text); };
    this.legend.replaceChildren(key('warn', 'shortest known'), key('bar', 'no solution is shorter'));
    const told = (p) => {
      points.push(p);
      const known = Number.isFinite(p.value) ? p.value : '–';
      this.meter.textContent = `${steps ? `between ${p.lower ?? '–'} and ${known} steps` : `best so far: ${known}`} · ${spent(p)}`;
      if (steps) this.chart.replaceChildren(gap(points));
    };
    try {
      const proof = await search('solve', { setup, moves, seconds: Number(this.seconds.value) }, told, abort.signal);
      if (proof.moves.length || proof.lower !== null) told(proof);
      this.found(proof, moves.length);
    } catch (error) {
      this.meter.textContent = error.name === 'AbortError' ? 'Stopped.' : error.message;
    } finally { this.end.hidden = true; }
  }

  found(proof, base) {
    this.proof = proof;
    this.base = base;
    const steps = this.game.view.objective === 'length';
    if (proof.verdict === 'unsolvable') this.meter.textContent = `There is no solution: ${proof.because}.`;
    else if (!proof.moves.length) this.meter.textContent = `No solution within the time: ${proof.because}.`;
    else {
      const least = Number.isFinite(proof.lower) ? `, at least ${proof.lower} are needed` : '';
      this.meter.textContent = steps
        ? `${proof.value} steps${proof.optimal ? ', provably the fewest' : least} · ${spent(proof)}`
        : `${proof.value} in ${proof.moves.length} moves${proof.optimal ? ', provably the best' : ''} · ${spent(proof)}`;
      this.steps.replaceChildren(...proof.numbered.map((text, i) => el('li', {}, el('button', { type: 'button', onclick: () => this.go(i + 1) }, text))));
      this.replay.hidden = false;
      if (this.game.measure === 'steps_to_go') proof.moves.forEach((_, i) => { this.game.values[base + i] = proof.value - i; });
      // The steps wait as moves that were taken back: redo plays them.
      if (this.game.moves.length === base) { this.game.future = [...proof.moves]; this.game.set(this.game.view, { animate: false }); }
      this.current();
    }
  }

  /** Puts the solution under the moves again, if others were played meanwhile. */
  async lay() {
    const same = this.proof.moves.every((m, i) => [...this.game.moves, ...this.game.future][this.base + i] === m);
    if (same) return;
    const before = this.game.moves.slice(0, this.base);
    await this.game.open(this.game.setup, before, this.proof.moves);
  }

  async go(step) {
    await this.lay();
    await this.game.go(this.base + step);
  }

  async toggle() {
    if (this.timer) return this.pause();
    await this.lay();
    if (this.game.moves.length >= this.base + this.proof.moves.length) await this.game.go(this.base);
    this.replay.replaceChildren(sign('pause'), 'Pause');
    this.timer = setInterval(() => {
      if (this.game.moves.length >= this.base + this.proof.moves.length || !this.game.future.length) this.pause();
      else this.game.redo();
    }, PACE);
    return undefined;
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.replay.replaceChildren(sign('play'), 'Replay');
  }

  current() {
    if (!this.proof) return;
    const at = this.game.moves.length - this.base;
    [...this.steps.children].forEach((li, i) => {
      const button = li.firstChild;
      if (i + 1 === at) {
        button.setAttribute('aria-current', 'step');
        const top = li.offsetTop - this.steps.offsetTop;
        if (top < this.steps.scrollTop || top > this.steps.scrollTop + this.steps.clientHeight - 30) this.steps.scrollTop = top - this.steps.clientHeight / 2;
      } else button.removeAttribute('aria-current');
    });
  }
}
