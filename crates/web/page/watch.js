// Watch planners play: one, or two side by side on the same deal.
import { search } from './api.js';
import { Board } from './board.js';
import { count, el, sign, toast } from './dom.js';
import { Game } from './game.js';
import { choices, deals, games, named } from './games.js';
import { values } from './graph.js';
import { shown } from './hints.js';

/** The planner that suits the game, and one to compare it with. */
const suits = (view) => view.planner;
const rival = ({ planners }) => (planners.includes('random') ? 'random' : planners.at(-1));

class Pane {
  /** `choose` names a planner for a table. */
  constructor(name, choose) {
    this.choose = choose;
    this.game = new Game();
    const host = el('div', {});
    this.board = new Board(host, null);
    this.planner = el('input', { type: 'text', list: `planners-${name}`, 'aria-label': `planner ${name}` });
    this.names = el('datalist', { id: `planners-${name}` });
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

  draw() { this.chart.replaceChildren(values(this.game, this.game.measure, () => {})); }
  get over() { return this.done || this.game.view.standing !== 'open'; }

  async open(setup) {
    this.done = false;
    await this.game.open(setup);
    this.planner.value = this.choose(this.game.view);
    this.names.replaceChildren(...this.game.view.planners.map((p) => el('option', { value: p })));
    this.meter.textContent = '';
    this.value.textContent = '';
  }

  async step(seconds, signal) {
    if (this.over) return;
    const { setup, moves } = this.game;
    const show = (hint) => {
      const best = hint.moves[hint.best];
      const kind = shown(hint.measure);
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
    if (Number.isFinite(hint.value)) this.game.note(hint.value, hint.measure);
    for (const name of best.moves) await this.game.play(name);
  }

  close() { this.board.close(); }
}

export async function watch(main) {
  const list = await games();
  const kinds = (info) => choices(info).map(([value, text]) => el('option', { value }, text));
  // Those that people play first, each with its variants.
  const groups = list.toSorted((a, b) => Number(b.variants.length > 0) - Number(a.variants.length > 0));
  const game = el('select', { 'aria-label': 'game', onchange: () => begin() },
    groups.flatMap((info) => (info.variants.length ? [el('optgroup', { label: info.title }, kinds(info))] : kinds(info))));
  const deal = el('input', { type: 'text', class: 'deal', 'aria-label': 'deal', value: 'seed:7', onchange: () => begin() });
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
    panes = (two.checked ? [suits, rival] : [suits]).map((choose, i) => new Pane(String(i + 1), choose));
    pair.replaceChildren(...panes.map((p) => p.node));
    deal.title = deals(named(list, game.value));
    const setup = { game: game.value, deal: deal.value.trim() || '1' };
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
