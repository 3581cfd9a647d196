// A board of squares: stones, pieces and words, clicked or walked over with arrows.
import { announce, el, svg } from './dom.js';
import { t } from './words.js';

/** Colours that a piece may be named by, and what they look like. */
const DISCS = {
  white: '#f7f4ea',
  black: '#20262a',
  red: '#d1383d',
  blue: '#3273c4',
  green: '#2f9e6b',
  yellow: '#f0c419',
  w: '#f7f4ea',
  r: '#d1383d',
  y: '#f0c419',
};
const FIGURES = {
  king: '♚',
  queen: '♛',
  rook: '♜',
  bishop: '♝',
  knight: '♞',
  pawn: '♟',
  wall: '▦',
  treasure: '◆',
};

/** Things that no font has. */
const SHAPES = {
  boat: 'M20 66h60l-10 18H32zM48 18v42H22zM54 26v34h20z',
  goal: 'M32 88V14h4l34 14-34 16v44z',
};

/** A drawing of what stands on a square. */
function piece(name, fresh) {
  const look = fresh ? 'piece fresh' : 'piece';
  const root = svg('svg', { viewBox: '0 0 100 100', class: look, 'aria-hidden': 'true' });
  if (SHAPES[name]) {
    root.append(svg('path', { class: `shape ${name}`, d: SHAPES[name] }));
    return root;
  }
  const words = name.toLowerCase().split(/[\s_-]+/);
  const figure = words.map((w) => FIGURES[w]).find(Boolean);
  const colour = words.map((w) => DISCS[w]).find(Boolean);
  if (name === 'x') root.append(svg('path', { class: 'cross', d: 'M24 24 76 76M76 24 24 76' }));
  else if (name === 'o') root.append(svg('circle', { class: 'ring', cx: 50, cy: 50, r: 29 }));
  else if (figure)
    root.append(
      svg('text', { class: 'figure', x: 50, y: 72, 'text-anchor': 'middle', fill: colour ?? '' }, figure),
    );
  else if (colour) root.append(svg('circle', { class: 'disc', cx: 50, cy: 50, r: 35, fill: colour }));
  else
    root.append(
      svg(
        'text',
        {
          class: 'letters',
          x: 50,
          y: 60,
          'text-anchor': 'middle',
          'font-size': Math.max(14, 44 - 5 * name.length),
        },
        name,
      ),
    );
  return root;
}

export class GridTable {
  constructor(host, onMove) {
    this.onMove = onMove;
    this.host = host;
    this.board = el('div', { class: 'grid-board', role: 'grid', 'aria-label': t('board') });
    this.facts = el('p', { class: 'grid-text' });
    this.choices = el('div', { class: 'choices', role: 'group', 'aria-label': t('other moves') });
    this.felt = el('div', { class: 'felt gridded' }, this.board, this.facts, this.choices);
    host.replaceChildren(this.felt);
    this.cursor = [0, 0];
    this.picked = null;
    if (onMove) {
      this.board.addEventListener('click', (e) => this.click(e.target.closest('[data-at]')));
      this.board.addEventListener('keydown', (e) => this.key(e));
      this.board.addEventListener('focusin', (e) => {
        this.cursor = e.target.dataset.at?.split(',').map(Number) ?? this.cursor;
      });
      this.board.addEventListener('pointerover', (e) => this.near(e.target.closest('[data-at]')));
      this.board.addEventListener('pointerleave', () => this.near(null));
    }
  }

  close() {}

  show(view) {
    // Squares are made anew: who was at one still is.
    const had = this.board.contains(document.activeElement);
    // Only what is new on its square rises.
    this.before = this.view?.scene.rows;
    this.view = view;
    this.picked = null;
    const { rows, text, seen } = view.scene;
    this.squares = rows.map((row, r) => row.map((name, c) => this.square(name, c, r)));
    this.board.style.setProperty('--columns', rows[0]?.length ?? 1);
    this.board.style.setProperty('--rows', rows.length);
    this.board.replaceChildren(
      ...this.squares.map((row) => el('div', { role: 'row', class: 'grid-row' }, row)),
    );
    this.facts.replaceChildren(text, seen ? el('span', {}, ` ${t('Seen: {seen}', { seen })}`) : '');
    // What happens on no square has a button.
    const others = view.legal.filter((l) => !l.cells?.length);
    this.buttons = new Map(
      others.map((l) => [
        l.name,
        el('button', { type: 'button', disabled: !this.onMove, onclick: () => this.onMove(l.name) }, l.label),
      ]),
    );
    this.choices.replaceChildren(...this.buttons.values());
    const [c, r] = this.cursor;
    this.cursor = [Math.min(c, (rows[0]?.length ?? 1) - 1), Math.min(r, rows.length - 1)];
    this.rove(had);
  }

