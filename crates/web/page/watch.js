// Watch planners play: one, two side by side on the same deal, or two against each other.
import { search } from './api.js';
import { Board } from './board.js';
import { choice, count, el, sign, toast } from './dom.js';
import { Game, link, parts } from './game.js';
import { choices, deals, games, named } from './games.js';
import { values } from './graph.js';
import { shown } from './hints.js';
import { t } from './words.js';

/** The planner that suits the game, and one to compare it with. */
const suits = (view) => view.planner;
const rival = ({ planners }) => (planners.includes('random') ? 'random' : planners.at(-1));

class Pane {
  /** `choose` names a planner for a table; `fields` are what people may name instead, for each player. */
  constructor(name, wanted) {
    this.wanted = wanted;
    this.game = new Game();
    const host = el('div', { class: 'host' });
    this.board = new Board(host, null);
    this.fields = wanted.map((_, i) =>
      el('input', {
        type: 'text',
        list: `planners-${name}`,
        'aria-label': t('planner {name}', { name: wanted.length > 1 ? i + 1 : name }),
      }),
    );
    this.names = el('datalist', { id: `planners-${name}` });
    this.value = el('span', { class: 'soft' });
    this.meter = el('p', { class: 'meter' });
    this.chart = el('div', {});
    this.node = el(
      'section',
      { class: 'pane panel', 'aria-label': t('planner {name}', { name }) },
      el('div', { class: 'row' }, this.fields, this.names, this.value),
      this.meter,
      host,
      this.chart,
    );
    this.game.addEventListener('change', ({ detail }) => {
      if (this.closed) return;
      this.board.show(this.game.shown, detail);
      this.draw();
    });
  }

  draw() {
    this.chart.replaceChildren(values(this.game, this.game.measure, () => {}));
  }
  get over() {
    return this.done || this.game.view.standing !== 'open';
  }
  /** Whose turn it is: the second player's planner minimises. */
  get field() {
    return this.fields[this.game.view.minimising ? this.fields.length - 1 : 0];
  }

  async open(setup) {
    this.done = false;
    await this.game.open(setup);
    this.fields.forEach((field, i) => {
      field.value = this.wanted[i](this.game.view);
    });
    this.names.replaceChildren(...this.game.view.planners.map((p) => el('option', { value: p })));
    this.meter.textContent = '';
    this.value.textContent = '';
  }

  async step(seconds, signal) {
    if (this.over) return;
    const { setup, moves } = this.game;
    const planner = this.field.value;
    const show = (hint) => {
      const best = hint.moves[hint.best];
      const kind = shown(hint.measure);
      this.value.textContent = Number.isFinite(hint.value) ? `${t(kind.name)} ${kind.text(hint.value)}` : '';
      this.meter.textContent = `${planner}: ${best?.label ?? '–'} · ${t('{n} iterations', { n: count(hint.advice.stats.iterations) })}`;
      this.board.hint(best?.moves[0]);
    };
    const hint = await search(
      'hint',
      { setup, moves, seconds, planner: planner || undefined, seed: moves.length },
      show,
      signal,
    );
    show(hint);
    const best = hint.moves[hint.best];
    if (!best || best.again) {
      this.done = true;
      this.meter.textContent = hint.lost ?? t('Nothing new can be reached: the planner gives up.');
      return;
    }
    if (Number.isFinite(hint.value)) this.game.note(hint.value, hint.measure);
    await this.game.playAll(best.moves);
  }

  close() {
    this.closed = true;
    this.board.close();
  }
}

