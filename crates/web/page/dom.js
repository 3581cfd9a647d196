// Elements, words and small signs.
import { said, t } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.setAttribute('class', value);
    else if (key in node && typeof value !== 'string' && !(node instanceof SVGElement)) node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== false));
  return node;
}

export const el = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

const SIGNS = {
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0 0 12',
  sun: 'M12 4V2M12 22v-2M4 12H2M22 12h-2M5.600 5.600 4.200 4.200M19.800 19.800l-1.400-1.400M5.600 18.400l-1.400 1.400M19.800 4.200l-1.400 1.400M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 4l10 8-10 8zM19 5v14',
  bulb: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.500c.8.800 1 1.500 1 2.500h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  home: 'M4 11l8-7 8 7M6 10v10h12V10',
  gear: 'M12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM19.400 13.500l1.600 1.200-1.800 3.100-1.900-.7a7.500 7.500 0 0 1-2.100 1.200L14.900 20.500h-3.600l-.4-2.200a7.500 7.500 0 0 1-2.100-1.200l-2 .7L5 14.700l1.600-1.200a7.500 7.500 0 0 1 0-2.500L5 9.800l1.800-3.100 2 .7a7.500 7.500 0 0 1 2.100-1.200l.4-2.200h3.600l.3 2.200a7.500 7.500 0 0 1 2.100 1.200l1.900-.7L21 9.800 19.400 11a7.500 7.500 0 0 1 0 2.500z',
  star: 'M12 3l2.700 5.700 6.300.8-4.600 4.300 1.200 6.200L12 17l-5.600 3 1.200-6.200L3 9.500l6.300-.8z',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.500-1.500',
};

export const sign = (name) =>
  svg(
    'svg',
    {
      viewBox: name === 'undo' || name === 'redo' ? '0 3 24 24' : '0 0 24 24',
      class: 'sign',
      'aria-hidden': 'true',
    },
    svg('path', { d: SIGNS[name] }),
  );

let timer;
/** A word at the foot of the page; `action` is a button's text and what it does. */
export function toast(text, action) {
  const box = document.getElementById('toast');
  const hide = () => box.classList.remove('on');
  const button =
    action &&
    el(
      'button',
      {
        type: 'button',
        onclick: () => {
          hide();
          action[1]();
        },
      },
      action[0],
    );
  box.replaceChildren(el('span', {}, text), ...(button ? [button] : []));
  box.classList.add('on');
  clearTimeout(timer);
  timer = setTimeout(hide, action ? 8000 : 3500);
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  document.getElementById('live').textContent = text;
}

export function dialog(title, ...children) {
  const box = el(
    'dialog',
    { 'aria-label': title },
    el('form', { method: 'dialog' }, el('h1', {}, title), ...children),
  );
  document.body.append(box);
  box.addEventListener('close', () => box.remove());
  box.addEventListener('click', (event) => {
    if (event.target === box) box.close();
  });
  box.showModal();
  return box;
}

export const closing = () => el('menu', {}, el('button', { value: 'no' }, t('Close')));

/** A button that opens a list of others: `items` gives pairs of a text and what it does. */
export function menu(label, face, items) {
  const list = el('div', { class: 'menu', role: 'menu', hidden: true });
  const button = el(
    'button',
    {
      type: 'button',
      class: 'icon',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-label': label,
      title: label,
    },
    face,
  );
  const node = el('span', { class: 'with-menu' }, button, list);
  const outside = (event) => {
    if (!node.contains(event.target)) open(false);
  };
  function open(yes) {
    list.hidden = !yes;
    button.setAttribute('aria-expanded', String(yes));
    (yes ? addEventListener : removeEventListener)('pointerdown', outside);
    if (!yes) return;
    const item = ([text, act]) =>
      el(
        'button',
        {
          type: 'button',
          role: 'menuitem',
          onclick: () => {
            open(false);
            button.focus();
            act();
          },
        },
        text,
      );
    list.replaceChildren(...items().filter(Boolean).map(item));
    list.firstChild?.focus();
  }
  button.addEventListener('click', () => open(list.hidden));
  node.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const all = [...list.children];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[to % all.length].focus();
    else if (event.key === 'Escape') {
      open(false);
      button.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return node;
}

/** A switch with its words. */
export function check(text, checked, change, extra = {}) {
  const box = el('input', { type: 'checkbox', checked, onchange: () => change(box.checked), ...extra });
  return el('label', { class: 'check' }, box, el('span', {}, text));
}

/** One of several: pairs of a value and its words. */
export function choice(label, pairs, chosen, change) {
  const options = pairs.map(([value, text]) =>
    el('option', { value: String(value), selected: String(value) === String(chosen) }, text),
  );
  const node = el('select', { 'aria-label': label, onchange: () => change?.(node.value) }, options);
  return node;
}

const RANKS = {
  A: 'ace',
  T: 'ten',
  J: 'jack',
  Q: 'queen',
  K: 'king',
  2: 'two',
  3: 'three',
  4: 'four',
  5: 'five',
  6: 'six',
  7: 'seven',
  8: 'eight',
  9: 'nine',
};
const SUITS = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
/** The letter of the suit that a name speaks of, if it does. */
export const suitIn = (name) => Object.keys(SUITS).find((letter) => name.includes(SUITS[letter]));
export const cardName = (card) =>
  card === '??' ? t('face-down card') : said(`${RANKS[card[0]]} of ${SUITS[card[1]]}`);

export const count = (n) => new Intl.NumberFormat(document.documentElement.lang).format(n);
/** With so many places, as the reader's language writes it. */
export const fixed = (n, places) =>
  new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    useGrouping: false,
  }).format(n);
export const percent = (p) => `${fixed(100 * p, p > 0.005 && p < 0.995 ? 1 : 2)}%`;
/** A score: whole, or with a few places. */
export const figure = (n) => (Number.isInteger(n) ? String(n) : fixed(n, 3));

/** What a player saw; where a game has no words for it, the bare names. */
export const observed = (seen) => seen.replace(/Some\((\w*)\)|[[\]]|,? ?\bNone\b/g, '$1');

/** Minutes and seconds, and hours if there are any. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

let styled;
/** The styles of all but the first table: they do not hold it up. */
export function styles() {
  styled ??= new Promise((done) => {
    const link = el('link', { rel: 'stylesheet', href: '/more.css', onload: done, onerror: done });
    // Behind those of the table, which stand in the body.
    document.body.append(link);
  });
  return styled;
}
