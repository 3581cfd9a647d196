// Which page is shown.
import { el, toast } from './dom.js';
import { PAGES, games, hasPage, named } from './games.js';
import { begin } from './theme.js';

const load = {
  watch: async () => (await import('./watch.js')).watch,
  lab: async () => (await import('./lab.js')).lab,
  rules: async () => (await import('./rules.js')).rules,
};

const main = document.getElementById('main');
const nav = document.getElementById('nav');
let close = () => {};
let shown = 0;

/** The page that a link names, and what it says of a game. */
function route(list) {
  const own = list.filter(hasPage).map((info) => info.name);
  const [, name = '', query = ''] = /^#\/([^?]*)(?:\?(.*))?$/.exec(location.hash) ?? [];
  if ([...own, ...PAGES.map(([page]) => page)].includes(name)) return [name, query];
  // A game without a page of its own is one of the others.
  return named(list, name) ? ['other', query || `game=${name}`] : [own[0] ?? 'other', ''];
}

async function show() {
  const number = (shown += 1);
  close();
  close = () => {};
  try {
    const list = await games();
    if (number !== shown) return;
    const [page, query] = route(list);
    if (!nav.children.length) {
      const pages = [...list.filter(hasPage).map((info) => [info.name, info.title]), ...PAGES];
      nav.replaceChildren(...pages.map(([name, text]) => el('a', { href: `#/${name}`, 'data-page': name }, text)));
    }
    for (const link of nav.children) {
      if (link.dataset.page === page) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
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

begin();
addEventListener('hashchange', show);
show();
