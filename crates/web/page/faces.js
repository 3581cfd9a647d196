// Cards drawn: sharp at any size. Suits differ in shape and in colour, and the red ones have a
// broken line along their left edge, so that red and black can be told apart without colours.
import { svg } from './dom.js';

export const SUIT = {
  H: 'M50 92C22 68 5 50 5 29 5 13 17 5 29 5c10 0 17 6 21 15C54 11 61 5 71 5c12 0 24 8 24 24 0 21-17 39-45 63z',
  D: 'M50 3 88 50 50 97 12 50z',
  C: 'M50 4a21 21 0 0 1 18 32 21 21 0 1 1-12 38c1 12 5 17 12 22H32c7-5 11-10 12-22a21 21 0 1 1-12-38A21 21 0 0 1 50 4z',
  S: 'M50 3C31 30 6 42 6 64c0 14 10 22 21 22 8 0 14-4 18-10-1 10-5 16-12 20h34c-7-4-11-10-12-20 4 6 10 10 18 10 11 0 21-8 21-22C94 42 69 30 50 3z',
};

// Where the pips of a rank stand: columns and rows of the inner field.
const L = 33, M = 50, R = 67;
const PIPS = {
  2: [[M, 30], [M, 110]], 3: [[M, 30], [M, 70], [M, 110]], 4: [[L, 30], [R, 30], [L, 110], [R, 110]],
  5: [[L, 30], [R, 30], [M, 70], [L, 110], [R, 110]], 6: [[L, 30], [R, 30], [L, 70], [R, 70], [L, 110], [R, 110]],
  7: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [L, 110], [R, 110]],
  8: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [M, 90], [L, 110], [R, 110]],
  9: [[L, 28], [R, 28], [L, 56], [R, 56], [M, 70], [L, 84], [R, 84], [L, 112], [R, 112]],
  T: [[L, 28], [R, 28], [M, 42], [L, 56], [R, 56], [L, 84], [R, 84], [M, 98], [L, 112], [R, 112]],
};

const pip = (suit, x, y, size, turned) => svg('path', {
  d: SUIT[suit],
  transform: `translate(${x} ${y}) ${turned ? 'rotate(180) ' : ''}scale(${size / 100}) translate(-50 -50)`,
});

const paper = () => svg('rect', { class: 'paper', x: 1, y: 1, width: 98, height: 138, rx: 9 });

export function face(card) {
  const [rank, suit] = card;
  const shown = rank === 'T' ? '10' : rank;
  const red = suit === 'H' || suit === 'D';
  const body = svg('g', { class: 'pips' });
  const large = svg('g', { class: 'large' }, pip(suit, 50, 92, 58));
  if (PIPS[rank]) for (const [x, y] of PIPS[rank]) body.append(pip(suit, 6 + x * 0.98, y + 4, 19, y > 70));
  else if (rank === 'A') body.append(pip(suit, 53, 76, 46));
  else {
    body.append(
      svg('rect', { class: 'frame', x: 31, y: 26, width: 46, height: 98, rx: 6 }),
      svg('rect', { class: 'frame', x: 34.500, y: 29.500, width: 39, height: 91, rx: 4 }),
      svg('text', { class: 'court', x: 54, y: 91, 'font-size': 46, 'text-anchor': 'middle' }, rank),
      pip(suit, 54, 43, 16), pip(suit, 54, 108, 16, true),
    );
  }
  return svg('svg', { viewBox: '0 0 100 140', 'aria-hidden': 'true', class: `face s-${suit}` },
    paper(),
    red && svg('path', { class: 'edge', d: 'M5 14V126' }),
    svg('text', { x: shown.length > 1 ? 7 : 9, y: 31, 'font-size': 29, 'letter-spacing': shown.length > 1 ? -3 : 0 }, shown),
    pip(suit, 19, 47, 21),
    svg('g', { class: 'large' }, pip(suit, 79, 21, 24)),
    body, large);
}

export function back() {
  const lines = [];
  for (let i = -140; i < 100; i += 14) lines.push(`M${i} 0l140 140M${100 - i} 0l-140 140`);
  const id = 'back-clip';
  return svg('svg', { viewBox: '0 0 100 140', 'aria-hidden': 'true', class: 'back' },
    paper(),
    svg('svg', { x: 8, y: 8, width: 84, height: 124, viewBox: '8 8 84 124' }, svg('path', { class: 'lattice', d: lines.join('') })),
    svg('rect', { class: 'lattice', x: 8, y: 8, width: 84, height: 124, rx: 4 }));
}

export const suitSign = (suit) => svg('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, svg('path', { d: SUIT[suit] }));
