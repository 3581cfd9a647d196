// A search one iteration at a time: selection, expansion, rollout, backup, forwards and back.
import { get, post } from './api.js';
import { Board } from './board.js';
import { choice, count, el, fixed, sign, toast } from './dom.js';
import { forest } from './forest.js';
import { Game, link, parse, parts } from './game.js';
import { choices, games } from './games.js';
import { t } from './words.js';

const PHASES = ['Selection', 'Expansion', 'Rollout', 'Backup'];
const SAID = {
  Selection:
    'From the root down, the action with the highest sum of value and exploration term is taken, until a leaf of the tree is reached. An action that was never tried comes first.',
  Expansion: 'The position that was reached is added to the tree.',
  Rollout: 'From there the game is played on, or the position is valued at once: that gives a result.',
  Backup:
    'On the way back every action that was taken counts the visit, and its value becomes the mean of the results.',
};

/** The tree before an iteration: the edges of every node that is there. */
class Story {
  constructor(trace) {
    this.trace = trace;
    this.born = trace.nodes.map(() => -1);
    trace.episodes.forEach((e, k) => {
      if (e.added !== null) this.born[e.added] = k;
    });
    // Nodes of which no iteration says that it added them came with the one that first met them.
    trace.episodes.forEach((e, k) =>
      e.path.forEach((n) => {
        if (n > 0 && this.born[n] < 0) this.born[n] = k;
      }),
    );
    /** Per node: what its edges were after which iteration. */
    this.edges = trace.nodes.map(() => []);
    trace.episodes.forEach((e, k) => e.path.forEach((n, i) => this.edges[n].push([k, e.edges[i]])));
  }

  at(node, k) {
    const list = this.edges[node];
    let found = [];
    for (const [when, edges] of list) {
      if (when >= k) break;
      found = edges;
    }
    return found;
  }

  visits(node, k) {
    return this.at(node, k).reduce((n, e) => n + e.visits, 0);
  }
}

