// Court cards, drawn once and turned for the other half: a head, hair, a crown or cap, a collar and a
// robe in the colour of the suit.
import { svg } from './dom.js';

const HEAD = 'M50 58c6 0 9.500 4.500 9.500 10.500S55.500 80 50 80s-9.500-5.500-9.500-11.500S44 58 50 58z';
const FACE = 'M46 67.500h2.200M52 67.500h2.200M50 68.500v4M47.300 75.300q2.700 1.600 5.400 0';

/** Of each rank: what is in the colour of the suit, in gold, and in ink. */
const PARTS = {
  K: {
    suit: 'M22 108V99c0-9 8-14 19-15l9 5 9-5c11 1 19 6 19 15v9z',
    gold: 'M36 58V46l6.500 5 7.500-8 7.500 8 6.500-5v12zM44 84h12l-2 24h-8z',
    ink: 'M40 64c-3 4-2.500 12 1.500 17 2 4.500 5 6.500 8.500 6.500s6.500-2 8.500-6.500c4-5 4.500-13 1.500-17M36 53.500h28M29 92l6 16M71 92l-6 16',
  },
  Q: {
    suit: 'M24 108c0-13 7-20 18-22l8 7 8-7c11 2 18 9 18 22z',
    gold: 'M37 57c1-7 3-10 4-12l4 4 5-6 5 6 4-4c1 2 3 5 4 12zM46.500 93h7l-1 15h-5z',
    ink: 'M40.500 62c-6 5-6 15-3.500 23M59.500 62c6 5 6 15 3.500 23M37 55.500h26M33 97l5 11M67 97l-5 11',
  },
  J: {
    suit: 'M25 108c0-12 6-20 17-22h16c11 2 17 10 17 22zM35 57c0-9 7-12 15-12 9 0 15 4 15 12-9-3-21-3-30 0z',
    gold: 'M35 57c9-3 21-3 30 0l-1 4c-9-2-19-2-28 0zM60 46c5-6 10-6 13-3-4 0-8 3-10 8zM42 86h16l-8 13z',
    ink: 'M40 63c-2.500 5-2.500 11-1 16M60 63c2.500 5 2.500 11 1 16M50 99v9M34 95l4 13M66 95l-4 13',
  },
};

/** One half: the figure from its head to the middle of the card, which lies at 87 in the frame. */
function half(rank) {
  const { suit, gold, ink } = PARTS[rank];
  return svg(
    'g',
    { transform: 'translate(50 87) scale(.78) translate(-50 -108)' },
    svg('path', { class: 'court-robe', d: suit }),
    svg('path', { class: 'court-gold', d: gold }),
    svg('path', { class: 'court-skin', d: HEAD }),
    svg('path', { class: 'court-ink', d: ink }),
    svg('path', { class: 'court-ink', d: FACE }),
  );
}

/** Both halves of a court card. */
export function court(rank) {
  return svg(
    'g',
    { class: 'court-figure' },
    half(rank),
    svg('g', { transform: 'rotate(180 50 87)' }, half(rank)),
    svg('path', { class: 'court-ink', d: 'M24 87h52' }),
  );
}
