// The best solution: its bounds closing in, then its steps, replayed on the board.
import { search } from './api.js';
import { count, el, fixed, sign } from './dom.js';
import { gap } from './graph.js';
import { t } from './words.js';

const PACE = 450;
const spent = (proof) => t('{n} searched, {s} s', { n: count(proof.nodes), s: fixed(proof.seconds, 1) });

export class Solve {
  constructor(game) {
    this.game = game;
    this.seconds = el(
      'select',
      { 'aria-label': t('time for the solution') },
      [
        [10, '10 s'],
        [60, '60 s'],
        [120, '2 min'],
      ].map(([v, t]) => el('option', { value: String(v), selected: v === 60 }, t)),
    );
    this.seconds.style.flex = '0 0 6rem';
    this.seconds.style.minWidth = '6rem';
    this.ask = el('button', { type: 'button', class: 'main', onclick: () => this.run() }, t('Solve'));
    this.end = el('button', { type: 'button', hidden: true, onclick: () => this.abort?.abort() }, t('Stop'));
    this.replay = el(
      'button',
      { type: 'button', hidden: true, onclick: () => this.toggle() },
      sign('play'),
      t('Replay'),
    );
    this.meter = el('p', { class: 'meter', role: 'status' });
    this.chart = el('div', {});
    this.legend = el('div', { class: 'legend', hidden: true });
    this.steps = el('ol', { class: 'steps', 'aria-label': t('steps of the solution') });
    this.node = el(
      'section',
      { class: 'panel', 'aria-label': t('solver') },
      el('header', {}, el('h2', {}, t('Solve'))),
      el('div', { class: 'row' }, this.ask, this.seconds, this.end, this.replay),
      this.meter,
      this.chart,
      this.legend,
      this.steps,
    );
    this.mark = ({ detail }) => {
      // Of another deal the solution says nothing.
      if (detail.anew) this.clear();
      else this.current();
    };
    game.addEventListener('change', this.mark);
  }

  close() {
    this.abort?.abort();
    if (this.timer) this.pause();
  }

  clear() {
    this.close();
    this.proof = null;
    this.steps.replaceChildren();
    this.chart.replaceChildren();
    this.legend.hidden = true;
    this.replay.hidden = true;
    this.meter.textContent = '';
  }

  async run() {
    this.close();
    if (this.game.kept) await this.game.back();
    const { setup, moves } = this.game;
    const abort = (this.abort = new AbortController());
    const points = [];
    this.proof = null;
    this.steps.replaceChildren();
    this.replay.hidden = true;
    this.end.hidden = false;
    const steps = this.game.view.objective === 'length';
    this.legend.hidden = !steps;
    const key = (colour, text) => {
      const line = el('i', {});
      line.style.background = `var(--${colour})`;
      return el('span', {}, line, text);
    };
    this.legend.replaceChildren(key('warn', t('shortest known')), key('bar', t('no solution is shorter')));
    const told = (p) => {
      points.push(p);
      const known = Number.isFinite(p.value) ? p.value : '–';
      this.meter.textContent = `${steps ? t('between {low} and {high} steps', { low: p.lower ?? '–', high: known }) : t('best so far: {value}', { value: known })} · ${spent(p)}`;
      if (steps) this.chart.replaceChildren(gap(points));
    };
    try {
      const proof = await search(
        'solve',
        { setup, moves, seconds: Number(this.seconds.value) },
        told,
        abort.signal,
      );
      if (proof.moves.length || proof.lower !== null) told(proof);
      this.found(proof, moves.length);
    } catch (error) {
      this.meter.textContent = error.name === 'AbortError' ? t('Stopped.') : error.message;
    } finally {
      this.end.hidden = true;
    }
  }

  found(proof, base) {
    this.proof = proof;
    this.base = base;
    const steps = this.game.view.objective === 'length';
    if (proof.verdict === 'unsolvable') this.meter.textContent = t('There is no solution: {because}.', proof);
    else if (!proof.moves.length)
      this.meter.textContent = t('No solution within the time: {because}.', proof);
    else {
      const least = Number.isFinite(proof.lower) ? t(', at least {n} are needed', { n: proof.lower }) : '';
      this.meter.textContent = steps
        ? `${t('{n} steps', { n: proof.value })}${proof.optimal ? t(', provably the fewest') : least} · ${spent(proof)}`
        : `${t('{value} in {n} moves', { value: proof.value, n: proof.moves.length })}${proof.optimal ? t(', provably the best') : ''} · ${spent(proof)}`;
      this.steps.replaceChildren(
        ...proof.numbered.map((text, i) =>
          el('li', {}, el('button', { type: 'button', onclick: () => this.go(i + 1) }, text)),
        ),
      );
      this.replay.hidden = false;
      this.current();
    }
  }

  /** Shows the position after so many steps of the solution; the player's own game is kept. */
  async go(step) {
    await this.game.explore(this.base, this.proof.moves, step);
  }

  async toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    const { moves } = this.proof;
    const at = this.game.explores(this.base, moves) ? this.game.moves.length - this.base : 0;
    await this.go(at >= moves.length ? 0 : at);
    this.replay.replaceChildren(sign('pause'), t('Pause'));
    this.timer = setInterval(() => {
      if (!this.game.explores(this.base, moves) || !this.game.future.length) this.pause();
      else this.game.redo();
    }, PACE);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.replay.replaceChildren(sign('play'), t('Replay'));
  }

  current() {
    if (!this.proof) return;
    const at = this.game.explores(this.base, this.proof.moves) ? this.game.moves.length - this.base : -1;
    [...this.steps.children].forEach((li, i) => {
      const button = li.firstChild;
      if (i + 1 === at) {
        button.setAttribute('aria-current', 'step');
        const top = li.offsetTop - this.steps.offsetTop;
        if (top < this.steps.scrollTop || top > this.steps.scrollTop + this.steps.clientHeight - 30)
          this.steps.scrollTop = top - this.steps.clientHeight / 2;
      } else button.removeAttribute('aria-current');
    });
  }
}
