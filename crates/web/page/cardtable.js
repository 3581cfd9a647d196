// A table of cards: what lies where, drawn and moved. What fingers and keys do with it is in hand.js.
import { announce, cardName, el, suitIn } from './dom.js';
import { back, corner, face, suitSign } from './faces.js';
import { fan, layout, TINY } from './layout.js';
import { said, t } from './words.js';

export class CardTable {
  /** `onMove` is given the name of a legal move; without it the table is only looked at. */
  constructor(host, onMove) {
    this.onMove = onMove;
    this.host = host;
    this.felt = el('div', { class: 'felt cards', role: 'group', 'aria-label': t('card table') });
    host.replaceChildren(this.felt);
    this.cards = new Map();
    this.slots = new Map();
    this.resize = new ResizeObserver(
      () => this.view && this.changed() && requestAnimationFrame(() => this.lay(false)),
    );
    this.resize.observe(host);
  }

  close() {
    this.resize.disconnect();
    this.hand?.close();
  }

  /** The place there is: that of the host, or where its height is open, a share of the screen. */
  place() {
    const width = this.host.clientWidth;
    const fixed = this.host.classList.contains('fit');
    return { width, height: fixed ? this.host.clientHeight : Math.min(innerHeight * 0.72, width * 0.86) };
  }

  changed() {
    const { width, height } = this.place();
    return width !== this.size?.width || Math.abs(height - this.size.height) > 1;
  }

  show(view, { animate = true } = {}) {
    this.view = view;
    this.piles = view.scene.piles;
    this.stock = this.piles.find((p) => p.kind === 'stock');
    this.hand?.pick(null);
    this.lay(animate);
    this.hint(null);
    this.grow();
  }

  /** Cards are seen first; hands come after them. */
  grow() {
    if (this.growing) return;
    this.growing = true;
    requestAnimationFrame(async () => {
      const { Hand } = await import('./hand.js');
      this.hand = new Hand(this);
      this.hand.rove();
    });
  }

  lay(animate) {
    const { width, height } = this.place();
    if (!width || !height) return;
    const m = layout(this.piles, width, height);
    this.size = m;
    this.felt.style.setProperty('--w', `${m.w}px`);
    this.felt.style.setProperty('--h', `${m.h}px`);
    this.felt.style.height = `${height}px`;
    this.felt.classList.toggle('tiny', m.w < TINY);
    const seen = new Set();
    this.ids = new Map();
    let z = 1;
    for (const pile of this.piles) {
      this.slot(pile, m);
      const { x, y } = m.spots.get(pile.id);
      const at = fan(pile, m);
      const ids = [];
      this.ids.set(pile.id, ids);
      pile.cards.forEach((card, i) => {
        const { dx, dy } = at(i);
        // Two packs have two of each card.
        const name = card === '??' ? `?${pile.id}:${i}` : card;
        const id = seen.has(name) ? `${name} of ${pile.id}:${i}` : name;
        seen.add(id);
        ids.push(id);
        this.put(id, card, pile, i, x + dx, y + dy, z, animate, m);
        z += 1;
      });
    }
    for (const [id, node] of this.cards) {
      if (seen.has(id)) continue;
      this.cards.delete(id);
      node.classList.add('gone');
      node.tabIndex = -1;
      setTimeout(() => node.remove(), animate ? 180 : 0);
    }
    // Places that were taken: a card that comes to light there has been laid down already.
    this.was = new Set(this.piles.flatMap((p) => p.cards.map((_, i) => `${p.id}:${i}`)));
    this.hand?.rove();
  }

  slot(pile, m) {
    let node = this.slots.get(pile.id);
    if (!node) {
      const suit = pile.kind === 'foundation' ? suitIn(pile.name) : null;
      node = el(
        'button',
        { type: 'button', class: `slot ${pile.kind}`, 'data-pile': pile.id, tabindex: '-1' },
        suit && suitSign(suit),
      );
      this.slots.set(pile.id, node);
      this.felt.prepend(node);
    }
    const { x, y } = m.spots.get(pile.id);
    node.style.transform = `translate(${x}px, ${y}px)`;
    const turn = this.turns().find((l) => l.to === pile.id);
    node.setAttribute(
      'aria-label',
      pile.cards.length
        ? said(pile.name)
        : `${said(pile.name)}, ${t('empty')}${turn ? `: ${turn.label}` : ''}`,
    );
  }

