// A game to play: the board, the tools around it, hints, the graph, and the solver.
import { post } from './api.js';
import { Board } from './board.js';
import { dialog, el, figure, sign, toast } from './dom.js';
import { Game, parse } from './game.js';
import { choices, deals, games, named, pageOf } from './games.js';
import { values } from './graph.js';
import { Hints } from './hints.js';
import { Solve } from './solve.js';

const KEYS = [
  ['Arrows', 'move over the table'], ['Enter', 'take a card, put it down'], ['F', 'send the card home'], ['T', 'turn the stock'],
  ['H', 'hint'], ['Shift+H', 'play the hint'], ['U', 'undo (also Ctrl+Z)'], ['R', 'redo (also Ctrl+Y)'], ['N', 'new game'], ['?', 'these keys'],
];

const random = () => crypto.getRandomValues(new Uint32Array(1))[0];

export async function play(main, page, query) {
  const list = await games();
  const kinds = list.filter((info) => pageOf(list, info.name) === page).flatMap(choices);
  const game = new Game();
  const about = () => named(list, game.setup.game);
  const host = el('div', {});
  const board = new Board(host, (name) => game.play(name).catch(complain));
  const hints = new Hints(game, board);
  const solve = new Solve(game);
  const complain = (error) => toast(error.message);

  // ---- tools ----
  const kind = el('select', { 'aria-label': 'kind of game', onchange: () => fresh() }, kinds.map(([value, text]) => el('option', { value }, text)));
  const winnable = el('input', { type: 'checkbox' });
  const provable = el('label', { class: 'check' }, winnable, 'winnable');
  const number = el('input', { type: 'text', class: 'deal', 'aria-label': 'deal', onchange: () => open({ game: kind.value, deal: number.value.trim() }) });
  const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);
  const gather = button('Home', () => home(), { title: 'send home all that can go' });
  const undo = el('button', { type: 'button', onclick: () => game.undo().catch(complain), title: 'U', 'aria-label': 'Undo' }, sign('undo'), el('span', { class: 'word' }, 'Undo'));
  const redo = el('button', { type: 'button', onclick: () => game.redo().catch(complain), title: 'R', 'aria-label': 'Redo' }, sign('redo'), el('span', { class: 'word' }, 'Redo'));
  const tools = el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'game' },
    button('New', () => fresh(), { class: 'main', title: 'N' }), kind, number,
    provable, undo, redo, gather,
    el('span', { class: 'gap' }),
    button('Position', () => positions(), { title: 'copy, paste or load a position' }), button('Share', () => share()), button('?', () => keys(), { 'aria-label': 'keys' }));
  const title = el('h1', {});
  const made = el('span', { class: 'soft' });
  const score = el('span', {});
  const chart = el('div', {});
  const graph = el('section', { class: 'panel', 'aria-label': 'value over the game' }, el('header', {}, el('h2', {}, 'The game so far'), el('span', { class: 'soft small' }, 'click to go there')), chart);
  const side = el('aside', { class: 'side' }, hints.node, graph, solve.node);
  main.replaceChildren(el('div', { class: 'play' }, el('div', {}, tools, el('div', { class: 'status' }, title, made, score), host), side));

  // ---- what changes ----
  const draw = () => chart.replaceChildren(values(game, game.measure, (i) => game.go(i).catch(complain)));
  const changed = ({ detail }) => {
    const { view } = game;
    board.show(view, detail);
    title.textContent = view.title;
    made.textContent = `${game.moves.length} moves`;
    if (Number.isFinite(view.score)) score.replaceChildren(`${view.scored} `, el('b', {}, figure(view.score)));
    else score.replaceChildren();
    provable.hidden = !view.solvers.prove;
    gather.hidden = !homes().size;
    solve.node.hidden = !view.solvers.solve;
    undo.disabled = game.moves.length === 0;
    redo.disabled = game.future.length === 0;
    number.title = deals(about());
    if (document.activeElement !== number) number.value = game.setup.deal ?? '';
    if (![...kind.options].some((o) => o.value === game.setup.game)) kind.append(el('option', { value: game.setup.game }, game.setup.game));
    kind.value = game.setup.game;
    history.replaceState(null, '', game.link(pageOf(list, game.setup.game)));
    document.title = `${view.title} · Patience`;
    if (view.standing === 'won') game.note({ win_probability: 1, steps_to_go: 0 }[game.measure]);
    draw();
  };
  game.addEventListener('change', changed);
  game.addEventListener('value', draw);

  const open = (setup, moves) => game.open(setup, moves).catch(complain);
  async function fresh() {
    const wanted = winnable.checked && !provable.hidden;
    try {
      if (wanted) toast('Looking for a deal that can be won …');
      const { setup } = await post('deal', { game: kind.value, seed: random(), winnable: wanted });
      await game.open(setup);
    } catch (error) {
      if (game.setup) kind.value = game.setup.game;
      complain(error);
    }
  }
  /** Where cards are gathered. */
  const homes = () => new Set((game.view.scene.piles ?? []).filter((p) => p.kind === 'foundation').map((p) => p.id));
  async function home() {
    for (;;) {
      const into = homes();
      const move = game.view.legal.find((l) => into.has(l.to) && !into.has(l.from));
      if (!move || game.view.standing !== 'open') return;
      try { await game.play(move.name); } catch (error) { complain(error); return; }
    }
  }
  async function share() {
    const link = location.href.split('#')[0] + game.link(pageOf(list, game.setup.game));
    try { await navigator.clipboard.writeText(link); toast('The link to this position is copied.'); } catch {
      dialog('Link to this position', el('textarea', { readOnly: true, rows: 5 }, link), el('menu', {}, el('button', {}, 'Close')));
    }
  }
  function positions() {
    const text = el('textarea', { rows: 11, spellcheck: false, 'aria-label': 'position' });
    text.value = game.view.text;
    const file = el('input', { type: 'file', 'aria-label': 'load a file', onchange: async () => { text.value = await file.files[0].text(); } });
    const wrong = el('p', { class: 'lost', hidden: true, role: 'alert' });
    const box = dialog('Position', el('p', { class: 'soft small' }, `As the player sees it. Paste or load another: ${about()?.positions ?? 'the game’s own text'}. What is unknown is ??.`), text, file, wrong,
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
  if (!game.view) await fresh();
  return () => {
    removeEventListener('keydown', press);
    hints.close();
    solve.close();
    board.close();
  };
}