  square(name, c, r) {
    const moves = this.view.legal.filter((l) => l.cells?.some(([x, y]) => x === c && y === r));
    const can =
      this.onMove && moves.some((l) => l.count !== 2 || (l.cells[0][0] === c && l.cells[0][1] === r));
    const said = `${t('column {c}, row {r}', { c: c + 1, r: this.view.scene.rows.length - r })}, ${name || t('empty')}${moves.length === 1 ? `: ${moves[0].label}` : ''}`;
    return el(
      'div',
      {
        role: 'gridcell',
        class: `square${(c + r) % 2 ? ' dark' : ''}${can ? ' can' : ''}`,
        tabindex: '-1',
        'data-at': `${c},${r}`,
        'aria-label': said,
      },
      name && piece(name, this.before && this.before[r]?.[c] !== name),
    );
  }

  at([c, r]) {
    return this.squares[r]?.[c];
  }

  /** The moves of a square; where a stone falls down a column, all of it stands for the move. */
  moves(c, r) {
    const here = this.view.legal.filter(
      (l) => l.count !== 2 && l.cells?.some(([x, y]) => x === c && y === r),
    );
    if (here.length) return here;
    const column = this.view.legal.filter(
      (l) => l.count === 1 && l.cells?.length === 1 && l.cells[0][0] === c,
    );
    const above =
      column.length === 1 &&
      this.view.legal.every(
        (l) =>
          l.cells?.length === 1 &&
          this.view.legal.filter((m) => m.cells[0][0] === l.cells[0][0]).length === 1,
      );
    return above && !this.view.scene.rows[r][c] ? column : [];
  }

  play(move) {
    announce(move.label);
    for (const [c, r] of move.cells) this.at([c, r])?.classList.add('wait');
    this.pick(null);
    this.onMove(move.name);
  }

  pick(at) {
    for (const node of this.board.querySelectorAll('.picked, .aim')) node.classList.remove('picked', 'aim');
    this.picked = at;
    if (!at) return;
    this.at(at).classList.add('picked');
    for (const l of this.steps(at)) this.at(l.cells[1])?.classList.add('aim');
  }

  /** The moves of a piece that stands on a square. */
  steps([c, r]) {
    return this.view.legal.filter((l) => l.count === 2 && l.cells[0][0] === c && l.cells[0][1] === r);
  }

  click(node) {
    if (!node) return;
    const at = node.dataset.at.split(',').map(Number);
    this.cursor = at;
    if (this.picked) {
      const move = this.steps(this.picked).find((l) => l.cells[1][0] === at[0] && l.cells[1][1] === at[1]);
      if (move) {
        this.play(move);
        return;
      }
    }
    if (this.steps(at).length) {
      this.pick(at);
      return;
    }
    this.pick(null);
    const [move] = this.moves(...at);
    if (move) this.play(move);
  }

  near(node) {
    for (const other of this.board.querySelectorAll('.near')) other.classList.remove('near');
    if (!node) return;
    const [move] = this.moves(...node.dataset.at.split(',').map(Number));
    const cells = move && (move.cells.length > 1 ? [node.dataset.at.split(',').map(Number)] : move.cells);
    for (const cell of cells ?? []) this.at(cell)?.classList.add('near');
  }

  rove(focus) {
    for (const row of this.squares) for (const node of row) node.tabIndex = -1;
    const now = this.at(this.cursor);
    if (!now) return;
    now.tabIndex = 0;
    if (focus) now.focus({ preventScroll: true });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const to = [this.cursor[0] + step[0], this.cursor[1] + step[1]];
      if (this.at(to)) this.cursor = to;
      this.rove(true);
    } else if (event.key === 'Enter' || event.key === ' ') this.click(this.at(this.cursor));
    else if (event.key === 'Escape') this.pick(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  hint(name) {
    for (const node of this.board.querySelectorAll('.hint')) node.classList.remove('hint');
    for (const [key, node] of this.buttons ?? []) node.classList.toggle('hint', key === name);
    const move = name && this.view.legal.find((l) => l.name === name);
    const cells =
      move?.cells?.length > 2
        ? [move.cells.findLast(([c, r]) => !this.view.scene.rows[r][c]) ?? move.cells[0]]
        : (move?.cells ?? []);
    for (const cell of cells) this.at(cell)?.classList.add('hint');
  }
}
