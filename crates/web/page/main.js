// Which page is shown.
import { el, styles, toast } from './dom.js';
import { games, hasPage, named, PAGES } from './games.js';
import { changes, settings } from './memory.js';
import { begin } from './theme.js';
import { learn, t } from './words.js';

const load = {
  watch: async () => (await import('./watch.js')).watch,
  lab: async () => (await import('./lab.js')).lab,
  rules: async () => (await import('./rules.js')).rules,
  tree: async () => (await import('./teach.js')).teach,
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
      const pages = [
        ...list.filter(hasPage).map((info) => [info.name, info.title]),
        ...PAGES.map(([name, text]) => [name, t(text)]),
      ];
      nav.replaceChildren(
        ...pages.map(([name, text]) => el('a', { href: `#/${name}`, 'data-page': name }, text)),
      );
    }
    for (const link of nav.children) {
      if (link.dataset.page === page) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    // What is no table looks as the rest does, from its beginning.
    if (load[page]) await styles();
    const open = load[page] ? await load[page]() : (await import('./play.js')).play;
    if (number !== shown) return;
    const closing = await open(main, page, query);
    if (number === shown) close = closing;
    else closing();
  } catch (error) {
    if (number !== shown) return;
    main.replaceChildren(
      el('section', { class: 'panel' }, el('h1', {}, t('That did not work')), el('p', {}, error.message)),
    );
    toast(error.message);
  }
}

/** On a small screen the pages are in a menu. */
const menu = document.getElementById('menu');
const unfold = (yes) => {
  nav.classList.toggle('open', yes);
  menu.setAttribute('aria-expanded', String(yes));
};
menu.addEventListener('click', () => unfold(!nav.classList.contains('open')));
addEventListener('pointerdown', (event) => {
  if (!event.target.closest('#nav, #menu')) unfold(false);
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') unfold(false);
});

const deck = () => {
  document.documentElement.dataset.deck = settings.deck;
};
changes.addEventListener('setting', deck);
deck();
await learn(settings.language);
for (const [node, text] of [
  [nav, t('Pages')],
  [menu, t('Pages')],
])
  node.setAttribute('aria-label', text);
document.querySelector('.skip').textContent = t('Skip to the game');
begin();
addEventListener('hashchange', () => {
  unfold(false);
  show();
});
await show();
if ('serviceWorker' in navigator && isSecureContext)
  navigator.serviceWorker.register('/worker.js').catch(() => {});
