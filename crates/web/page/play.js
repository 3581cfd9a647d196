// A game to play: the table, the tools around it, advice beside it.
import { post, Unreachable } from './api.js';
import { Board } from './board.js';
import { Course } from './course.js';
import { announce, choice, clock, el, figure, menu, sign, styles, toast } from './dom.js';
import { Game, parse } from './game.js';
import { choices, deals, games, named, pageOf } from './games.js';
import * as memory from './memory.js';
import { moved, t } from './words.js';

const sound = async (name) => {
  if (memory.settings.sound) (await import('./sound.js')).sound(name);
};

const random = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** How hard new deals are: what is asked of the server for each. */
const difficulties = () => [
  ['any', t('any deal')],
  ['winnable', t('winnable')],
  ['easy', t('easy')],
  ['medium', t('medium')],
  ['hard', t('hard')],
];

export async function play(main, page, query) {
  const list = await games();
  const kinds = list.filter((info) => pageOf(list, info.name) === page).flatMap(choices);
  const game = new Game();
  const about = () => named(list, game.setup?.game ?? kinds[0][0]);
  const complain = (error) => toast(error.message);
  const host = el('div', { class: 'host fit' });
  const board = new Board(host, (name) => mine(name));
  // Advice is asked for when the table is seen.
  let hints = null;
  let solve = null;
  let values = null;
  const course = new Course(game, page);

  // ---- tools ----
  const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);
  const tool = (name, text, act, extra = {}) =>
    el(
      'button',
      { type: 'button', class: 'tool', onclick: act, 'aria-label': text, ...extra },
      sign(name),
      el('span', { class: 'word' }, text),
    );
  const kind = choice(t('kind of game'), kinds, kinds[0][0], () => fresh());
  const hard = choice(t('difficulty'), difficulties(), memory.note('difficulty') ?? 'any', (value) =>
    memory.keep('difficulty', value),
  );
  const number = el('input', {
    type: 'text',
    class: 'deal',
    'aria-label': t('deal'),
    onchange: () => dealt(),
  });
  const gather = tool('home', t('Home'), () => home(), { title: t('send home all that can go') });
  const undo = tool('undo', t('Undo'), () => game.undo().catch(complain), { title: 'U' });
  const redo = tool('redo', t('Redo'), () => game.redo().catch(complain), { title: 'R' });
  const hint = tool('bulb', t('Hint'), () => hints?.run(), { title: 'H', class: 'tool narrow' });
  const more = menu(t('more'), sign('more'), () => [
    [t('Deal of the day'), () => daily()],
    memory.before(page).length > 0 && [t('Games before'), () => earlier()],
    [t('Restart'), () => game.go(0).catch(complain)],
    [t('Review this game'), () => review()],
    [t('Statistics'), async () => (await import('./stats.js')).stats(list, game.setup.game)],
    [t('Settings'), async () => (await import('./settings.js')).show()],
    [t('Position'), () => positions()],
    [t('Share'), () => share()],
    [t('Keys'), () => keys()],
  ]);
  const tools = el(
    'div',
    { class: 'tools', role: 'toolbar', 'aria-label': t('game') },
    tool('plus', t('New'), () => fresh(), { class: 'main tool', title: 'N' }),
    undo,
    redo,
    gather,
    hint,
    el('span', { class: 'setup' }, kind, number, hard),
    el('span', { class: 'gap' }),
    more,
  );
  const title = el('h1', {});
  const made = el('span', { class: 'soft' });
  const score = el('span', {});
  const time = el('span', { class: 'soft', 'aria-label': t('time') });
  const status = el('div', { class: 'status' }, title, made, score, time);
  const banner = el(
    'div',
    { class: 'banner', hidden: true, role: 'status' },
    el('span', {}, t('You are looking at another line.')),
    button(t('Back to my game'), () => game.back().catch(complain)),
  );
  const chart = el('div', {});
  const graph = el(
    'section',
    { class: 'panel', 'aria-label': t('value over the game') },
    el(
      'header',
      {},
      el('h2', {}, t('The game so far')),
      button(t('Review'), () => review(), { title: t('what every move cost') }),
    ),
    chart,
  );
  const side = el('aside', { class: 'side', 'aria-label': t('advice') }, graph);
  main.replaceChildren(
    el('div', { class: 'play' }, el('div', { class: 'table' }, tools, status, banner, host), side),
  );
  document.body.classList.add('full');

  // ---- what changes ----
  const draw = () => {
    if (values) chart.replaceChildren(values(game, game.measure, (i) => game.go(i).catch(complain)));
  };
  const tick = () => {
    time.textContent = memory.settings.timer ? clock(course.seconds) : '';
  };
  const changed = ({ detail }) => {
    if (closed) return;
    made.textContent = moved(game.moves.length + game.ahead.length);
    if (detail.guess) {
      course.save();
      board.show(game.shown, detail);
      return;
    }
    const { view } = game;
    title.textContent = view.title;
    if (Number.isFinite(view.score))
      score.replaceChildren(`${view.scored} `, el('b', {}, figure(view.score)));
    else score.replaceChildren();
    hard.hidden = !view.solvers.prove;
    for (const option of hard.options)
      option.hidden = !(about()?.yardstick || ['any', 'winnable'].includes(option.value));
    gather.hidden = !homes().size;
    if (solve) solve.node.hidden = !view.solvers.solve;
    undo.disabled = game.moves.length === 0;
    redo.disabled = game.future.length === 0;
    banner.hidden = !game.kept;
    tick();
    // What stands above the table is there, so that its place is known.
    board.show(game.shown, detail);
    number.title = deals(about());
    if (document.activeElement !== number) number.value = game.setup.deal ?? '';
    if (![...kind.options].some((o) => o.value === game.setup.game))
      kind.append(el('option', { value: game.setup.game }, view.title));
    kind.value = game.setup.game;
    history.replaceState(null, '', game.link(pageOf(list, game.setup.game)));
    document.title = `${view.title} · Patience`;
    if (view.standing === 'won') game.note({ win_probability: 1, steps_to_go: 0 }[game.measure]);
    draw();
    tick();
    const records = course.changed(detail);
    ending(records);
  };
  game.addEventListener('change', changed);
  game.addEventListener('value', draw);
  const timer = setInterval(tick, 1000);

  let closed = false;
  /** Advice, the curve and the solver beside the table. */
  async function advise() {
    const [advice, curve, solver] = await Promise.all([
      import('./hints.js'),
      import('./graph.js'),
      import('./solve.js'),
      styles(),
    ]);
    if (closed) return;
    hints = new advice.Hints(game, board);
    solve = new solver.Solve(game);
    values = curve.values;
    side.prepend(hints.node);
    side.append(solve.node);
    if (!game.view) return;
    solve.node.hidden = !game.view.solvers.solve;
    hints.fit();
    draw();
  }

  /** What stands over the table when the game is at its end. */
  function ending(records) {
    host.querySelector('.win')?.remove();
    const { view } = game;
    if (view.standing === 'open') return;
    const won = view.standing === 'won';
    const said = won ? t('Won!') : t('No move is left.');
    const row = memory.statsOf(game.setup.game);
    const day = course.day && won ? t('{n} days in a row', { n: memory.dayStreak(game.setup.game) }) : null;
    const names = {
      fewest: t('fewest moves so far'),
      fastest: t('fastest so far'),
      best: t('best score so far'),
    };
    const facts = [
      `${view.scored}: ${figure(view.score)}`,
      moved(game.moves.length),
      memory.settings.timer && course.seconds > 0 && clock(course.seconds),
      won && row.streak > 1 && t('{n} won in a row', { n: row.streak }),
      day,
    ].filter(Boolean);
    host.append(
      el(
        'div',
        { class: 'win' },
        el(
          'div',
          { class: 'ending' },
          el('strong', {}, said),
          el('p', {}, facts.join(' · ')),
          records.length > 0 && el('p', { class: 'record' }, records.map((r) => names[r]).join(', ')),
          el(
            'div',
            { class: 'row' },
            button(t('New'), () => fresh(), { class: 'main' }),
            button(t('Review'), () => review()),
            button(t('Share'), () => share()),
          ),
        ),
      ),
    );
    if (records.first) {
      announce(said);
      if (won) {
        sound('win');
        import('./win.js').then(({ cheer }) => cheer(host));
      }
    }
  }

  // ---- moves ----

  /** A move of the player's own; what follows of itself follows. */
  async function mine(name) {
    const asked = (last += 1);
    sound('move');
    try {
      await game.play(name);
      if (asked === last) await follow(asked);
    } catch (error) {
      sound('no');
      complain(error);
    }
  }
  let last = 0;
  /** Cards that are safe go home, and a game that is decided is finished, if that is wanted. */
  async function follow(asked) {
    const names = () => {
      const { view } = game;
      if (view.standing !== 'open' || game.ahead.length) return [];
      if (memory.settings.finish && view.finish) return view.home;
      return memory.settings.safe ? (view.safe ?? []) : [];
    };
    while (asked === last && names().length) await lay(names, asked);
  }
  const lay = (names, asked) =>
    game.layAll(names, names().length > 6 ? 60 : 110, () => {
      if (asked === last) sound('home');
      return asked === last;
    });
  const homes = () =>
    new Set((game.view.scene.piles ?? []).filter((p) => p.kind === 'foundation').map((p) => p.id));
  async function home() {
    const asked = (last += 1);
    const names = () => (game.view.standing === 'open' ? (game.view.home ?? []) : []);
    try {
      // What was asked before stands in the queue: what can go home is known after it.
      await game.queue(async () => {});
      while (asked === last && names().length) await lay(names, asked);
    } catch (error) {
      complain(error);
    }
  }
  for (const name of ['undo', 'redo', 'go', 'open', 'explore', 'back']) {
    const act = game[name].bind(game);
    game[name] = (...args) => {
      last += 1;
      return act(...args);
    };
  }

  // ---- deals ----

  /** Another game takes the place of this one, which can be gone back to. */
  async function replace(opening, day) {
    const old = game.setup && { ...game.saved(), ...course.saved() };
    const going = old && game.view?.standing === 'open' && old.moves.length + old.ahead.length > 0;
    await opening();
    course.begin(day);
    if (!old) return;
    if (going) memory.left(old.setup.game);
    memory.putAway(page, old);
    if (going) toast(t('A new game. The other one is kept.'), [t('Go back'), () => again(0)]);
  }
  async function again(index) {
    const saved = memory.takeBack(page, index);
    if (!saved) return;
    try {
      if (game.setup) memory.putAway(page, { ...game.saved(), ...course.saved() });
      await resume(saved);
    } catch (error) {
      complain(error);
    }
  }
  /** Goes on with a saved game; moves that were on their way are made again. */
  async function resume(saved, moves = saved.moves, future = saved.future) {
    await game.open(saved.setup, moves, future, saved);
    course.resume(saved);
    if (saved.ahead?.length) game.playAll(saved.ahead).catch(() => {});
  }
  async function dealt() {
    const deal = number.value.trim();
    try {
      await replace(() => game.open({ game: kind.value, deal }));
    } catch (error) {
      complain(error);
      number.value = game.setup?.deal ?? '';
    }
  }
  async function fresh() {
    const wanted = hard.hidden || [...hard.selectedOptions].some((o) => o.hidden) ? 'any' : hard.value;
    try {
      if (wanted !== 'any') toast(t('Looking for such a deal …'));
      const asked = { game: kind.value, seed: random() };
      if (wanted === 'winnable') asked.winnable = true;
      else if (wanted !== 'any') asked.difficulty = wanted;
      const { setup } = await post('deal', asked);
      await replace(() => game.open(setup));
      sound('deal');
    } catch (error) {
      if (game.setup) kind.value = game.setup.game;
      complain(error);
    }
  }
  async function daily() {
    const day = memory.dayOf();
    try {
      const { setup } = await post('deal', {
        game: kind.value,
        seed: Number(day.replaceAll('-', '')),
        winnable: game.view?.solvers.prove ?? false,
      });
      await replace(() => game.open(setup), day);
      toast(t('The deal of {day}', { day: new Date().toLocaleDateString(document.documentElement.lang) }));
    } catch (error) {
      complain(error);
    }
  }
  // ---- dialogs ----
  const review = async () =>
    (await import('./review.js')).review(game, side, { page: pageOf(list, game.setup.game) });
  const talk = async (which, ...args) => (await import('./dialogs.js'))[which](...args);
  const share = () => talk('share', location.href.split('#')[0] + game.link(pageOf(list, game.setup.game)));
  const earlier = () => talk('earlier', list, memory.before(page), again);
  const positions = () =>
    talk('positions', game.view.text, about()?.positions ?? '', (position) =>
      replace(() => game.open({ game: kind.value, position })),
    );
  const keys = () => talk('keys');

  const press = (event) => {
    if (event.target.matches('input, textarea, select') || document.querySelector('dialog[open]')) return;
    const key = event.key.toLowerCase();
    const control = event.ctrlKey || event.metaKey;
    if (control && key === 'z') (event.shiftKey ? game.redo() : game.undo()).catch(complain);
    else if (control && key === 'y') game.redo().catch(complain);
    else if (control || event.altKey) return;
    else if (key === 'u') game.undo().catch(complain);
    else if (key === 'r') game.redo().catch(complain);
    else if (key === 'h' && event.shiftKey) {
      const best = hints?.last?.moves[hints.last.best];
      if (best) hints.play(best);
      else hints?.run();
    } else if (key === 'h') hints?.run();
    else if (key === 't') board.turn();
    else if (key === 'n') fresh();
    else if (key === '?') keys();
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', press);

  // ---- what to begin with: the link, else the game that was left, else a new one ----
  async function begin() {
    let linked;
    try {
      linked = parse(query);
    } catch {
      throw new Error(t('the link is cut or damaged'));
    }
    const saved = memory.game(page);
    const whole = (m, f = []) => JSON.stringify([...m, ...f]);
    if (linked) {
      // The link of the game that was left is that game, with all that was taken back.
      const same =
        saved &&
        JSON.stringify(saved.setup) === JSON.stringify(linked.setup) &&
        whole(saved.moves, saved.future).startsWith(whole(linked.moves).slice(0, -1));
      if (same) {
        const all = [...saved.moves, ...saved.future];
        await resume(saved, linked.moves, all.slice(linked.moves.length));
        return;
      }
      if (saved) memory.putAway(page, saved);
      await game.open(linked.setup, linked.moves);
      course.begin();
    } else if (saved) await resume(saved);
    else await fresh();
  }
  // Whoever leaves before the first answer leaves at once: `ends` waits for nothing.
  begin()
    .catch(refused)
    .then(advise)
    .catch((error) => closed || complain(error));
  return ends;

  function refused(error) {
    if (closed) return;
    const saved = memory.game(page);
    if (error instanceof Unreachable && saved?.view && !query) {
      game.resume(saved);
      course.resume(saved);
      throw error;
    }
    // What a link says is kept as it is, so that whoever sent it can be asked.
    const wrong = el(
      'section',
      { class: 'panel wrong', role: 'alert' },
      el('h2', {}, t('This link cannot be opened')),
      el('p', {}, error.message),
      el(
        'div',
        { class: 'row' },
        button(t('New game'), () => fresh(), { class: 'main' }),
        memory.game(page) &&
          button(t('My last game'), () => {
            location.hash = `#/${page}`;
          }),
      ),
    );
    host.replaceChildren(wrong);
  }
  function ends() {
    removeEventListener('keydown', press);
    clearInterval(timer);
    document.body.classList.remove('full');
    course.close();
    closed = true;
    hints?.close();
    solve?.close();
    board.close();
  }
}
