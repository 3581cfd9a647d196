// A board of tiles. Colours that colour-blind people can tell apart, and a sign on each.
import { announce, el, figure, svg } from './dom.js';
import { t } from './words.js';

const COLOURS = [
  '#e69f00',
  '#56b4e9',
  '#009e73',
  '#f0e442',
  '#d55e00',
  '#cc79a7',
  '#7f8fe0',
  '#c8b08a',
  '#9adbb5',
  '#b9b9b9',
];
const NAMES = [
  'orange ring',
  'sky cross',
  'green square',
  'yellow triangle',
  'red bar',
  'pink diamond',
  'blue arc',
  'sand dots',
  'mint wave',
  'grey star',
];
const SIGNS = [
  'M50 27a23 23 0 1 0 .1 0z',
  'M50 25v50M25 50h50',
  'M30 30h40v40H30z',
  'M50 27 75 71H25z',
  'M27 50h46',
  'M50 24 76 50 50 76 24 50z',
  'M26 64a24 24 0 0 1 48 0',
  'M36 36h.1M64 36h.1M36 64h.1M64 64h.1',
  'M25 55q12-26 25 0t25 0',
  'M50 25v50M28 38l44 24M72 38 28 62',
];

const said = ({ count, points }) =>
  Number.isFinite(points)
    ? t('group of {n}, {points} points', { n: count, points: figure(points) })
    : t('group of {n}', { n: count });

export class TileTable {
  constructor(host, onMove) {
    this.onMove = onMove;
    this.board = svg('svg', { class: 'tiles', role: 'group', 'aria-label': t('board of tiles') });
    this.felt = el('div', { class: 'felt tiled' }, this.board);
    this.worth = svg('text', { class: 'worth', 'aria-hidden': 'true' });
    host.replaceChildren(this.felt);
    this.ids = [];
    this.tiles = new Map();
    this.next = 0;
    this.cursor = { c: 0, r: 0 };
    if (onMove) {
      this.board.addEventListener('click', (e) => this.click(e));
      this.board.addEventListener('pointerover', (e) => this.near(e.target.closest?.('.tile')));
      this.board.addEventListener('pointerleave', () => this.near(null));
      this.board.addEventListener('focusin', (e) => this.near(e.target.closest?.('.tile')));
      this.board.addEventListener('keydown', (e) => this.key(e));
    }
  }

  close() {}

  show(view, { animate = true } = {}) {
    const { width, height, columns } = view.scene;
    this.view = view;
    this.board.setAttribute('viewBox', `0 0 ${width * 100} ${height * 100}`);
    this.height = height;
    const same = (ids) =>
      ids.length === columns.length &&
      ids.every(
        (col, c) =>
          col.length === columns[c].length &&
          col.every((id, r) => this.tiles.get(id)?.colour === columns[c][r]),
      );
    // What fell is the same tile as before: take the group that was removed out and compare.
    const removed =
      this.removing &&
      this.ids
        .map((col, c) => col.filter((_, r) => !this.removing.some(([x, y]) => x === c && y === r)))
        .filter((col) => col.length);
    if (removed && same(removed)) this.ids = removed;
    else if (!same(this.ids)) this.ids = columns.map((col) => col.map((colour) => this.make(colour)));
    this.removing = null;
    const alive = new Set(this.ids.flat());
    for (const [id, { node }] of this.tiles) {
      if (!alive.has(id)) {
        node.classList.add('gone');
        setTimeout(() => node.remove(), animate ? 160 : 0);
        this.tiles.delete(id);
      }
    }
    const group = new Map();
    for (const move of view.legal) for (const [c, r] of move.cells ?? []) group.set(`${c},${r}`, move);
    this.ids.forEach((col, c) =>
      col.forEach((id, r) => {
        const tile = this.tiles.get(id);
        Object.assign(tile, { c, r, move: group.get(`${c},${r}`) });
        tile.node.style.transform = `translate(${c * 100}px, ${(height - 1 - r) * 100}px)`;
        tile.node.classList.toggle('alone', !tile.move);
        const size = tile.move ? `, ${said(tile.move)}` : `, ${t('alone')}`;
        tile.node.setAttribute(
          'aria-label',
          `${t(NAMES[tile.colour % NAMES.length])}, ${t('column {c}, row {r}', { c: c + 1, r: r + 1 })}${size}`,
        );
      }),
    );
    this.rove();
    this.hint(null);
    this.near(null);
  }

  make(colour) {
    const id = this.next++;
    const node = svg(
      'g',
      { class: 'tile', role: 'button', tabindex: '-1', 'data-id': id },
      svg('rect', { x: 4, y: 4, width: 92, height: 92, fill: COLOURS[colour % COLOURS.length] }),
      svg('path', { class: 'sign', d: SIGNS[colour % SIGNS.length] }),
    );
    this.tiles.set(id, { node, colour });
    this.board.append(node);
    return id;
  }

  tile(node) {
    return node && this.tiles.get(Number(node.dataset.id));
  }

  play(tile) {
    if (!tile?.move) return;
    this.removing = tile.move.cells;
    this.cursor = { c: tile.c, r: tile.r };
    announce(said(tile.move));
    this.onMove(tile.move.name);
  }

  click(event) {
    this.play(this.tile(event.target.closest?.('.tile')));
  }

  /** Marks the group of a tile, and says what it is worth. */
  near(node) {
    for (const other of this.board.querySelectorAll('.near')) other.classList.remove('near');
    const tile = this.tile(node);
    const cells = tile?.move?.cells ?? [];
    for (const [c, r] of cells) this.tiles.get(this.ids[c]?.[r])?.node.classList.add('near');
    const points = tile?.move?.points;
    if (!cells.length || !Number.isFinite(points)) {
      this.worth.remove();
      return;
    }
    this.worth.textContent = `+${figure(points)}`;
    this.worth.setAttribute('x', tile.c * 100 + 50);
    this.worth.setAttribute('y', Math.max(40, (this.height - 1 - tile.r) * 100 - 8));
    this.board.append(this.worth);
  }

  at(c, r) {
    const col = this.ids[Math.max(0, Math.min(c, this.ids.length - 1))];
    return col && this.tiles.get(col[Math.max(0, Math.min(r, col.length - 1))]);
  }

  rove() {
    const now = this.at(this.cursor.c, this.cursor.r);
    const had = this.board.contains(document.activeElement) || this.held;
    for (const { node } of this.tiles.values())
      node.setAttribute('tabindex', node === now?.node ? '0' : '-1');
    if (had && now) now.node.focus({ preventScroll: true });
    this.held = false;
  }

  key(event) {
    const tile = this.tile(event.target.closest?.('.tile'));
    if (!tile || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (steps[event.key]) {
      const [dc, dr] = steps[event.key];
      const next = this.at(tile.c + dc, tile.r + dr);
      this.cursor = { c: next.c, r: next.r };
      this.rove();
      next.node.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.held = true;
      this.play(tile);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  hint(name) {
    for (const { node } of this.tiles.values()) node.classList.remove('hint');
    const move = name && this.view.legal.find((l) => l.name === name);
    for (const [c, r] of move?.cells ?? []) this.tiles.get(this.ids[c]?.[r])?.node.classList.add('hint');
  }
}
