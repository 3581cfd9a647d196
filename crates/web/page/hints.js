// What the planner thinks, live: every move with its value and interval.
import { search } from './api.js';
import { announce, check, count, el, fixed, percent, sign } from './dom.js';
import { Tree } from './tree.js';
import { t } from './words.js';

const SHOW = {
  win_probability: { name: 'Win probability', text: percent, scale: (v) => v },
  steps_to_go: { name: 'Steps to go', text: (v) => fixed(v, 0), fewer: true },
  score: { name: 'Points to come', text: (v) => fixed(v, 0) },
  value: { name: 'Value', text: (v) => fixed(v, 3) },
};

/** How values of a measure are shown. */
export const shown = (measure) => SHOW[measure] ?? SHOW.value;

/** How far a bar reaches, 0 to 1. */
function scaler(hint) {
  const show = shown(hint.measure);
  if (show.scale) return show.scale;
  const all = hint.moves.flatMap((m) => [m.value, m.low, m.high]).filter(Number.isFinite);
  const low = Math.min(...all, show.fewer ? 1e9 : 0);
  const high = Math.max(...all, low + 1e-9);
  if (show.fewer) return (v) => 1 - (0.85 * (v - low)) / (high - low || 1);
  return (v) => (v - low) / (high - low || 1);
}

/** What a solver says: how it looks, and in words. */
const PROVEN = {
  optimal: ['good', 'Yes, it can still be won: {because}.'],
  solved: ['good', 'Yes, it can still be won: {because}.'],
  unsolvable: ['lost', 'This position is lost: {because}.'],
  unknown: ['soft', 'Not decided: {because}.'],
};

const MOST = 9;

export class Hints {
  constructor(game, board) {
    this.game = game;
    this.board = board;
    this.planner = el('input', {
      type: 'text',
      list: 'planners',
      'aria-label': t('planner'),
      onchange: () => this.again(),
    });
    this.names = el('datalist', { id: 'planners' });
    this.seconds = el(
      'select',
      { 'aria-label': t('time to think'), onchange: () => this.again() },
      [
        [0.3, '0.3 s'],
        [1, '1 s'],
        [3, '3 s'],
        [10, '10 s'],
        [30, '30 s'],
      ].map(([v, t]) => el('option', { value: String(v), selected: v === 3 }, t)),
    );
    this.seconds.style.flex = '0 0 5rem';
    this.seconds.style.minWidth = '5rem';
    this.ask = el(
      'button',
      { type: 'button', class: 'main', onclick: () => this.run() },
      sign('bulb'),
      t('Hint'),
    );
    this.constant = check(t('always on'), false, () => this.again());
    this.always = this.constant.firstChild;
    this.shut = el(
      'button',
      {
        type: 'button',
        class: 'shut',
        'aria-label': t('close the advice'),
        onclick: () => this.reveal(false),
      },
      '✕',
    );
    this.prove = el('button', { type: 'button', onclick: () => this.proof() }, t('Can it be won?'));
    this.meter = el('p', { class: 'meter', 'aria-live': 'off' });
    this.verdict = el('div', { class: 'verdict' });
    this.list = el('ul', { class: 'bars', 'aria-label': t('moves with their values') });
    this.tree = new Tree(game, () => this.body());
    this.node = el(
      'section',
      { class: 'panel hints', 'aria-label': t('hints') },
      el('header', {}, el('h2', {}, t('Hints')), this.constant, this.shut),
      el('div', { class: 'row' }, this.ask, this.seconds, this.prove),
      el(
        'details',
        { class: 'small' },
        el('summary', { class: 'soft' }, t('Planner')),
        el('div', { class: 'row' }, this.planner, this.names),
      ),
      this.verdict,
      this.meter,
      this.list,
      this.tree.node,
    );
    this.changed = ({ detail }) => {
      if (detail.guess) {
        this.stop();
        return;
      }
      this.fit();
      this.clear();
      if (this.always.checked && !this.ask.disabled && this.game.view.standing === 'open') this.run();
    };
    game.addEventListener('change', this.changed);
  }

  close() {
    this.stop();
    this.tree.close();
  }
  stop() {
    this.abort?.abort();
    this.abort = null;
    this.node.removeAttribute('aria-busy');
  }
  /** On a small screen advice comes up when it is asked for. */
  reveal(yes) {
    this.node.parentElement?.classList.toggle('open', yes);
  }

  again() {
    if (this.always.checked || this.last) this.run();
  }

  /** What can be asked depends on the game. */
  fit() {
    const { planner, planners, solvers } = this.game.view;
    this.prove.hidden = !solvers.prove;
    if (this.for === `${planner} ${planners}`) return;
    this.for = `${planner} ${planners}`;
    this.planner.placeholder = planner;
    if (!planners.includes(this.planner.value.split('(')[0].trim())) this.planner.value = '';
    this.names.replaceChildren(...planners.map((p) => el('option', { value: p })));
  }

  clear() {
    this.stop();
    this.last = null;
    this.list.replaceChildren();
    this.verdict.replaceChildren();
    this.meter.textContent = '';
    this.tree.clear();
  }

  body() {
    const { setup, moves } = this.game;
    return { setup, moves, seconds: Number(this.seconds.value), planner: this.planner.value || undefined };
  }

