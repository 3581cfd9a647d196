// What a move does to what lies on the table, shown at once while the server is asked. Which moves
// there are and what really comes of one is the server's: this only lays cards down where they were
// dropped, so nothing that is face down is known here, and what the server says replaces it.

const HIDDEN = '??';

function cards(view, move) {
  const from = view.scene.piles.find((p) => p.id === move.from);
  const to = view.scene.piles.find((p) => p.id === move.to);
  if (!from || !to || from.cards.length < move.count) return null;
  const left = from.cards.slice(0, from.cards.length - move.count);
  let taken = from.cards.slice(from.cards.length - move.count);
  // The stock is turned: what comes to light is not known yet; turned over, it is hidden again.
  if (from.kind === 'stock' || to.kind === 'stock') taken = taken.map(() => HIDDEN);
  const piles = view.scene.piles.map((p) => {
    if (p === from) return { ...p, cards: left };
    if (p === to) return { ...p, cards: [...p.cards, ...taken] };
    return p;
  });
  return { ...view.scene, piles };
}

function tiles(view, move) {
  if (!move.cells?.length) return null;
  const gone = new Set(move.cells.map(([c, r]) => `${c},${r}`));
  const columns = view.scene.columns
    .map((column, c) => column.filter((_, r) => !gone.has(`${c},${r}`)))
    .filter((column) => column.length);
  return { ...view.scene, columns };
}

/** A piece that goes from one square to another; what comes of any other move the rules alone know. */
function grid(view, move) {
  if (move.count !== 2) return null;
  const [[a, b], [c, d]] = move.cells;
  const rows = view.scene.rows.map((row) => [...row]);
  rows[d][c] = rows[b][a];
  rows[b][a] = '';
  return { ...view.scene, rows };
}

const KINDS = { cards, tiles, grid };

/** The view after a move as far as the drawing goes, or null where nothing can be said. */
export function foresee(view, name) {
  const move = view.legal.find((l) => l.name === name);
  const scene = move && KINDS[view.scene.kind]?.(view, move);
  if (!scene) return null;
  // What happens elsewhere on the table can be begun before the answer is there.
  const ends = [move.from, move.to];
  const apart = (l) => l.from && !ends.includes(l.from) && !ends.includes(l.to);
  return { ...view, scene, legal: view.legal.filter(apart) };
}