  put(id, card, pile, index, x, y, z, animate, m) {
    let node = this.cards.get(id);
    const at = `translate(${x}px, ${y}px)`;
    if (!node) {
      const open = card !== '??';
      const look = open ? { class: `card s-${card[1]}`, 'data-rank': corner(card) } : { class: 'card' };
      node = el('button', { type: 'button', tabindex: '-1', ...look }, open ? face(card) : back());
      this.cards.set(id, node);
      // A card that comes to light turns over; one from the stock comes from there.
      const from = animate && pile.kind === 'waste' && this.stock ? m.spots.get(this.stock.id) : null;
      if (from && !this.was?.has(`${pile.id}:${index}`)) {
        node.style.transform = `translate(${from.x}px, ${from.y}px)`;
        this.felt.append(node);
        node.getBoundingClientRect();
      } else {
        node.style.transform = at;
        this.felt.append(node);
      }
      if (animate && card !== '??') node.classList.add('flip');
    } else if (animate && node.dataset.at !== at) {
      // What moves lies above what stays.
      node.style.zIndex = 500 + z;
      setTimeout(() => {
        node.style.zIndex = node.dataset.z;
      }, 240);
    }
    node.dataset.at = at;
    node.dataset.pile = pile.id;
    node.dataset.index = index;
    node.dataset.z = z;
    if (!(animate && Number(node.style.zIndex) >= 500)) node.style.zIndex = z;
    node.style.setProperty('--at', at);
    node.style.transform = at;
    node.classList.remove('drag', 'picked');
    const movable = this.onMove && this.from(pile.id, index).length > 0;
    node.classList.toggle('fixed', !movable);
    // Shadows of a whole pile would add up to black.
    node.classList.toggle('under', pile.kind !== 'column' && index < pile.cards.length - 3);
    const place =
      pile.cards.length > 1 ? `, ${t('{n} of {all}', { n: index + 1, all: pile.cards.length })}` : '';
    node.setAttribute('aria-label', `${cardName(card)}, ${said(pile.name)}${place}`);
  }

  // ---- moves ----

  pile(id) {
    return this.piles.find((p) => p.id === id);
  }

  /** The moves that turn the stock, or turn it over. */
  turns() {
    return this.stock
      ? this.view.legal.filter((l) => l.from === this.stock.id || l.to === this.stock.id)
      : [];
  }

  /** The legal moves of the card at this place of a pile, with all that lies on it. */
  from(id, index) {
    const pile = this.pile(id);
    if (!pile) return [];
    if (pile.kind === 'stock') return this.turns();
    const n = pile.cards.length - index;
    return this.view.legal.filter((l) => l.from === id && l.count === n && this.pile(l.to)?.kind !== 'stock');
  }

  nodes(id, index) {
    return this.ids
      .get(id)
      .slice(index)
      .map((card) => this.cards.get(card));
  }

  /** The node at a place of a pile, or that of the empty pile. */
  node(pile, index) {
    return index >= 0 && pile.cards.length
      ? this.nodes(pile.id, Math.min(index, pile.cards.length - 1))[0]
      : this.slots.get(pile.id);
  }

  play(move) {
    this.hand?.pick(null);
    announce(move.label);
    this.onMove(move.name);
  }

  turn() {
    const [move] = this.turns();
    if (move) this.play(move);
    return Boolean(move);
  }

  /** Home if it can go there, else to the fullest column that takes it, else anywhere. */
  send(id, index) {
    const kind = (l) => this.pile(l.to)?.kind;
    const full = (l) => this.pile(l.to)?.cards.length ?? 0;
    // A whole column into an empty one is no move worth a tap.
    const moves = this.from(id, index).filter(
      (l) => !(index === 0 && this.pile(id).kind === 'column' && kind(l) === 'column' && !full(l)),
    );
    const columns = moves.filter((l) => kind(l) === 'column').sort((a, b) => full(b) - full(a));
    const best = moves.find((l) => kind(l) === 'foundation') ?? columns[0] ?? moves[0];
    if (best) this.play(best);
    return Boolean(best);
  }

  // ---- hints ----

  /** Marks the cards of a move and where they go. */
  hint(name) {
    for (const node of this.felt.querySelectorAll('.hint, .hint-to'))
      node.classList.remove('hint', 'hint-to');
    const move = name && this.view.legal.find((l) => l.name === name);
    if (!move) return;
    const [from, to] = [this.pile(move.from), this.pile(move.to)];
    const end = (pile) => this.node(pile, pile.cards.length - 1);
    if (from?.kind === 'stock' || to?.kind === 'stock') end(this.stock)?.classList.add('hint');
    else if (from && to) {
      for (const node of this.nodes(from.id, from.cards.length - move.count)) node?.classList.add('hint');
      end(to)?.classList.add('hint-to');
    }
  }
}
