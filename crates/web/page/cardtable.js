// A table of cards: laid out, dragged, clicked, and played by keys alone.
import { announce, cardName, el, suitIn } from './dom.js';
import { back, face, suitSign } from './faces.js';

const RATIO = 1.4;

export class CardTable {
  /** `onMove` is given the name of a legal move; without it the table is only looked at. */
  constructor(host, onMove) {
    this.onMove = onMove;
    this.felt = el('div', { class: 'felt cards', role: 'group', 'aria-label': 'card table' });
    host.replaceChildren(this.felt);
    this.cards = new Map();
    this.slots = new Map();
    this.picked = null;
    this.focus = null;
    this.resize = new ResizeObserver(() => this.view && this.felt.clientWidth !== this.size.width && requestAnimationFrame(() => this.lay(false)));
    this.resize.observe(this.felt);
    if (onMove) {
      this.felt.addEventListener('pointerdown', (e) => this.press(e));
      this.felt.addEventListener('dblclick', (e) => this.double(e));
      this.felt.addEventListener('keydown', (e) => this.key(e));
    }
  }

  close() { this.resize.disconnect(); }

  show(view, { animate = true } = {}) {
    this.view = view;
    this.piles = view.scene.piles;
    this.stock = this.piles.find((p) => p.kind === 'stock');
    this.picked = null;
    this.lay(animate);
    this.hint(null);
    this.felt.querySelector('.win')?.remove();
    if (view.standing === 'won') this.felt.append(el('div', { class: 'win' }, el('strong', {}, 'Won!')));
    else if (view.standing === 'over') this.felt.append(el('div', { class: 'win' }, el('strong', {}, 'No move is left.')));
  }

  // ---- layout ----

  measure() {
    const width = this.felt.clientWidth;
    const columns = this.piles.filter((p) => p.kind === 'column');
    const top = this.piles.filter((p) => p.kind !== 'column');
    // A waste is fanned, so a place is left free beside it.
    const wide = (pile) => (pile.kind === 'waste' ? 2 : 1);
    const places = Math.max(columns.length, top.reduce((n, pile) => n + wide(pile), 0));
    const pad = Math.max(6, width * 0.018);
    const gap = Math.max(3, Math.min(16, width * 0.012));
    const w = Math.min(104, (width - 2 * pad - gap * (places - 1)) / places);
    const h = w * RATIO;
    const left = (width - places * w - (places - 1) * gap) / 2;
    const at = (i, n) => left + (i + (places - n) / 2) * (w + gap);
    const spots = new Map();
    // Cards are gathered on the right; what else is not laid out in columns comes from the left.
    const homes = top.filter((p) => p.kind === 'foundation');
    homes.forEach((pile, k) => spots.set(pile.id, { x: at(places - homes.length + k, places), y: pad }));
    let i = 0;
    for (const pile of top.filter((p) => p.kind !== 'foundation')) {
      spots.set(pile.id, { x: at(i, places), y: pad });
      i += wide(pile);
    }
    const below = top.length ? pad + h + Math.max(10, h * 0.16) : pad;
    columns.forEach((pile, k) => spots.set(pile.id, { x: at(k, columns.length), y: below }));
    return { width, w, h, pad, below, spots, gap };
  }

  lay(animate) {
    const m = (this.size = this.measure());
    this.felt.style.setProperty('--w', `${m.w}px`);
    this.felt.style.setProperty('--h', `${m.h}px`);
    this.felt.classList.toggle('tiny', m.w < 58);
    const columns = this.piles.filter((p) => p.kind === 'column');
    const room = Math.max(m.h * 2.6, Math.min(window.innerHeight * 0.8, 760) - m.below);
    let bottom = m.below + m.h * 2.1;
    const seen = new Set();
    this.ids = new Map();
    let z = 1;
    for (const pile of this.piles) {
      this.slot(pile, m);
      const { x, y } = m.spots.get(pile.id);
      const fan = this.fan(pile, m, room);
      const ids = [];
      this.ids.set(pile.id, ids);
      pile.cards.forEach((card, i) => {
        const { dx, dy } = fan(i);
        // Two packs have two of each card.
        const name = card === '??' ? `?${pile.id}:${i}` : card;
        const id = seen.has(name) ? `${name} of ${pile.id}:${i}` : name;
        seen.add(id);
        ids.push(id);
        this.place(id, card, pile, i, x + dx, y + dy, z++, animate, m);
        if (pile.kind === 'column') bottom = Math.max(bottom, y + dy + m.h);
      });
    }
    for (const [id, node] of this.cards) {
      if (!seen.has(id)) {
        this.cards.delete(id);
        node.classList.add('gone');
        node.tabIndex = -1;
        setTimeout(() => node.remove(), animate ? 180 : 0);
      }
    }
    this.felt.style.height = `${Math.max(bottom, columns.length ? 0 : m.h * 2) + m.pad}px`;
    this.rove();
  }

