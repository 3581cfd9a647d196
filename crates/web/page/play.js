// A game to play: the board, the tools around it, hints, the graph, and the solver.
import { get, post } from './api.js';
import { Board } from './board.js';
import { dialog, el, sign, toast } from './dom.js';
import { Game, parse } from './game.js';
import { values } from './graph.js';
import { Hints } from './hints.js';
import { Solve } from './solve.js';

const nice = (name) => ({ 'bakers-game': "Baker's Game", freecell: 'FreeCell', forecell: 'ForeCell' }[name]
  ?? (/^freecell-\d$/.test(name) ? `FreeCell, ${name.at(-1)} cells` : name.split('-').map((w) => w[0].toUpperCase() + w.slice(1)).join(' ').replace('Freecell', 'FreeCell')));

/** The kinds of a game, as strings that the server understands. */
function kinds(page, info) {
  switch (page) {
    case 'klondike': return [['klondike(draw=3)', 'Three cards'], ['klondike(draw=1)', 'One card'], ['klondike(draw=2)', 'Two cards'], ['klondike(draw=3, view=strict, redeals=2, scoring=vegas)', 'Las Vegas']];
    case 'freecell': return info.presets.map((p) => [p === 'freecell' ? 'freecell' : `freecell(rules=${p})`, nice(p)]);
    case 'samegame': return [['samegame', 'SameGame'], ['samegame(rewards=bubblebreaker)', 'Bubble Breaker'], ['samegame(rewards=clickomania)', 'Clickomania'], ['samegame(width=10, height=10, colours=4)', 'Small']];
    default: return info.games.filter((g) => !['klondike', 'freecell', 'samegame'].includes(g.name)).map((g) => [g.name, g.name]);
  }
}

const KEYS = [
  ['Arrows', 'move over the table'], ['Enter', 'take a card, put it down'], ['F', 'send the card home'], ['T', 'turn the stock'],
  ['H', 'hint'], ['Shift+H', 'play the hint'], ['U', 'undo (also Ctrl+Z)'], ['R', 'redo (also Ctrl+Y)'], ['N', 'new game'], ['?', 'these keys'],
];

const random = () => crypto.getRandomValues(new Uint32Array(1))[0];
let info;

