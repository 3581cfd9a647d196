// General games: rules in GDL, what the check finds in them, and a game as a role.
import { get, post } from './api.js';
import { Board } from './board.js';
import { choice, el, sign, toast } from './dom.js';
import { Game, parse } from './game.js';
import { Hints } from './hints.js';
import * as memory from './memory.js';
import { moved, t } from './words.js';

const EXAMPLE = `; Buttons and lights: switch all three on within six steps.
(role robot)
(init off-p) (init off-q) (init off-r) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(legal robot a) (legal robot b) (legal robot c)
(<= (next p) (does robot a) (true off-p))
(<= (next p) (does robot b) (true q))
(<= (next p) (does robot c) (true p))
(<= (next off-p) (does robot a) (true p))
(<= (next off-p) (does robot b) (true off-q))
(<= (next off-p) (does robot c) (true off-p))
(<= (next q) (does robot a) (true q))
(<= (next q) (does robot b) (true p))
(<= (next q) (does robot c) (true r))
(<= (next off-q) (does robot a) (true off-q))
(<= (next off-q) (does robot b) (true off-p))
(<= (next off-q) (does robot c) (true off-r))
(<= (next r) (does robot a) (true r))
(<= (next r) (does robot b) (true r))
(<= (next r) (does robot c) (true q))
(<= (next off-r) (does robot a) (true off-r))
(<= (next off-r) (does robot b) (true off-r))
(<= (next off-r) (does robot c) (true off-q))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= (goal robot 100) (true p) (true q) (true r))
(<= (goal robot 0) (not (true p)))
(<= (goal robot 0) (not (true q)))
(<= (goal robot 0) (not (true r)))
(<= terminal (true (step 7)))
(<= terminal (true p) (true q) (true r))
`;

export async function rules(main, _page, query) {
  const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);
  const text = el('textarea', {
    spellcheck: false,
    'aria-label': t('rules in GDL'),
    'aria-describedby': 'findings',
  });
  const file = el('input', {
    type: 'file',
    'aria-label': t('load a rule file'),
    onchange: async () => {
      text.value = await file.files[0].text();
      check();
    },
  });
  const found = el('ul', { class: 'findings', id: 'findings' });
  const note = el('p', { class: 'meter', role: 'status' });
  const role = el('select', { 'aria-label': t('role') });
  const seed = el('input', { type: 'number', value: '1', min: '0', 'aria-label': t('seed of chance') });
  seed.style.width = '6rem';
  const start = button(t('Play'), () => begin(), { class: 'main' });
  const place = el('div', {});
  // Those that come with the program; what was typed stays where it is until one is chosen.
  let known = [];
  const typed = ['', t('my own')];
  const ready = choice(t('rules that come with the program'), [typed], '', (name) => {
    const one = known.find((k) => k.name === name);
    if (one) memory.keep('typed', memory.note('rules')?.chosen ? memory.note('typed') : text.value);
    text.value = one?.text ?? memory.note('typed') ?? EXAMPLE;
    check();
  });
  main.replaceChildren(
    el(
      'div',
      { class: 'two' },
      el(
        'section',
        { class: 'panel editor', 'aria-label': t('rules') },
        el('header', {}, el('h1', {}, t('General games')), ready, file),
        text,
        el(
          'div',
          { class: 'row' },
          button(t('Check'), () => check()),
          role,
          seed,
          start,
        ),
        note,
        found,
      ),
      place,
    ),
  );
  let timer;
  let closed = false;
  let close = () => {};
  text.addEventListener('input', () => {
    ready.value = '';
    clearTimeout(timer);
    timer = setTimeout(check, 400);
  });

  const select = (span) => {
    // Spans count bytes; the text area counts UTF-16 units.
    const bytes = new TextEncoder().encode(text.value);
    const at = (n) => new TextDecoder().decode(bytes.slice(0, n)).length;
    text.focus();
    text.setSelectionRange(at(span.start), at(span.end));
    const line = text.value.slice(0, at(span.start)).split('\n').length;
    text.scrollTop = Math.max(0, (line - 6) * 20);
  };
  async function check() {
    memory.keep('rules', { text: text.value, chosen: ready.value });
    try {
      const { findings, playable, roles } = await post('rules', { text: text.value });
      if (closed) return;
      note.textContent = findings.length
        ? t('{n} findings', { n: findings.length })
        : t('Nothing is wrong with these rules.');
      found.replaceChildren(
        ...findings.map((f) =>
          el(
            'li',
            { class: f.severity },
            button(t('line {line}, column {column}', f), () => select(f.span)),
            ' ',
            el('strong', {}, `${f.severity}: `),
            f.message,
            el('pre', {}, f.excerpt),
            el('span', { class: 'soft small' }, t('Write: {help}', f)),
          ),
        ),
      );
      text.setAttribute('aria-invalid', String(!playable));
      const chosen = role.value;
      role.replaceChildren(...roles.map((r) => el('option', { value: r }, r)));
      if (roles.includes(chosen)) role.value = chosen;
      start.disabled = !playable || !roles.length;
    } catch (error) {
      note.textContent = error.message;
    }
  }
  async function begin(moves = []) {
    close();
    const game = new Game();
    const host = el('div', { class: 'host' });
    const complain = (error) => closed || toast(error.message);
    const board = new Board(host, (name) => game.play(name).catch(complain));
    const hints = new Hints(game, board);
    const title = el('h2', {});
    const undo = el(
      'button',
      { type: 'button', onclick: () => game.undo().catch(complain) },
      sign('undo'),
      t('Undo'),
    );
    const redo = el(
      'button',
      { type: 'button', onclick: () => game.redo().catch(complain) },
      sign('redo'),
      t('Redo'),
    );
    game.addEventListener('change', ({ detail }) => {
      if (closed) return;
      board.show(game.shown, detail);
      title.textContent = `${game.view.title} · ${moved(game.moves.length)}`;
      undo.disabled = !game.moves.length;
      redo.disabled = !game.future.length;
      if (!detail.guess) history.replaceState(null, '', game.link('rules'));
    });
    place.replaceChildren(
      el(
        'div',
        { class: 'side open' },
        el('div', { class: 'tools' }, title, el('span', { class: 'gap' }), undo, redo),
        host,
        hints.node,
      ),
    );
    close = () => {
      hints.close();
      board.close();
    };
    try {
      await game.open({ game: 'rules', rules: text.value, role: role.value, deal: seed.value }, moves);
    } catch (error) {
      complain(error);
    }
  }
  let linked = null;
  try {
    linked = parse(query);
  } catch (error) {
    toast(error.message);
  }
  const kept = memory.note('rules');
  text.value = linked?.setup.rules ?? kept?.text ?? EXAMPLE;
  const begun = text.value;
  async function first() {
    known = await get('rules').catch(() => []);
    if (closed) return;
    ready.append(...known.map(({ name }) => el('option', { value: name }, name.replaceAll('_', ' '))));
    const same = text.value === begun;
    if (same && !linked && known.some((k) => k.name === kept?.chosen)) ready.value = kept.chosen;
    await check();
    if (closed || !same || !linked?.setup.rules) return;
    role.value = linked.setup.role ?? role.value;
    seed.value = linked.setup.deal ?? seed.value;
    await begin(linked.moves);
  }
  first();
  return () => {
    closed = true;
    clearTimeout(timer);
    close();
  };
}