  async run() {
    this.stop();
    this.reveal(true);
    const abort = (this.abort = new AbortController());
    this.node.setAttribute('aria-busy', 'true');
    try {
      const hint = await search(
        'hint',
        this.body(),
        (h) => abort === this.abort && this.show(h, false),
        abort.signal,
      );
      if (abort !== this.abort) return;
      this.show(hint, true);
      this.tree.of(hint.advice, t(shown(hint.measure).name));
      const best = hint.moves[hint.best];
      announce(hint.lost ?? (best ? t('hint: {move}', { move: best.label }) : t('no move is left')));
    } catch (error) {
      if (error.name !== 'AbortError') this.meter.textContent = error.message;
    } finally {
      if (abort === this.abort) {
        this.node.removeAttribute('aria-busy');
        this.abort = null;
      }
    }
  }

  async proof() {
    this.stop();
    const abort = (this.abort = new AbortController());
    this.verdict.replaceChildren(el('p', { class: 'soft' }, t('Searching all that can be reached …')));
    try {
      const { setup, moves } = this.game;
      const proof = await search('prove', { setup, moves, seconds: 20 }, () => {}, abort.signal);
      const said = PROVEN[proof.verdict] ?? PROVEN.unknown;
      this.verdict.replaceChildren(el('p', { class: said[0], role: 'status' }, t(said[1], proof)));
    } catch (error) {
      if (error.name !== 'AbortError')
        this.verdict.replaceChildren(el('p', { class: 'soft' }, error.message));
    }
  }

  show(hint, done) {
    this.last = hint;
    const show = shown(hint.measure);
    const scale = scaler(hint);
    const { iterations, seconds } = { ...hint.advice.stats };
    this.meter.textContent = `${t(show.name)}: ${Number.isFinite(hint.value) ? show.text(hint.value) : '–'} · ${t('{n} iterations, {s} s', { n: count(iterations), s: fixed(seconds, 1) })}${done ? '' : ' …'}`;
    if (Number.isFinite(hint.value)) this.game.note(hint.lost ? 0 : hint.value, hint.measure);
    else if (hint.lost) this.game.note(hint.measure === 'win_probability' ? 0 : NaN, hint.measure);
    if (hint.lost)
      this.verdict.replaceChildren(
        el(
          'p',
          { class: 'lost', role: 'status' },
          el('strong', {}, `${t('This position is lost.')} `),
          hint.lost,
        ),
      );
    const best = hint.moves[hint.best];
    this.board.hint(best?.moves[0]);
    const rows = hint.moves.slice(0, MOST);
    while (this.list.children.length > rows.length) this.list.lastChild.remove();
    rows.forEach((move, i) =>
      this.row(i, move, i === hint.best, show, scale, i === hint.best ? hint.why : null),
    );
  }

  /** Rows are kept and changed, so that a click ten times a second still hits. */
  row(i, move, best, show, scale, because) {
    let row = this.list.children[i];
    if (!row) {
      const part = (name) => el('span', { class: name });
      const track = el('span', { class: 'track' }, part('fill'), part('range'));
      const button = el(
        'button',
        { type: 'button', onclick: () => this.play(row.move) },
        part('label'),
        part('value'),
        track,
        part('why'),
      );
      button.addEventListener('pointerenter', () => this.board.hint(row.move.moves[0]));
      button.addEventListener('pointerleave', () =>
        this.board.hint(this.last?.moves[this.last.best]?.moves[0]),
      );
      row = el('li', {}, button);
      this.list.append(row);
    }
    row.move = move;
    row.classList.toggle('best', best);
    const q = (name) => row.querySelector(`.${name}`);
    q('label').textContent = (best ? '★ ' : '') + move.label;
    q('value').textContent = move.loses
      ? t('loses')
      : Number.isFinite(move.value)
        ? show.text(move.value)
        : Number.isFinite(move.low)
          ? `≥ ${show.text(move.low)}`
          : '?';
    const at = (v) => `${Math.max(0, Math.min(1, scale(v))) * 100}%`;
    q('fill').style.width = Number.isFinite(move.value) ? at(move.value) : '0';
    const range = q('range');
    if (Number.isFinite(move.low) && Number.isFinite(move.high)) {
      const [a, b] = [scale(move.low), scale(move.high)]
        .sort((p, r) => p - r)
        .map((v) => Math.max(0, Math.min(1, v)));
      range.style.left = `${a * 100}%`;
      range.style.width = `${Math.max(0.8, (b - a) * 100)}%`;
      range.hidden = false;
    } else range.hidden = true;
    const why = because ? [because] : [];
    if (Number.isFinite(move.low) && Number.isFinite(move.high))
      why.push(t('{low} to {high}', { low: show.text(move.low), high: show.text(move.high) }));
    if (move.visits) why.push(t(move.visits === 1 ? '{n} visit' : '{n} visits', { n: count(move.visits) }));
    if (move.moves.length > 1) why.push(t('{n} moves on the table', { n: move.moves.length }));
    if (move.again) why.push(t('leads back'));
    // A star without a value would be a riddle.
    if (best && !Number.isFinite(move.value) && !Number.isFinite(move.low))
      why.push(t('no value yet: a guess'));
    q('why').textContent = why.join(' · ');
  }

  async play(move) {
    if (this.ask.disabled) return;
    this.ask.disabled = true;
    try {
      await this.game.playAll(move.moves);
    } catch (error) {
      this.meter.textContent = error.message;
    } finally {
      this.ask.disabled = false;
      if (this.always.checked && this.game.view.standing === 'open') this.run();
    }
  }
}
