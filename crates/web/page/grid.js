// A board of squares: stones, pieces, numbers and words, clicked or walked over with arrows; where moves go
// one way for the whole board, the arrows and a swipe play them.
import { announce, el, svg } from './dom.js';
import { said, t } from './words.js';

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
  alive: '#2f9e6b',
  on: '#2f9e6b',
  off: '#7a827f',
};
const FIGURES = {
  king: '♚',
  queen: '♛',
  rook: '♜',
  bishop: '♝',
  knight: '♞',
  pawn: '♟',
  treasure: '◆',
};

/** Things that no font has. */
const SHAPES = {
  boat: 'M20 66h60l-10 18H32zM48 18v42H22zM54 26v34h20z',
  goal: 'M32 88V14h4l34 14-34 16v44z',
  hole: 'M12 54a38 26 0 1 0 76 0a38 26 0 1 0-76 0z',
  wall: 'M0 0h100v100H0z',
  you: 'M50 12a15 15 0 1 1-.1 0zM26 88V64q0-18 24-18t24 18v24z',
  robot: 'M47 8h6v12h-6zM26 20h48v36H26zM36 32v10h8V32zM56 32v10h8V32zM30 60h40v28H30z',
  rover:
    'M18 50h64v16H18zM40 30h26v16H40zM20 78a10 10 0 1 0 20 0a10 10 0 1 0-20 0zM60 78a10 10 0 1 0 20 0a10 10 0 1 0-20 0z',
};

/** How large so much text is drawn on a square. */
const sized = (text) => Math.min(44, 115 / text.length);

const lettered = (text, look) =>
  svg(
    'text',
    { class: look, x: 50, y: 50 + 0.36 * sized(text), 'text-anchor': 'middle', 'font-size': sized(text) },
    text,
  );

/** A tile with a number: another colour for every time that it doubles, darker the higher it is. */
function tile(number) {
  const step = Math.log2(Number(number) + 1);
  const light = step < 6 ? 88 - 4 * step : Math.max(26, 52 - 2 * step);
  const fill = `hsl(${(400 - 25 * step) % 360} 58% ${light}%)`;
  return [
    svg('rect', { x: 4, y: 4, width: 92, height: 92, rx: 10, fill }),
    lettered(number, step < 6 ? 'letters' : 'letters light'),
  ];
}

/** A chance: the likelier, the stronger its colour. */
function chance(name, percent) {
  const share = (Number(percent) / 100).toFixed(2);
  return [
    svg('rect', { class: 'chance', width: 100, height: 100, 'fill-opacity': share }),
    lettered(name, 'letters'),
  ];
}

/** A drawing of what stands on a square. */
function piece(name, fresh) {
  const percent = /(\d+)%$/.exec(name)?.[1];
  const look = fresh && !percent ? 'piece fresh' : 'piece';
  const root = svg('svg', { viewBox: '0 0 100 100', class: look, 'aria-hidden': 'true' });
  if (SHAPES[name]) {
    root.append(svg('path', { class: `shape ${name}`, d: SHAPES[name] }));
    return root;
  }
  if (/^\d+$/.test(name) || percent) {
    root.append(...(percent ? chance(name, percent) : tile(name)));
    return root;
  }
  const words = name.toLowerCase().split(/[\s_-]+/);
  const number = words.find((w) => /^\d+$/.test(w));
  const figure = words.map((w) => FIGURES[w]).find(Boolean);
  const colour = words.map((w) => DISCS[w]).find(Boolean);
  if (name === 'x') root.append(svg('path', { class: 'cross', d: 'M24 24 76 76M76 24 24 76' }));
  else if (name === 'o') root.append(svg('circle', { class: 'ring', cx: 50, cy: 50, r: 29 }));
  else if (figure)
    root.append(
      svg('text', { class: 'figure', x: 50, y: 72, 'text-anchor': 'middle', fill: colour ?? '' }, figure),
    );
  else if (colour) {
    root.append(svg('circle', { class: 'disc', cx: 50, cy: 50, r: 35, fill: colour }));
    if (number) root.append(lettered(number, 'letters light'));
  } else root.append(lettered(said(name), 'letters'));
  return root;
}

