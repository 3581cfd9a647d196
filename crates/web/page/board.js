// The board that suits a scene.

import { CardTable } from './cardtable.js';
import { el, figure, styles } from './dom.js';
import { t } from './words.js';

/** Facts such as `(cell 1 1 b)`, or null if the text is no list of them. */
function facts(text) {
  if (text.includes('\n') || !text.includes('(')) return null;
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
  // A sentence with a bracket in it is no list of facts.
  const fact = /^(\([\w-]+( [^,;:]*)?\)|[\w-]+)$/;
  return depth === 0 && found.every((f) => fact.test(f)) && found.some((f) => f.startsWith('('))
    ? found
    : null;
}

/** Words and a button for every move: whatever the scene, a game can be played. */
class TextTable {
  constructor(host, onMove) {
    this.onMove = onMove;
    styles();
    this.felt = el('div', { class: 'felt text-table' });
    host.replaceChildren(this.felt);
  }

  close() {}

  show(view) {
    const { text = view.text, seen } = view.scene;
    const list = facts(text);
    // Who was at a move is at the same one afterwards, or at the first.
    const had = [...(this.buttons ?? [])].find(([, node]) => node === document.activeElement);
    this.view = view;
    this.buttons = new Map(
      view.legal.map((move) => [
        move.name,
        el(
          'button',
          { type: 'button', disabled: !this.onMove, onclick: () => this.onMove(move.name) },
          move.label,
        ),
      ]),
    );
    this.felt.replaceChildren(
      ...[
        list
          ? el(
              'ul',
              { class: 'facts', 'aria-label': t('facts that hold') },
              list.map((fact) => el('li', {}, fact)),
            )
          : el('pre', {}, text),
        seen && el('p', {}, t('Seen: {seen}', { seen })),
        el('div', { class: 'choices', role: 'group', 'aria-label': t('legal moves') }, [
          ...this.buttons.values(),
        ]),
        view.standing !== 'open' &&
          el(
            'p',
            {},
            el(
              'strong',
              {},
              t('The game is over. {scored}: {score}', { scored: view.scored, score: figure(view.score) }),
            ),
          ),
      ].filter(Boolean),
    );
    if (had) (this.buttons.get(had[0]) ?? this.buttons.values().next().value)?.focus();
  }

  hint(name) {
    for (const [key, node] of this.buttons) node.classList.toggle('hint', key === name);
  }
}

/** A drawing for each kind of scene: cards are there at once, the others are asked for. */
const DRAWN = {
  tiles: async () => (await import('./tiles.js')).TileTable,
  grid: async () => (await import('./grid.js')).GridTable,
};
const known = { cards: CardTable };

/** A board that is made again when the kind of scene changes. */
export class Board {
  constructor(host, onMove) {
    this.host = host;
    this.onMove = onMove;
  }

  async show(view, options = {}) {
    this.view = view;
    const { kind } = view.scene;
    if (!known[kind] && DRAWN[kind]) {
      [known[kind]] = await Promise.all([DRAWN[kind](), styles()]);
      // Something newer was shown meanwhile, or the board is gone.
      if (this.view !== view || this.closed) return;
    }
    const Kind = known[kind] ?? TextTable;
    const shape = kind + (view.scene.piles?.map((p) => p.id).join() ?? '');
    if (this.shape !== shape || options.anew) {
      this.table?.close();
      this.table = new Kind(this.host, this.onMove);
      this.shape = shape;
    }
    this.table.show(view, options);
  }

  hint(name) {
    this.table?.hint(name);
  }

  turn() {
    return this.table?.turn?.();
  }

  close() {
    this.closed = true;
    this.table?.close();
  }
}
