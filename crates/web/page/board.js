// The board that suits a scene.
import { el, figure } from './dom.js';
import { CardTable } from './cardtable.js';
import { TileTable } from './tiles.js';

/** Facts such as `(cell 1 1 b)`, or null if the text is no list of them. */
function facts(text) {
  if (!/^[(\w]/.test(text) || text.includes('\n') || !text.includes('(')) return null;
  const found = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i += 1) {
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    if ((i === text.length || text[i] === ' ') && depth === 0) {
      if (i > from) found.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return depth === 0 ? found : null;
}

/** Words and a button for every move: whatever the scene, a game can be played. */
class TextTable {
  constructor(host, onMove) {
    this.onMove = onMove;
    this.felt = el('div', { class: 'felt text-table' });
    host.replaceChildren(this.felt);
  }

  close() {}

  show(view) {
    const { text = view.text, seen } = view.scene;
    const list = facts(text);
    this.view = view;
    this.buttons = new Map(view.legal.map((move) => [move.name, el('button', { type: 'button', disabled: !this.onMove, onclick: () => this.onMove(move.name) }, move.label)]));
    this.felt.replaceChildren(...[
      list ? el('ul', { class: 'facts', 'aria-label': 'facts that hold' }, list.map((fact) => el('li', {}, fact))) : el('pre', {}, text),
      seen && el('p', {}, `Seen: ${seen}`),
      el('div', { class: 'choices', role: 'group', 'aria-label': 'legal moves' }, [...this.buttons.values()]),
      view.standing !== 'open' && el('p', {}, el('strong', {}, `The game is over. ${view.scored}: ${figure(view.score)}`)),
    ].filter(Boolean));
  }

  hint(name) {
    for (const [key, node] of this.buttons) node.classList.toggle('hint', key === name);
  }
}

/** A drawing for each kind of scene. */
const DRAWN = { cards: CardTable, tiles: TileTable };

/** A board that is made again when the kind of scene changes. */
export class Board {
  constructor(host, onMove) {
    this.host = host;
    this.onMove = onMove;
  }

  show(view, options) {
    const Kind = DRAWN[view.scene.kind] ?? TextTable;
    const shape = view.scene.kind + (view.scene.piles?.map((p) => p.id).join() ?? '');
    if (this.shape !== shape || options?.anew) {
      this.table?.close();
      this.table = new Kind(this.host, this.onMove);
      this.shape = shape;
    }
    this.table.show(view, options);
  }

  hint(name) { this.table?.hint(name); }
  turn() { return this.table?.turn?.(); }
  close() { this.table?.close(); }
}