export async function play(main, page, query) {
  info ??= await get('games');
  const game = new Game();
  const list = kinds(page, info);
  const host = el('div', {});
  const board = new Board(host, (name) => game.play(name).catch(complain));
  const planners = info.games.find((g) => g.name === page)?.planners ?? [];
  const hints = new Hints(game, board, page === 'freecell' ? ['distance', ...planners] : planners, ['klondike', 'freecell'].includes(page));
  const solve = ['freecell', 'samegame'].includes(page) ? new Solve(game) : null;
  const complain = (error) => toast(error.message);

  // ---- tools ----
  const kind = el('select', { 'aria-label': 'kind of game', onchange: () => fresh() }, list.map(([value, text]) => el('option', { value }, text)));
  const winnable = el('input', { type: 'checkbox' });
  const number = el('input', { type: 'text', class: 'deal', 'aria-label': 'deal', title: page === 'klondike' ? 'seed:7, or a canonical number below 52!' : 'a number', onchange: () => open({ game: kind.value, deal: number.value.trim() }) });
  const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);
  const undo = el('button', { type: 'button', onclick: () => game.undo().catch(complain), title: 'U', 'aria-label': 'Undo' }, sign('undo'), el('span', { class: 'word' }, 'Undo'));
  const redo = el('button', { type: 'button', onclick: () => game.redo().catch(complain), title: 'R', 'aria-label': 'Redo' }, sign('redo'), el('span', { class: 'word' }, 'Redo'));
  const tools = el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'game' },
    button('New', () => fresh(), { class: 'main', title: 'N' }), kind, number,
    ['klondike', 'freecell'].includes(page) && el('label', { class: 'check' }, winnable, 'winnable'),
    undo, redo,
    ['klondike', 'freecell'].includes(page) && button('Home', () => home(), { title: 'send home all that can go' }),
    el('span', { class: 'gap' }),
    button('Position', () => positions(), { title: 'copy, paste or load a position' }), button('Share', () => share()), button('?', () => keys(), { 'aria-label': 'keys' }));
  const title = el('h1', {});
  const made = el('span', { class: 'soft' });
  const score = el('span', {});
  const chart = el('div', {});
  const graph = el('section', { class: 'panel', 'aria-label': 'value over the game' }, el('header', {}, el('h2', {}, 'The game so far'), el('span', { class: 'soft small' }, 'click to go there')), chart);
  const side = el('aside', { class: 'side' }, hints.node, graph, solve?.node);
  main.replaceChildren(el('div', { class: 'play' }, el('div', {}, tools, el('div', { class: 'status' }, title, made, score), host), side));

  // ---- what changes ----
  const draw = () => chart.replaceChildren(values(game, game.view.measure, (i) => game.go(i).catch(complain)));
  const changed = ({ detail }) => {
    const { view } = game;
    board.show(view, detail);
    title.textContent = view.title;
    made.textContent = `${game.moves.length} moves`;
    score.replaceChildren(page === 'samegame' || view.game.includes('vegas') ? 'Score ' : page === 'other' ? 'Result ' : 'Home ', el('b', {}, String(view.score)));
    score.hidden = view.score === null;
    undo.disabled = game.moves.length === 0;
    redo.disabled = game.future.length === 0;
    if (document.activeElement !== number) number.value = game.setup.deal ?? '';
    if (![...kind.options].some((o) => o.value === game.setup.game)) kind.append(el('option', { value: game.setup.game }, game.setup.game));
    kind.value = game.setup.game;
    history.replaceState(null, '', game.link());
    document.title = `${view.title} · Patience`;
    if (view.standing === 'won') game.note(view.measure === 'win_probability' ? 1 : view.measure === 'steps_to_go' ? 0 : NaN);
    draw();
  };
  game.addEventListener('change', changed);
  game.addEventListener('value', draw);

  const open = (setup, moves) => game.open(setup, moves).catch(complain);
  async function fresh() {
    try {
      if (winnable.checked) toast('Looking for a deal that can be won …');
      const { setup } = await post('deal', { game: kind.value, seed: random(), winnable: winnable.checked });
      await game.open(setup);
    } catch (error) { complain(error); }
  }
  async function home() {
    for (;;) {
      const move = game.view.legal.find((l) => /^f[CDHS]$/.test(l.to ?? '') && l.from !== l.to);
      if (!move || game.view.standing !== 'open') return;
      try { await game.play(move.name); } catch (error) { complain(error); return; }
    }
  }
  async function share() {
    const link = location.href.split('#')[0] + game.link();
    try { await navigator.clipboard.writeText(link); toast('The link to this position is copied.'); } catch {
      dialog('Link to this position', el('textarea', { readOnly: true, rows: 5 }, link), el('menu', {}, el('button', {}, 'Close')));
    }
  }
  function positions() {
    const text = el('textarea', { rows: 11, spellcheck: false, 'aria-label': 'position' });
    text.value = game.view.text;
    const file = el('input', { type: 'file', 'aria-label': 'load a file', onchange: async () => { text.value = await file.files[0].text(); } });
    const wrong = el('p', { class: 'lost', hidden: true, role: 'alert' });
    const formats = { klondike: 'Solvitaire JSON, PySol text or 52×RRS', freecell: 'one column per line, with lines for foundations and cells', samegame: 'rows of digits from the top, “.” where there is no tile' }[page] ?? 'the game’s own text';
    const box = dialog('Position', el('p', { class: 'soft small' }, `As the player sees it. Paste or load another: ${formats}. Unknown cards are ??.`), text, file, wrong,
      el('menu', {}, el('button', { type: 'button', onclick: () => { navigator.clipboard?.writeText(text.value); toast('Copied.'); } }, 'Copy'), el('button', { value: 'no' }, 'Close'),
        el('button', { type: 'button', class: 'main', onclick: async () => {
          try { await game.open({ game: kind.value, position: text.value }); box.close(); } catch (error) { wrong.hidden = false; wrong.textContent = error.message; }
        } }, 'Play from here')));
  }
  const keys = () => dialog('Keys', el('dl', { class: 'keys' }, KEYS.flatMap(([k, what]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, what)])), el('menu', {}, el('button', {}, 'Close')));

  const press = (event) => {
    if (event.target.matches('input, textarea, select') || document.querySelector('dialog[open]')) return;
    const key = event.key.toLowerCase();
    const control = event.ctrlKey || event.metaKey;
    if (control && key === 'z') (event.shiftKey ? game.redo() : game.undo()).catch(complain);
    else if (control && key === 'y') game.redo().catch(complain);
    else if (control || event.altKey) return;
    else if (key === 'u') game.undo().catch(complain);
    else if (key === 'r') game.redo().catch(complain);
    else if (key === 'h' && event.shiftKey) { const best = hints.last?.moves[hints.last.best]; if (best) hints.play(best); else hints.run(); }
    else if (key === 'h') hints.run();
    else if (key === 't') board.turn();
    else if (key === 'n') fresh();
    else if (key === '?') keys();
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', press);

  const linked = parse(query);
  if (linked) await open(linked.setup, linked.moves);
  if (!game.view) {
    if (page === 'freecell') await open({ game: 'freecell', deal: '1' });
    else if (page === 'klondike') await open({ game: list[0][0], deal: `seed:${random()}` });
    else await open({ game: list[0][0], deal: String(1 + random() % 1e6) });
  }
  return () => {
    removeEventListener('keydown', press);
    hints.close();
    solve?.close();
    board.close();
  };
}
