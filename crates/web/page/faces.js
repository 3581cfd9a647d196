// Cards drawn: sharp at any size. Suits differ in shape and in colour, and the red ones have a
// broken line along their left edge, so that red and black can be told apart without colours.
import { court } from './courts.js';
import { svg } from './dom.js';

export const SUIT = {
  H: 'M50 92C22 68 5 50 5 29 5 13 17 5 29 5c10 0 17 6 21 15C54 11 61 5 71 5c12 0 24 8 24 24 0 21-17 39-45 63z',
  D: 'M50 3 88 50 50 97 12 50z',
  C: 'M50 4a21 21 0 0 1 18 32 21 21 0 1 1-12 38c1 12 5 17 12 22H32c7-5 11-10 12-22a21 21 0 1 1-12-38A21 21 0 0 1 50 4z',
  S: 'M50 3C31 30 6 42 6 64c0 14 10 22 21 22 8 0 14-4 18-10-1 10-5 16-12 20h34c-7-4-11-10-12-20 4 6 10 10 18 10 11 0 21-8 21-22C94 42 69 30 50 3z',
};

// Where the pips of a rank stand, below the strip with rank and suit that a fan leaves visible.
const L = 27,
  M = 50,
  R = 73;
const PIPS = {
  2: [
    [M, 56],
    [M, 118],
  ],
  3: [
    [M, 53],
    [M, 87],
    [M, 121],
  ],
  4: [
    [L, 56],
    [R, 56],
    [L, 118],
    [R, 118],
  ],
  5: [
    [L, 56],
    [R, 56],
    [M, 87],
    [L, 118],
    [R, 118],
  ],
  6: [
    [L, 53],
    [R, 53],
    [L, 87],
    [R, 87],
    [L, 121],
    [R, 121],
  ],
  7: [
    [L, 53],
    [R, 53],
    [M, 70],
    [L, 87],
    [R, 87],
    [L, 121],
    [R, 121],
  ],
  8: [
    [L, 53],
    [R, 53],
    [M, 70],
    [L, 87],
    [R, 87],
    [M, 104],
    [L, 121],
    [R, 121],
  ],
  9: [
    [L, 50],
    [R, 50],
    [L, 74],
    [R, 74],
    [M, 87],
    [L, 100],
    [R, 100],
    [L, 124],
    [R, 124],
  ],
  T: [
    [L, 50],
    [R, 50],
    [M, 62],
    [L, 74],
    [R, 74],
    [L, 100],
    [R, 100],
    [M, 112],
    [L, 124],
    [R, 124],
  ],
};

const pip = (suit, x, y, size, turned) =>
  svg('path', {
    d: SUIT[suit],
    transform: `translate(${x} ${y}) ${turned ? 'rotate(180) ' : ''}scale(${size / 100}) translate(-50 -50)`,
  });

const paper = () => svg('rect', { class: 'paper', x: 1, y: 1, width: 98, height: 138, rx: 9 });

/** What stands in the corner of a card; the style puts it there, for it is said in words already. */
export const corner = (card) => (card[0] === 'T' ? '10' : card[0]);

export function face(card) {
  const [rank, suit] = card;
  const red = suit === 'H' || suit === 'D';
  const wide = rank === 'T';
  const body = svg('g', { class: 'pips' }, pip(suit, wide ? 53 : 45, 19, 22));
  if (PIPS[rank]) for (const [x, y] of PIPS[rank]) body.append(pip(suit, x, y, 19, y > 87));
  else if (rank === 'A') body.append(pip(suit, 50, 87, 52));
  else {
    body.append(
      svg('rect', { class: 'frame', x: 21, y: 37, width: 58, height: 100, rx: 6 }),
      court(rank),
      pip(suit, 29, 46, 12),
      pip(suit, 71, 128, 12, true),
    );
  }
  // On a small card there is room for one large sign only.
  const large = svg('g', { class: 'large' }, pip(suit, 79, 23, 28), pip(suit, 50, 95, 58));
  return svg(
    'svg',
    { viewBox: '0 0 100 140', 'aria-hidden': 'true', class: `face s-${suit}` },
    paper(),
    red && svg('path', { class: 'edge', d: 'M5 14V126' }),
    body,
    large,
  );
}

export function back() {
  const lines = [];
  for (let i = -140; i < 100; i += 14) lines.push(`M${i} 0l140 140M${100 - i} 0l-140 140`);
  return svg(
    'svg',
    { viewBox: '0 0 100 140', 'aria-hidden': 'true', class: 'back' },
    paper(),
    svg(
      'svg',
      { x: 8, y: 8, width: 84, height: 124, viewBox: '8 8 84 124' },
      svg('path', { class: 'lattice', d: lines.join('') }),
    ),
    svg('rect', { class: 'lattice', x: 8, y: 8, width: 84, height: 124, rx: 4 }),
  );
}

export const suitSign = (suit) =>
  svg('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, svg('path', { d: SUIT[suit] }));