export async function teach(main, _page, query) {
  const list = await games();
  let planners = [];
  const asked = parts(query);
  const game = new Game();
  let story = null;
  let at = Number(asked.step ?? 0);
  let timer = null;

  // ---- controls ----
  const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);
  const kinds = list.flatMap((info) =>
    choices(info).map(([value, text]) => [value, info.variants.length ? `${info.title}: ${text}` : text]),
  );
  const lessons = () => list.filter((info) => info.lesson).map((info) => [info.lesson, 'seed:1']);
  const kind = el('input', {
    type: 'text',
    list: 'tree-games',
    'aria-label': t('game'),
    onchange: () => open({ game: kind.value.trim(), deal: deal.value.trim() || undefined }),
  });
  const names = el(
    'datalist',
    { id: 'tree-games' },
    [...lessons(), ...kinds].map(([value]) => el('option', { value })),
  );
  const deal = el('input', {
    type: 'text',
    class: 'deal',
    'aria-label': t('deal'),
    value: 'seed:1',
    onchange: () => open({ game: kind.value.trim(), deal: deal.value.trim() || undefined }),
  });
  const planner = choice(t('planner'), [], '', () => {
    dials();
    run();
  });
  const seed = el('input', {
    type: 'number',
    min: '0',
    value: asked.seed ?? '0',
    'aria-label': t('seed'),
    onchange: () => run(),
  });
  const many = slider(t('iterations'), 1, 300, 1, Number(asked.n ?? 40), () => run());
  const box = el('div', { class: 'dials' });
  const host = el('div', { class: 'host' });
  const board = new Board(host, (name) => game.play(name).then(run).catch(complain));
  const back = button(t('Undo'), () => game.undo().then(run).catch(complain));
  const toMove = el('p', { class: 'soft', role: 'status' });
  const drawing = el('div', { class: 'forest', tabindex: '0', 'aria-label': t('search tree') });
  const head = el('h2', {});
  const why = el('p', {});
  const table = el('div', {});
  const hover = el('pre', { class: 'soft node-text' });
  const bar = el('input', {
    type: 'range',
    min: '0',
    max: '0',
    value: '0',
    'aria-label': t('step'),
    oninput: () => go(Number(bar.value)),
  });
  const run1 = button(sign('play'), () => play(), { 'aria-label': t('play') });
  const steps = el(
    'div',
    { class: 'row steps-row', role: 'toolbar', 'aria-label': t('steps') },
    button('|◀', () => go(0), { 'aria-label': t('first') }),
    button('◀◀', () => go(at - 4), { 'aria-label': t('iteration back') }),
    button('◀', () => go(at - 1), { 'aria-label': t('step back') }),
    run1,
    button('▶', () => go(at + 1), { 'aria-label': t('step on') }),
    button('▶▶', () => go(at + 4), { 'aria-label': t('iteration on') }),
    button('▶|', () => go(Infinity), { 'aria-label': t('last') }),
    bar,
  );
  const share = button(t('Share'), async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t('The link is copied.'));
    } catch {
      toast(location.href);
    }
  });
  main.replaceChildren(
    el(
      'div',
      { class: 'teach' },
      el(
        'div',
        { class: 'tools', role: 'toolbar', 'aria-label': t('search tree') },
        kind,
        names,
        deal,
        planner,
        el('label', { class: 'check' }, t('seed'), seed),
        el('span', { class: 'gap' }),
        share,
      ),
      el(
        'div',
        { class: 'teach-columns' },
        el('section', { class: 'panel tree-panel', 'aria-label': t('search tree') }, steps, drawing),
        el(
          'div',
          { class: 'side' },
          el('section', { class: 'panel', 'aria-label': t('this step'), role: 'region' }, head, why, table),
          el(
            'section',
            { class: 'panel', 'aria-label': t('ingredients') },
            el('h2', {}, t('Ingredients')),
            many,
            box,
          ),
          el(
            'section',
            { class: 'panel', 'aria-label': t('position') },
            el('header', {}, el('h2', {}, t('Position')), back),
            toMove,
            host,
            hover,
          ),
        ),
      ),
    ),
  );
  let closed = false;
  const complain = (error) => closed || toast(error.message);

  function slider(text, min, max, step, value, change) {
    const out = el('output', {}, String(value));
    const input = el('input', {
      type: 'range',
      min: String(min),
      max: String(max),
      step: String(step),
      'aria-label': text,
      onchange: () => change(),
      oninput: () => {
        out.textContent = input.value;
      },
    });
    input.value = String(value);
    const node = el('label', { class: 'dial' }, el('span', {}, text), input, out);
    node.input = input;
    return node;
  }

  // ---- the planner's parameters, each with what suits it ----
  let made = [];
  function dials(given = {}) {
    const info = planners.find((p) => p.name === planner.value);
    const can = (info?.parameters ?? []).filter((p) => !['iterations', 'trees'].includes(p.name));
    made = can.map((p) => {
      const value = given[p.name] ?? p.default;
      const number = Number(value);
      let input;
      if (p.words?.length)
        input = choice(
          p.name,
          p.words.map((w) => [w, w]),
          value,
          () => run(),
        );
      else if (value === 'true' || value === 'false')
        input = choice(
          p.name,
          [
            ['true', t('yes')],
            ['false', t('no')],
          ],
          value,
          () => run(),
        );
      else if (/number/.test(p.kind) && Number.isFinite(number)) {
        const top = p.max ?? Math.max(3, 4 * Math.abs(number));
        const whole = /whole/.test(p.kind);
        const dial = slider(p.name, p.min ?? 0, top, whole ? 1 : top / 100, number, () => run());
        dial.title = p.meaning;
        // Where it stands may not be a step of the slider: until it is moved it is what was given.
        const first = dial.input.value;
        return { p, node: dial, value: () => (dial.input.value === first ? value : dial.input.value) };
      } else input = el('input', { type: 'text', value, 'aria-label': p.name, onchange: () => run() });
      return {
        p,
        node: el('label', { class: 'dial', title: p.meaning }, el('span', {}, p.name), input),
        value: () => input.value,
      };
    });
    const main = made.slice(0, 3).map((m) => m.node);
    const rest = made.slice(3).map((m) => m.node);
    box.replaceChildren(
      ...main,
      rest.length > 0 ? el('details', {}, el('summary', { class: 'soft' }, t('more')), ...rest) : '',
    );
  }
  const string = () => {
    const set = made
      .filter((m) => m.value() !== m.p.default && Number(m.value()) !== Number(m.p.default))
      .map((m) => `${m.p.name}=${m.value()}`);
    return set.length ? `${planner.value}(${set.join(', ')})` : planner.value;
  };
  /** The name and the arguments of a planner's string. */
  const read = (text) => {
    const [, name = text, inner = ''] = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/.exec(text) ?? [];
    return [
      name,
      Object.fromEntries(
        inner
          .split(',')
          .filter((x) => x.includes('='))
          .map((x) => x.split('=').map((y) => y.trim())),
      ),
    ];
  };

  // ---- the search ----
  let number = 0;
  async function run() {
    if (closed) return;
    const mine = (number += 1);
    const body = {
      setup: game.setup,
      moves: game.moves,
      planner: string(),
      iterations: Number(many.input.value),
      seed: Number(seed.value) || 0,
      seconds: 10,
    };
    drawing.setAttribute('aria-busy', 'true');
    try {
      const trace = await post('trace', body);
      if (closed || mine !== number) return;
      story = trace.episodes.length && trace.nodes.length > 1 ? new Story(trace) : null;
      if (!story)
        drawing.replaceChildren(
          el(
            'p',
            { class: 'soft' },
            trace.episodes.length
              ? t('{planner} keeps no tree.', { planner: trace.planner })
              : t('{planner} searched nothing here: there is no tree.', { planner: trace.planner }),
          ),
        );
      bar.max = String(Math.max(0, 4 * trace.episodes.length));
      go(at);
    } catch (error) {
      complain(error);
    } finally {
      drawing.removeAttribute('aria-busy');
    }
  }
  async function open(setup, moves = []) {
    try {
      if (!planners.length) ({ planners } = await get('planners'));
      await game.open(setup, moves);
      if (closed) return;
      const fit = game.view.planners.filter((p) => planners.some((q) => q.name === p));
      const [wanted, given] = read(
        asked.planner ? decodeURIComponent(asked.planner) : fit.includes('uct') ? 'uct' : game.view.planner,
      );
      const now = fit.includes(planner.value) && !asked.planner ? planner.value : wanted;
      planner.replaceChildren(...fit.map((p) => el('option', { value: p, selected: p === now }, p)));
      dials(given);
      asked.planner = undefined;
      kind.value = setup.game;
      deal.value = setup.deal ?? '';
      await run();
    } catch (error) {
      complain(error);
    }
  }
  game.addEventListener('change', ({ detail }) => {
    if (closed) return;
    board.show(game.shown, detail);
    back.disabled = !game.moves.length;
  });

  // ---- one step ----
  function go(to) {
    if (!story) {
      remember();
      return;
    }
    at = Math.max(0, Math.min(to, Number(bar.max)));
    bar.value = String(at);
    const { trace } = story;
    const k = Math.min(Math.floor(at / 4), trace.episodes.length - 1);
    const done = at >= 4 * trace.episodes.length;
    const phase = done ? 'Backup' : PHASES[at % 4];
    const episode = trace.episodes[k];
    const after = done || phase === 'Backup';
    head.textContent = t('Iteration {n} of {all}: {phase}', {
      n: k + 1,
      all: trace.episodes.length,
      phase: t(phase),
    });
    why.textContent =
      t(SAID[phase]) +
      (phase === 'Rollout' && episode.result !== null
        ? ` ${t('It took {n} calls of the model; the result is {value}.', { n: episode.rollout, value: fixed(episode.result, 3) })}`
        : '');
    table.replaceChildren(...tables(episode, k, phase));
    const two = trace.nodes.some((n) => n.minimising);
    const mover = (node) => (two ? (node.minimising ? t('MIN is to move') : t('MAX is to move')) : '');
    const seen = trace.nodes.map(
      (_, i) => i === 0 || story.born[i] < k || (story.born[i] === k && (after || phase !== 'Selection')),
    );
    drawing.replaceChildren(
      forest({
        trace,
        seen,
        path: episode.path,
        phase,
        episode,
        edges: (n) => story.at(n, after ? k + 1 : k),
        two,
        hover: (i) => {
          hover.textContent =
            i === null ? '' : [mover(trace.nodes[i]), trace.nodes[i].text].filter(Boolean).join('\n');
        },
      }),
    );
    // Of a tree that is wider than its place the end of the way is seen.
    const end = [...drawing.querySelectorAll('.node.taken')].at(-1)?.getBoundingClientRect();
    const frame = drawing.getBoundingClientRect();
    if (end) drawing.scrollBy({ left: end.left + end.width / 2 - frame.left - frame.width / 2 });
    toMove.textContent = mover(trace.nodes[0]);
    remember();
  }
  /** At every node of the way, what was compared. */
  function tables(episode, k, phase) {
    const { trace } = story;
    const sum = (e, node) => (node.minimising ? -e.value : e.value) + (e.bonus ?? 0);
    return episode.path.flatMap((n, i) => {
      const before = story.at(n, k);
      const now = story.at(n, k + 1);
      const next = episode.path[i + 1];
      const taken = next === undefined ? grown(before, now) : trace.nodes[next].action;
      if (!taken || !now.length || (phase !== 'Backup' && !before.length && i > 0)) return [];
      const node = trace.nodes[n];
      const rows = (phase === 'Backup' ? now : before)
        .toSorted((a, b) => sum(b, node) - sum(a, node))
        .slice(0, 12);
      const cell = (v) => el('td', {}, v === null || v === undefined ? '–' : fixed(v, 3));
      const row = (e) =>
        el(
          'tr',
          { class: e.action === taken ? 'taken' : '' },
          el('th', { scope: 'row' }, e.action),
          el('td', {}, count(e.visits)),
          cell(e.value),
          cell(e.bonus),
          cell(e.bonus === null ? null : sum(e, node)),
        );
      const fresh = !before.some((e) => e.action === taken);
      return [
        el('h3', {}, i === 0 ? t('at the root') : t('after {action}', { action: node.action })),
        el(
          'table',
          { class: 'list compare' },
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              ['action', 'n', 'Q', '', ''].map((_c, j) =>
                el('th', { scope: 'col' }, [t('action'), 'n', 'Q', t('exploration'), t('sum')][j]),
              ),
            ),
          ),
          el('tbody', {}, rows.map(row)),
        ),
        fresh && phase === 'Selection'
          ? el(
              'p',
              { class: 'soft small' },
              t('{action} was never tried: it comes first.', { action: taken }),
            )
          : '',
      ];
    });
  }
  const grown = (before, now) =>
    now.find((e) => (before.find((b) => b.action === e.action)?.visits ?? 0) < e.visits)?.action;
  function play() {
    if (timer) {
      clearInterval(timer);
      timer = null;
      run1.replaceChildren(sign('play'));
      return;
    }
    run1.replaceChildren(sign('pause'));
    timer = setInterval(() => {
      if (at >= Number(bar.max)) play();
      else go(at + 1);
    }, 900);
  }
  function remember() {
    const more = `&planner=${encodeURIComponent(string())}&n=${many.input.value}&seed=${seed.value}&step=${at}`;
    history.replaceState(null, '', link('tree', game.setup, game.moves) + more);
    document.title = `${t('Search tree')} · Patience`;
  }
  const press = (event) => {
    if (event.target.matches('input, textarea, select')) return;
    const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 4, PageUp: -4 }[event.key];
    if (!by) return;
    go(at + by);
    event.preventDefault();
  };
  drawing.addEventListener('keydown', press);

  let linked = null;
  try {
    linked = parse(query);
  } catch (error) {
    complain(error);
  }
  const [[first, firstDeal] = [kinds[0][0], 'seed:1']] = [lessons()[0]];
  open(linked?.setup ?? { game: first, deal: firstDeal }, linked?.moves ?? []);
  return () => {
    closed = true;
    clearInterval(timer);
    board.close();
  };
}