export async function watch(main, _page, query) {
  const list = await games();
  const asked = parts(query);
  const said = (key) => (asked[key] ? decodeURIComponent(asked[key]) : undefined);
  /** What a game without words of its own is called. */
  const called = (text) => list.find((info) => info.name === text)?.title ?? text;
  const kinds = (info) => choices(info).map(([value, text]) => el('option', { value }, text));
  const game = el(
    'select',
    { 'aria-label': t('game'), onchange: () => begin() },
    list.flatMap((info) =>
      info.variants.length ? [el('optgroup', { label: info.title }, kinds(info))] : kinds(info),
    ),
  );
  if (said('game')) {
    if (![...game.options].some((o) => o.value === said('game')))
      game.append(el('option', { value: said('game') }, called(said('game'))));
    game.value = said('game');
  }
  const deal = el('input', {
    type: 'text',
    class: 'deal',
    'aria-label': t('deal'),
    value: said('deal') ?? 'seed:7',
    onchange: () => begin(),
  });
  const mode = choice(
    t('who plays'),
    [
      ['one', t('one planner')],
      ['two', t('two side by side')],
      ['against', t('two against each other')],
    ],
    said('mode') ?? 'one',
    () => begin(),
  );
  const pace = choice(
    t('time per move'),
    [0.1, 0.3, 1, 5].map((s) => [s, t('{s} s a move', { s })]),
    0.3,
  );
  const run = el(
    'button',
    { type: 'button', class: 'main', onclick: () => toggle() },
    sign('play'),
    t('Play'),
  );
  const step = el('button', { type: 'button', onclick: () => once() }, sign('step'), t('Step'));
  const pair = el('div', { class: 'pair' });
  main.replaceChildren(
    el(
      'div',
      { class: 'tools watch-tools', role: 'toolbar', 'aria-label': t('watch') },
      game,
      deal,
      mode,
      el('span', { class: 'gap' }),
      pace,
      step,
      run,
    ),
    pair,
  );
  let panes = [];
  let abort = null;
  let running = false;
  let first = [said('planner'), said('other')];

  function remember() {
    const names = panes.flatMap((p) => p.fields.map((f) => f.value));
    const more = names.map((name, i) => `&${i ? 'other' : 'planner'}=${encodeURIComponent(name)}`).join('');
    history.replaceState(
      null,
      '',
      `${link('watch', { game: game.value, deal: deal.value.trim() })}&mode=${mode.value}${more}`,
    );
  }
  // Whoever goes away or chooses another game waits for nothing: what is answered then is too late.
  let begun = 0;
  async function begin() {
    const mine = (begun += 1);
    stop();
    for (const pane of panes) pane.close();
    const wanted = [(view) => first[0] ?? suits(view), (view) => first[1] ?? rival(view)];
    panes = { one: [[wanted[0]]], two: [[wanted[0]], [wanted[1]]], against: [wanted] }[mode.value].map(
      (w, i) => new Pane(String(i + 1), w),
    );
    pair.replaceChildren(...panes.map((p) => p.node));
    deal.title = deals(named(list, game.value));
    const setup = { game: game.value, deal: deal.value.trim() || '1' };
    try {
      await Promise.all(panes.map((p) => p.open(setup)));
    } catch (error) {
      if (mine === begun) toast(error.message);
    }
    if (mine !== begun) return;
    first = [];
    for (const field of panes.flatMap((p) => p.fields)) field.addEventListener('change', remember);
    remember();
  }
  async function once() {
    abort = new AbortController();
    try {
      await Promise.all(panes.map((p) => p.step(Number(pace.value), abort.signal)));
    } catch (error) {
      if (error.name !== 'AbortError') {
        toast(error.message);
        running = false;
      }
    }
  }
  function stop() {
    running = false;
    abort?.abort();
    run.replaceChildren(sign('play'), t('Play'));
  }
  async function toggle() {
    if (running) {
      stop();
      return;
    }
    running = true;
    run.replaceChildren(sign('pause'), t('Pause'));
    while (running && panes.some((p) => !p.over)) {
      await once();
      await new Promise((r) => {
        setTimeout(r, 230);
      });
    }
    if (running) stop();
  }
  begin();
  return () => {
    begun += 1;
    stop();
    for (const pane of panes) pane.close();
  };
}