  /** Where the cards of a pile lie beside one another. */
  fan(pile, m, room) {
    const n = pile.cards.length;
    if (pile.kind === 'column') {
      const down = pile.cards.filter((c) => c === '??').length;
      let up = m.h * (m.w < 58 ? 0.37 : 0.29);
      let hidden = m.h * 0.11;
      const need = down * hidden + Math.max(0, n - down - 1) * up + m.h;
      const squeeze = need > room ? Math.max(0.3, (room - m.h) / (need - m.h)) : 1;
      up *= squeeze;
      hidden *= squeeze;
      return (i) => ({ dx: 0, dy: Math.min(i, down) * hidden + Math.max(0, i - down) * up });
    }
    if (pile.kind === 'waste') {
      const first = Math.max(0, n - 3);
      return (i) => ({ dx: Math.max(0, i - first) * m.w * 0.3, dy: 0 });
    }
    if (pile.kind === 'stock') return (i) => ({ dx: -Math.min(3, i / 6), dy: -Math.min(3, i / 6) });
    return () => ({ dx: 0, dy: 0 });
  }

  slot(pile, m) {
    let node = this.slots.get(pile.id);
    if (!node) {
      const suit = pile.kind === 'foundation' ? suitIn(pile.name) : null;
      node = el('button', { type: 'button', class: `slot ${pile.kind}`, 'data-pile': pile.id, tabindex: '-1' }, suit && suitSign(suit));
      this.slots.set(pile.id, node);
      this.felt.prepend(node);
    }
    const { x, y } = m.spots.get(pile.id);
    node.style.transform = `translate(${x}px, ${y}px)`;
    const turn = this.turns().find((l) => l.to === pile.id);
    node.setAttribute('aria-label', pile.cards.length ? pile.name : `${pile.name}, empty${turn ? `: ${turn.label}` : ''}`);
  }

