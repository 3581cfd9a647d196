// Where piles lie on a table of this size: cards as large as the place allows, whatever the screen.

export const RATIO = 1.4;

/** Of a card's height: the strip of an open card that its neighbour leaves visible, and of a hidden one. */
const UP = 0.29;
const UP_TINY = 0.37;
const DOWN = 0.11;
/** A fan closes up to this share of it before cards are made smaller. */
const SQUEEZE = 0.7;
/** Below this width a card has room for one large sign only. */
export const TINY = 58;

/** The height of a column in cards, fanned out. */
function reach(pile, up) {
  const down = pile.cards.filter((c) => c === '??').length;
  return 1 + down * DOWN + Math.max(0, pile.cards.length - down - 1) * up;
}

// A waste is fanned, so a place is left free beside it.
const wide = (pile) => (pile.kind === 'waste' ? 2 : 1);

/** Cuts a list into so many rows of about the same length. */
function rows(list, count) {
  const each = Math.ceil(list.length / count);
  return Array.from({ length: count }, (_, i) => list.slice(i * each, (i + 1) * each)).filter(
    (row) => row.length,
  );
}

/** The layout with the columns in so many rows. */
function lay(piles, width, height, count) {
  const columns = piles.filter((p) => p.kind === 'column');
  const top = piles.filter((p) => p.kind !== 'column');
  const homes = top.filter((p) => p.kind === 'foundation');
  const bands = rows(columns, count);
  const across = Math.max(
    ...bands.map((b) => b.length),
    top.reduce((n, pile) => n + wide(pile), 0),
    1,
  );
  const pad = Math.max(5, Math.min(width, height) * 0.018);
  const gap = Math.max(3, Math.min(28, width * 0.012));
  const byWidth = (width - 2 * pad - gap * (across - 1)) / across;
  // Cards of height 1: the row at the top, then every row of columns with its longest fan.
  const up = byWidth < TINY ? UP_TINY : UP;
  const space = 0.14;
  const fans = bands.map((band) => Math.max(...band.map((p) => reach(p, up)), count > 1 ? 1.3 : 2.2));
  const high = (close) =>
    (top.length ? 1 + space : 0) + fans.reduce((n, f) => n + 1 + (f - 1) * close + space, -space);
  const byHeight = (height - 2 * pad) / Math.max(high(SQUEEZE), 1) / RATIO;
  const w = Math.max(16, Math.min(byWidth, byHeight));
  const h = w * RATIO;
  const air = Math.max(6, h * space);
  // What the fans need more than there is, they close up.
  const free = height - 2 * pad - (top.length ? h + air : 0) - air * (bands.length - 1) - h * bands.length;
  const need = fans.reduce((n, f) => n + (f - 1) * h, 0);
  const close = Math.min(height > width ? 1.4 : 1.12, free / Math.max(need, 1));
  const between = Math.min(gap * 1.5, (width - 2 * pad - across * w) / Math.max(1, across - 1));
  const step = w + Math.max(gap * 0.5, between);
  const left = (n) => (width - n * w - (n - 1) * (step - w)) / 2;
  const spots = new Map();
  // Cards are gathered on the right; what else is not laid out in columns comes from the left.
  const first = left(across);
  const alone = homes.length === top.length;
  homes.forEach((pile, k) => {
    const x = alone ? left(homes.length) + k * step : first + (across - homes.length + k) * step;
    spots.set(pile.id, { x, y: pad });
  });
  let i = 0;
  for (const pile of top) {
    if (pile.kind === 'foundation') continue;
    spots.set(pile.id, { x: first + i * step, y: pad });
    i += wide(pile);
  }
  let y = top.length ? pad + h + air : pad;
  bands.forEach((band, b) => {
    band.forEach((pile, k) => spots.set(pile.id, { x: left(band.length) + k * step, y, row: b }));
    y += h + (fans[b] - 1) * h * close + air;
  });
  return { width, height, w, h, pad, spots, up: up * h * close, down: DOWN * h * close, rows: bands.length };
}

/** More columns than this may be laid in several rows. */
const MANY = 10;

export function layout(piles, width, height) {
  const many = piles.filter((p) => p.kind === 'column').length > MANY;
  const tried = (many ? [1, 2, 3] : [1]).map((count) => lay(piles, width, height, count));
  return tried.reduce((best, other) => (other.w > best.w * 1.05 ? other : best));
}

/** Where the cards of a pile lie beside one another. */
export function fan(pile, m) {
  const n = pile.cards.length;
  if (pile.kind === 'column') {
    const down = pile.cards.filter((c) => c === '??').length;
    return (i) => ({ dx: 0, dy: Math.min(i, down) * m.down + Math.max(0, i - down) * m.up });
  }
  if (pile.kind === 'waste') {
    const first = Math.max(0, n - 3);
    return (i) => ({ dx: Math.max(0, i - first) * m.w * 0.3, dy: 0 });
  }
  if (pile.kind === 'stock') return (i) => ({ dx: -Math.min(3, i / 6), dy: -Math.min(3, i / 6) });
  return () => ({ dx: 0, dy: 0 });
}
