// Elements, words and small signs.

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
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.500-1.500',
};

export const sign = (name) => svg('svg', { viewBox: name === 'undo' || name === 'redo' ? '0 3 24 24' : '0 0 24 24', class: 'sign', 'aria-hidden': 'true' }, svg('path', { d: SIGNS[name] }));

let timer;
export function toast(text) {
  const box = document.getElementById('toast');
  box.textContent = text;
  box.classList.add('on');
  clearTimeout(timer);
  timer = setTimeout(() => box.classList.remove('on'), 3500);
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  document.getElementById('live').textContent = text;
}

export function dialog(title, ...children) {
  const box = el('dialog', { 'aria-label': title }, el('form', { method: 'dialog' }, el('h1', {}, title), ...children));
  document.body.append(box);
  box.addEventListener('close', () => box.remove());
  box.showModal();
  return box;
}

const RANKS = { A: 'ace', T: 'ten', J: 'jack', Q: 'queen', K: 'king', 2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six', 7: 'seven', 8: 'eight', 9: 'nine' };
const SUITS = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
/** The letter of the suit that a name speaks of, if it does. */
export const suitIn = (name) => Object.keys(SUITS).find((letter) => name.includes(SUITS[letter]));
export const cardName = (card) => (card === '??' ? 'face-down card' : `${RANKS[card[0]]} of ${SUITS[card[1]]}`);

export const count = (n) => new Intl.NumberFormat('en').format(n);
export const percent = (p) => `${(100 * p).toFixed(p > 0.005 && p < 0.995 ? 1 : 2)}%`;
/** A score: whole, or with a few places. */
export const figure = (n) => (Number.isInteger(n) ? String(n) : n.toFixed(3));