/** Pixels that make a swipe. */
const SWIPE = 24;
/** Milliseconds after which an answer is no longer waited for. */
const LONGEST = 10_000;

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
      this.board.addEventListener('pointerdown', (e) => this.touch(e));
      this.board.addEventListener('pointerup', (e) => this.swipe(e));
      // Before anything is chosen the arrows are the board's.
      this.press = (e) => e.target === document.body && this.slide(e);
      addEventListener('keydown', this.press);
    }
  }

  close() {
    removeEventListener('keydown', this.press);
  }

  show(view) {
    // Squares are made anew: who was at one still is.
    const had = this.board.contains(document.activeElement);
    const button = [...(this.buttons ?? [])].find(([, node]) => node === document.activeElement);
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
    this.ways = new Map();
    if (others.length === view.legal.length)
      for (const l of others) {
        const [, way] = /(?:^|[\W_])(left|right|up|down)$/i.exec(l.name) ?? [];
        if (way) this.ways.set(way.toLowerCase(), l);
      }
    this.board.classList.toggle('swiped', this.ways.size > 0);
    this.buttons = new Map(
      others.map((l) => [
        l.name,
        el('button', { type: 'button', disabled: !this.onMove, onclick: () => this.onMove(l.name) }, l.label),
      ]),
    );
    this.choices.replaceChildren(...this.buttons.values());
    if (button) (this.buttons.get(button[0]) ?? this.buttons.values().next().value)?.focus();
    const [c, r] = this.cursor;
    this.cursor = [Math.min(c, (rows[0]?.length ?? 1) - 1), Math.min(r, rows.length - 1)];
    this.rove(had);
    // What was meant while the last move was on its way.
    const next = this.next;
    [this.waits, this.next] = [null, null];
    if (next) this.go(next);
  }

  /** Plays the move that goes this way, if there is one; one more is kept until the answer is there. */
  go(way) {
    if (this.waiting()) this.next = way;
    else if (this.ways.has(way)) this.play(this.ways.get(way));
  }

  /** An arrow where moves have ways; says whether it was one. */
  slide(event) {
    const [, way] = /^Arrow(.*)$/.exec(event.key) ?? [];
    if (!way || !this.ways?.size || event.ctrlKey || event.metaKey || event.altKey) return false;
    this.go(way.toLowerCase());
    event.preventDefault();
    return true;
  }

  touch(event) {
    this.from = this.ways?.size ? [event.clientX, event.clientY] : null;
    // It may end outside.
    if (this.from) this.board.setPointerCapture(event.pointerId);
  }

  swipe(event) {
    if (!this.from) return;
    const [x, y] = [event.clientX - this.from[0], event.clientY - this.from[1]];
    this.from = null;
    const [far, near] = [Math.abs(x), Math.abs(y)].sort((a, b) => b - a);
    if (far < SWIPE || far < 1.5 * near) return;
    if (Math.abs(x) > Math.abs(y)) this.go(x > 0 ? 'right' : 'left');
    else this.go(y > 0 ? 'down' : 'up');
  }

  square(name, c, r) {
    const moves = this.view.legal.filter((l) => l.cells?.some(([x, y]) => x === c && y === r));
    const can =
      this.onMove && moves.some((l) => l.count !== 2 || (l.cells[0][0] === c && l.cells[0][1] === r));
    const label = `${t('column {c}, row {r}', { c: c + 1, r: this.view.scene.rows.length - r })}, ${name ? said(name) : t('empty')}${moves.length === 1 ? `: ${moves[0].label}` : ''}`;
    return el(
      'div',
      {
        role: 'gridcell',
        class: `square${(c + r) % 2 ? ' dark' : ''}${can ? ' can' : ''}`,
        tabindex: '-1',
        'data-at': `${c},${r}`,
        'aria-label': label,
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

  /** Whether a move is on its way: what is legal after it only its answer tells. */
  waiting() {
    return this.waits && performance.now() - this.waits < LONGEST;
  }

  play(move) {
    if (this.waiting()) return;
    this.waits = performance.now();
    announce(move.label);
    for (const [c, r] of move.cells ?? []) this.at([c, r])?.classList.add('wait');
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
    if (event.ctrlKey || event.metaKey || event.altKey || this.slide(event)) return;
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
