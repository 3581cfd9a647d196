// Watch planners play: one, or two side by side on the same deal.
import { get, search } from './api.js';
import { Board } from './board.js';
import { count, el, sign, toast } from './dom.js';
import { Game } from './game.js';
import { SHOW } from './hints.js';
import { values } from './graph.js';

class Pane {
  constructor(name, planner, planners) {
    this.game = new Game();
    const host = el('div', {});
    this.board = new Board(host, null);
    this.planner = el('input', { type: 'text', list: `planners-${name}`, value: planner, 'aria-label': `planner ${name}` });
    this.names = el('datalist', { id: `planners-${name}` }, planners.map((p) => el('option', { value: p })));
    this.value = el('span', { class: 'soft' });
    this.meter = el('p', { class: 'meter' });
    this.chart = el('div', {});
    this.node = el('section', { class: 'pane panel', 'aria-label': `planner ${name}` },
      el('div', { class: 'row' }, this.planner, this.names, this.value), this.meter, host, this.chart);
    this.game.addEventListener('change', ({ detail }) => {
      this.board.show(this.game.view, detail);
      this.draw();
    });
  }

  draw() { this.chart.replaceChildren(values(this.game, this.measure ?? this.game.view.measure, () => {})); }
  get over() { return this.done || this.game.view.standing !== 'open'; }

  async open(setup) {
    this.done = false;
    await this.game.open(setup);
    this.meter.textContent = '';
    this.value.textContent = '';
  }

  async step(seconds, signal) {
    if (this.over) return;
    const { setup, moves } = this.game;
    const show = (hint) => {
      const best = hint.moves[hint.best];
      const kind = SHOW[hint.measure];
      this.measure = hint.measure;
      this.value.textContent = Number.isFinite(hint.value) ? `${kind.name.toLowerCase()} ${kind.text(hint.value)}` : '';
      this.meter.textContent = `${best?.label ?? '–'} · ${count(hint.advice.stats.iterations)} iterations`;
      this.board.hint(best?.moves[0]);
    };
    const hint = await search('hint', { setup, moves, seconds, planner: this.planner.value || undefined, seed: moves.length }, show, signal);
    show(hint);
    const best = hint.moves[hint.best];
    if (!best || best.again) {
      this.done = true;
      this.meter.textContent = hint.lost ?? 'Nothing new can be reached: the planner gives up.';
      return;
    }
    if (Number.isFinite(hint.value)) this.game.values[moves.length] = hint.value;
    for (const name of best.moves) await this.game.play(name);
  }

  close() { this.board.close(); }
}

export async function watch(main) {
  const info = await get('games');
  const names = ['klondike(draw=3)', 'klondike(draw=1)', 'freecell', 'samegame', ...info.games.map((g) => g.name).filter((n) => !['klondike', 'freecell', 'samegame'].includes(n))];
  const game = el('select', { 'aria-label': 'game', onchange: () => begin() }, names.map((n) => el('option', { value: n }, n)));
  const deal = el('input', { type: 'text', class: 'deal', 'aria-label': 'deal', value: '7', onchange: () => begin() });
  const two = el('input', { type: 'checkbox', onchange: () => begin() });
  const pace = el('select', { 'aria-label': 'time per move' }, [[0.1, '0.1 s a move'], [0.3, '0.3 s a move'], [1, '1 s a move'], [5, '5 s a move']].map(([v, t]) => el('option', { value: String(v), selected: v === 0.3 }, t)));
  const run = el('button', { type: 'button', class: 'main', onclick: () => toggle() }, sign('play'), 'Play');
  const step = el('button', { type: 'button', onclick: () => once() }, sign('step'), 'Step');
  const pair = el('div', { class: 'pair' });
  main.replaceChildren(el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'watch' },
    game, deal, el('label', { class: 'check' }, two, 'two planners'), el('span', { class: 'gap' }), pace, step, run), pair);
  let panes = [];
  let abort = null;
  let running = false;

  async function begin() {
    stop();
    for (const pane of panes) pane.close();
    const name = game.value.split('(')[0];
    const found = info.games.find((g) => g.name === name);
    const planners = found?.planners ?? [];
    const first = name === 'freecell' ? 'distance' : found?.planner ?? 'uct';
    panes = (two.checked ? [first, 'random'] : [first]).map((p, i) => new Pane(String(i + 1), p, name === 'freecell' ? ['distance', ...planners] : planners));
    pair.replaceChildren(...panes.map((p) => p.node));
    const text = deal.value.trim() || '1';
    const setup = { game: game.value, deal: name === 'klondike' && /^\d+$/.test(text) ? `seed:${text}` : text };
    try { await Promise.all(panes.map((p) => p.open(setup))); } catch (error) { toast(error.message); }
  }
  async function once() {
    abort = new AbortController();
    try { await Promise.all(panes.map((p) => p.step(Number(pace.value), abort.signal))); } catch (error) {
      if (error.name !== 'AbortError') { toast(error.message); running = false; }
    }
  }
  function stop() { running = false; abort?.abort(); run.replaceChildren(sign('play'), 'Play'); }
  async function toggle() {
    if (running) { stop(); return; }
    running = true;
    run.replaceChildren(sign('pause'), 'Pause');
    while (running && panes.some((p) => !p.over)) {
      await once();
      await new Promise((r) => setTimeout(r, 230));
    }
    if (running) stop();
  }
  await begin();
  return () => { stop(); for (const pane of panes) pane.close(); };
}
