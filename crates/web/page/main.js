// Which page is shown.
import { el, toast } from './dom.js';
import { begin } from './theme.js';

const PAGES = [
  ['klondike', 'Klondike'], ['freecell', 'FreeCell'], ['samegame', 'SameGame'], ['other', 'Others'],
  ['watch', 'Watch'], ['rules', 'General games'], ['lab', 'Laboratory'],
];

const load = {
  watch: async () => (await import('./watch.js')).watch,
  lab: async () => (await import('./lab.js')).lab,
  rules: async () => (await import('./rules.js')).rules,
};

const main = document.getElementById('main');
let close = () => {};
let shown = 0;

async function show() {
  const [, name = 'klondike', query = ''] = /^#\/([a-z]*)(?:\?(.*))?$/.exec(location.hash) ?? [];
  const page = PAGES.some(([p]) => p === name) ? name : 'klondike';
  for (const link of document.querySelectorAll('#nav a')) {
    if (link.dataset.page === page) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const number = (shown += 1);
  close();
  close = () => {};
  try {
    const open = load[page] ? await load[page]() : async (m) => (await import('./play.js')).play(m, page, query);
    if (number !== shown) return;
    const closing = await open(main);
    if (number === shown) close = closing;
    else closing();
  } catch (error) {
    main.replaceChildren(el('section', { class: 'panel' }, el('h1', {}, 'That did not work'), el('p', {}, error.message)));
    toast(error.message);
  }
}

document.getElementById('nav').replaceChildren(...PAGES.map(([page, text]) => el('a', { href: `#/${page}`, 'data-page': page }, text)));
begin();
addEventListener('hashchange', show);
show();