  place(id, card, pile, index, x, y, z, animate, m) {
    let node = this.cards.get(id);
    const at = `translate(${x}px, ${y}px)`;
    if (!node) {
      node = el('button', { type: 'button', class: 'card', tabindex: '-1' }, card === '??' ? back() : face(card));
      this.cards.set(id, node);
      // A card that comes to light turns over; one from the stock comes from there.
      const from = animate && pile.kind === 'waste' && this.stock ? m.spots.get(this.stock.id) : null;
      if (from) {
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
      setTimeout(() => { node.style.zIndex = node.dataset.z; }, 240);
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
    const place = pile.cards.length > 1 ? `, ${index + 1} of ${pile.cards.length}` : '';
    node.setAttribute('aria-label', `${cardName(card)}, ${pile.name}${place}`);
  }

  // ---- moves ----

  pile(id) { return this.piles.find((p) => p.id === id); }

  /** The moves that turn the stock, or turn it over. */
  turns() { return this.stock ? this.view.legal.filter((l) => l.from === this.stock.id || l.to === this.stock.id) : []; }

  /** The legal moves of the card at this place of a pile, with all that lies on it. */
  from(id, index) {
    const pile = this.pile(id);
    if (!pile) return [];
    if (pile.kind === 'stock') return this.turns();
    const n = pile.cards.length - index;
    return this.view.legal.filter((l) => l.from === id && l.count === n && this.pile(l.to)?.kind !== 'stock');
  }

  nodes(id, index) {
    return this.ids.get(id).slice(index).map((card) => this.cards.get(card));
  }

  play(move) {
    this.pick(null);
    announce(move.label);
    this.onMove(move.name);
  }

  turn() {
    const [move] = this.turns();
    if (move) this.play(move);
    return Boolean(move);
  }

  /** Home if it can go there, else to the fullest column that takes it. */
  send(id, index) {
    const moves = this.from(id, index);
    const full = (l) => this.pile(l.to)?.cards.length ?? 0;
    const best = moves.find((l) => this.pile(l.to)?.kind === 'foundation')
      ?? moves.filter((l) => this.pile(l.to)?.kind === 'column').sort((a, b) => full(b) - full(a))[0]
      ?? moves[0];
    if (best) this.play(best);
    return Boolean(best);
  }

  pick(place) {
    for (const node of this.felt.querySelectorAll('.picked, .aim')) node.classList.remove('picked', 'aim');
    this.picked = place;
    if (!place) return;
    for (const node of this.nodes(place.id, place.index)) node?.classList.add('picked');
    this.aim(this.from(place.id, place.index));
  }

  aim(moves) {
    for (const move of moves) {
      const pile = this.pile(move.to);
      const top = pile?.cards.length ? this.nodes(pile.id, pile.cards.length - 1)[0] : this.slots.get(move.to);
      top?.classList.add('aim');
    }
  }

  /** A place was chosen, by a click or a key. */
  choose(id, index) {
    const pile = this.pile(id);
    if (this.picked) {
      const move = this.from(this.picked.id, this.picked.index).find((l) => l.to === id);
      if (move) return this.play(move);
      const same = this.picked.id === id && this.picked.index === index;
      this.pick(null);
      if (same) return undefined;
    }
    if (pile.kind === 'stock') return this.turn();
    if (index < 0) return undefined;
    const moves = this.from(id, index);
    if (moves.length) this.pick({ id, index });
    else {
      const [node] = this.nodes(id, index);
      node?.classList.add('no');
      setTimeout(() => node?.classList.remove('no'), 240);
    }
    return undefined;
  }

  target(event) {
    const node = event.target.closest?.('.card, .slot');
    if (!node) return null;
    const id = node.dataset.pile;
    const pile = this.pile(id);
    const index = node.classList.contains('card') ? Number(node.dataset.index) : pile.cards.length - 1;
    return { node, id, index: pile.kind === 'column' ? index : pile.cards.length - 1 };
  }

  // ---- pointer ----

  press(event) {
    if (event.button !== 0) return;
    const hit = this.target(event);
    if (!hit) { this.pick(null); return; }
    event.preventDefault();
    hit.node.focus({ preventScroll: true, focusVisible: false });
    this.rove(hit.node);
    const start = { x: event.clientX, y: event.clientY };
    const movable = hit.index >= 0 && this.pile(hit.id).kind !== 'stock' && this.from(hit.id, hit.index).length > 0;
    let nodes = null;
    const scroll = event.pointerType === 'touch' && !movable;
    const move = (e) => {
      const dx = e.clientX - start.x;
      const dy = e.clientY - start.y;
      if (!nodes) {
        if (!movable || Math.hypot(dx, dy) < 5) return;
        nodes = this.nodes(hit.id, hit.index);
        this.pick(null);
        this.aim(this.from(hit.id, hit.index));
        nodes.forEach((node, i) => { node.classList.add('drag'); node.style.zIndex = 1000 + i; });
      }
      for (const node of nodes) node.style.transform = `${node.style.getPropertyValue('--at')} translate(${dx}px, ${dy}px)`;
    };
    const up = (e) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      if (!nodes) { if (!scroll || Math.hypot(e.clientX - start.x, e.clientY - start.y) < 8) this.choose(hit.id, hit.index); return; }
      this.drop(hit, nodes);
    };
    const cancel = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      if (nodes) this.home(nodes);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
  }

  home(nodes) {
    this.pick(null);
    for (const node of nodes) {
      node.classList.remove('drag');
      node.style.transform = node.style.getPropertyValue('--at');
      node.style.zIndex = node.dataset.z;
    }
  }

  drop(hit, nodes) {
    const box = nodes[0].getBoundingClientRect();
    const felt = this.felt.getBoundingClientRect();
    let best = null;
    for (const move of this.from(hit.id, hit.index)) {
      const pile = this.pile(move.to);
      const { x, y } = this.size.spots.get(move.to);
      const last = pile.cards.length ? this.nodes(pile.id, pile.cards.length - 1)[0].getBoundingClientRect() : null;
      const bottom = (last ? last.bottom - felt.top : y + this.size.h) + this.size.h * 0.4;
      const left = box.left - felt.left;
      const top = box.top - felt.top;
      const wide = Math.min(left + this.size.w, x + this.size.w) - Math.max(left, x);
      const high = Math.min(top + this.size.h, bottom) - Math.max(top, y);
      const area = wide > 0 && high > 0 ? wide * high : 0;
      if (area > (best?.area ?? this.size.w * 4)) best = { area, move };
    }
    for (const node of nodes) node.classList.remove('drag');
    if (best) this.play(best.move);
    else this.home(nodes);
  }

  double(event) {
    const hit = this.target(event);
    if (hit && hit.index >= 0 && this.pile(hit.id).kind !== 'stock') this.send(hit.id, hit.index);
  }

  // ---- keys ----

  /** One element of the table is in the order of tabs; arrows move it. */
  rove(node) {
    const all = [...this.cards.values(), ...this.slots.values()];
    let now = node ?? (all.includes(document.activeElement) ? document.activeElement : null);
    if (!now || !all.includes(now)) {
      const held = this.focus && this.pile(this.focus.id);
      now = held ? this.node(held, Math.min(this.focus.index, held.cards.length - 1)) : this.first() ?? all[0];
    }
    for (const other of all) other.tabIndex = other === now ? 0 : -1;
    // A card that had the focus and is gone passes it on.
    if (!node && document.activeElement?.classList.contains('gone') && this.felt.contains(document.activeElement)) now?.focus({ preventScroll: true });
    if (now?.dataset.pile) this.focus = { id: now.dataset.pile, index: Number(now.dataset.index ?? 0) };
  }

  /** The top of the first pile from which something can be moved. */
  first() {
    const pile = this.piles.find((p) => p.cards.length && this.from(p.id, p.cards.length - 1).length);
    return pile && this.node(pile, pile.cards.length - 1);
  }

  node(pile, index) {
    return index >= 0 && pile.cards.length ? this.nodes(pile.id, Math.min(index, pile.cards.length - 1))[0] : this.slots.get(pile.id);
  }

  go(pile, index) {
    const node = this.node(pile, index);
    if (!node) return;
    this.rove(node);
    node.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const hit = this.target(event);
    if (!hit) return;
    const pile = this.pile(hit.id);
    const top = pile.kind !== 'column';
    const row = this.piles.filter((p) => (p.kind !== 'column') === top).sort((a, b) => this.size.spots.get(a.id).x - this.size.spots.get(b.id).x);
    const at = row.indexOf(pile);
    const other = (side) => {
      const x = this.size.spots.get(pile.id).x;
      return this.piles.filter((p) => (p.kind !== 'column') === side)
        .sort((a, b) => Math.abs(this.size.spots.get(a.id).x - x) - Math.abs(this.size.spots.get(b.id).x - x))[0];
    };
    switch (event.key) {
      case 'ArrowLeft': case 'ArrowRight': {
        const next = row[(at + (event.key === 'ArrowLeft' ? row.length - 1 : 1)) % row.length];
        this.go(next, next.cards.length - 1);
        break;
      }
      case 'ArrowUp':
        if (!top && hit.index > 0 && pile.cards[hit.index - 1] !== '??') this.go(pile, hit.index - 1);
        else if (!top) { const next = other(true); if (next) this.go(next, next.cards.length - 1); }
        break;
      case 'ArrowDown':
        if (top) { const next = other(false); if (next) this.go(next, next.cards.length - 1); }
        else if (hit.index < pile.cards.length - 1) this.go(pile, hit.index + 1);
        break;
      case 'Enter': case ' ': this.choose(hit.id, hit.index); break;
      case 'f': case 'F': if (hit.index >= 0) this.send(hit.id, hit.index); break;
      case 'Escape': this.pick(null); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- hints ----

  /** Marks the cards of a move and where they go. */
  hint(name) {
    for (const node of this.felt.querySelectorAll('.hint, .hint-to')) node.classList.remove('hint', 'hint-to');
    const move = name && this.view.legal.find((l) => l.name === name);
    if (!move) return;
    const [from, to] = [this.pile(move.from), this.pile(move.to)];
    const end = (pile) => (pile.cards.length ? this.nodes(pile.id, pile.cards.length - 1)[0] : this.slots.get(pile.id));
    if (from?.kind === 'stock' || to?.kind === 'stock') end(this.stock)?.classList.add('hint');
    else if (from && to) {
      for (const node of this.nodes(from.id, from.cards.length - move.count)) node?.classList.add('hint');
      end(to)?.classList.add('hint-to');
    }
  }
}
