// What fingers, mouse and keys do with a table of cards.
import { settings } from './memory.js';

/** A second tap so soon after a card was sent away is not meant for what lay under it. */
const AGAIN = 260;

export class Hand {
  constructor(table) {
    this.table = table;
    this.felt = table.felt;
    this.picked = null;
    this.focus = null;
    this.sent = 0;
    if (!table.onMove) return;
    this.felt.addEventListener('pointerdown', (e) => this.press(e));
    this.felt.addEventListener('dblclick', (e) => this.double(e));
    this.felt.addEventListener('keydown', (e) => this.key(e));
  }

  close() {
    this.release?.();
  }

  pick(place) {
    for (const node of this.felt.querySelectorAll('.picked, .aim')) node.classList.remove('picked', 'aim');
    this.picked = place;
    if (!place) return;
    for (const node of this.table.nodes(place.id, place.index)) node?.classList.add('picked');
    this.aim(this.table.from(place.id, place.index));
  }

  aim(moves) {
    for (const move of moves) {
      const pile = this.table.pile(move.to);
      (pile ? this.table.node(pile, pile.cards.length - 1) : null)?.classList.add('aim');
    }
  }

  /** A place was chosen: by a tap, which sends a card away if that is wanted, or by a key. */
  choose(id, index, tapped = false) {
    const { table } = this;
    const pile = table.pile(id);
    if (this.picked) {
      const move = table.from(this.picked.id, this.picked.index).find((l) => l.to === id);
      if (move) return table.play(move);
      const same = this.picked.id === id && this.picked.index === index;
      this.pick(null);
      if (same) return undefined;
    }
    if (pile.kind === 'stock') return table.turn();
    if (index < 0) return undefined;
    if (tapped && settings.tap) {
      if (performance.now() - this.sent < AGAIN) return undefined;
      if (table.send(id, index)) {
        this.sent = performance.now();
        return undefined;
      }
    }
    if (table.from(id, index).length) this.pick({ id, index });
    else {
      const [node] = table.nodes(id, index);
      node?.classList.add('no');
      setTimeout(() => node?.classList.remove('no'), 240);
    }
    return undefined;
  }

  target(event) {
    const node = event.target.closest?.('.card, .slot');
    if (!node) return null;
    const id = node.dataset.pile;
    const pile = this.table.pile(id);
    const index = node.classList.contains('card') ? Number(node.dataset.index) : pile.cards.length - 1;
    return { node, id, index: pile.kind === 'column' ? index : pile.cards.length - 1 };
  }

  // ---- pointer ----

  press(event) {
    if (event.button !== 0 || this.release) return;
    const hit = this.target(event);
    if (!hit) {
      this.pick(null);
      return;
    }
    event.preventDefault();
    hit.node.focus({ preventScroll: true, focusVisible: false });
    this.rove(hit.node);
    const { table } = this;
    const { pointerId, pointerType, clientX, clientY } = event;
    const movable =
      hit.index >= 0 && table.pile(hit.id).kind !== 'stock' && table.from(hit.id, hit.index).length > 0;
    let nodes = null;
    const away = (e) => [e.clientX - clientX, e.clientY - clientY];
    const move = (e) => {
      if (e.pointerId !== pointerId) return;
      const [dx, dy] = away(e);
      if (!nodes) {
        if (!movable || Math.hypot(dx, dy) < 5) return;
        nodes = table.nodes(hit.id, hit.index);
        this.pick(null);
        this.aim(table.from(hit.id, hit.index));
        nodes.forEach((node, i) => {
          node.classList.add('drag');
          node.style.zIndex = 1000 + i;
        });
      }
      for (const node of nodes)
        node.style.transform = `${node.style.getPropertyValue('--at')} translate(${dx}px, ${dy}px)`;
    };
    const up = (e) => {
      if (e.pointerId !== pointerId) return;
      this.release();
      const still = Math.hypot(...away(e)) < 8;
      if (nodes) this.drop(hit, nodes);
      else if (movable || pointerType !== 'touch' || still) this.choose(hit.id, hit.index, true);
    };
    const cancel = (e) => {
      if (e.pointerId !== pointerId) return;
      this.release();
      if (nodes) this.home(nodes);
    };
    const all = [
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', cancel],
    ];
    this.release = () => {
      for (const [name, listener] of all) removeEventListener(name, listener);
      this.release = null;
    };
    for (const [name, listener] of all) addEventListener(name, listener);
  }

  /** Cards that were dropped nowhere go back. */
  home(nodes) {
    this.pick(null);
    for (const node of nodes) {
      node.classList.remove('drag');
      node.style.transform = node.style.getPropertyValue('--at');
      node.style.zIndex = node.dataset.z;
    }
  }

  drop(hit, nodes) {
    const { table } = this;
    const { w, h, spots } = table.size;
    const box = nodes[0].getBoundingClientRect();
    const felt = this.felt.getBoundingClientRect();
    const [left, top] = [box.left - felt.left, box.top - felt.top];
    let best = null;
    for (const move of table.from(hit.id, hit.index)) {
      const pile = table.pile(move.to);
      const { x, y } = spots.get(move.to);
      const last = pile.cards.length ? table.node(pile, pile.cards.length - 1).getBoundingClientRect() : null;
      const bottom = (last ? last.bottom - felt.top : y + h) + h * 0.4;
      const wide = Math.min(left + w, x + w) - Math.max(left, x);
      const high = Math.min(top + h, bottom) - Math.max(top, y);
      const area = wide > 0 && high > 0 ? wide * high : 0;
      if (area > (best?.area ?? w * 4)) best = { area, move };
    }
    for (const node of nodes) node.classList.remove('drag');
    if (best) table.play(best.move);
    else this.home(nodes);
  }

  double(event) {
    const hit = this.target(event);
    if (settings.tap || !hit || hit.index < 0 || this.table.pile(hit.id).kind === 'stock') return;
    this.table.send(hit.id, hit.index);
  }

  // ---- keys ----

  /** One element of the table is in the order of tabs; arrows move it. */
  rove(node) {
    const { table } = this;
    // A table that has no place yet has no cards on it.
    if (!table.ids) return;
    const all = [...table.cards.values(), ...table.slots.values()];
    let now = node ?? (all.includes(document.activeElement) ? document.activeElement : null);
    if (!now || !all.includes(now)) {
      const held = this.focus && table.pile(this.focus.id);
      now = held
        ? table.node(held, Math.min(this.focus.index, held.cards.length - 1))
        : (this.first() ?? all[0]);
    }
    for (const other of all) other.tabIndex = other === now ? 0 : -1;
    // A card that had the focus and is gone passes it on.
    if (
      !node &&
      document.activeElement?.classList.contains('gone') &&
      this.felt.contains(document.activeElement)
    )
      now?.focus({ preventScroll: true });
    if (now?.dataset.pile) this.focus = { id: now.dataset.pile, index: Number(now.dataset.index ?? 0) };
  }

  /** The top of the first pile from which something can be moved. */
  first() {
    const { table } = this;
    const pile = table.piles.find((p) => p.cards.length && table.from(p.id, p.cards.length - 1).length);
    return pile && table.node(pile, pile.cards.length - 1);
  }

  go(pile) {
    const node = pile && this.table.node(pile, pile.cards.length - 1);
    this.to(node);
  }

  to(node) {
    if (!node) return;
    this.rove(node);
    node.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const hit = this.target(event);
    if (!hit) return;
    const { table } = this;
    const { spots } = table.size;
    const pile = table.pile(hit.id);
    const at = (p) => spots.get(p.id);
    const level = (p) => Math.round(at(p).y);
    // Piles lie in rows: left and right go along one, up and down to the next.
    const row = table.piles.filter((p) => level(p) === level(pile)).sort((a, b) => at(a).x - at(b).x);
    const levels = [...new Set(table.piles.map(level))].sort((a, b) => a - b);
    const beside = (by) => {
      const next = levels[levels.indexOf(level(pile)) + by];
      const there = table.piles.filter((p) => level(p) === next);
      return there.sort((a, b) => Math.abs(at(a).x - at(pile).x) - Math.abs(at(b).x - at(pile).x))[0];
    };
    const along = (by) => row[(row.indexOf(pile) + by + row.length) % row.length];
    const column = pile.kind === 'column';
    switch (event.key) {
      case 'ArrowLeft':
        this.go(along(-1));
        break;
      case 'ArrowRight':
        this.go(along(1));
        break;
      case 'ArrowUp':
        if (column && hit.index > 0 && pile.cards[hit.index - 1] !== '??')
          this.to(table.node(pile, hit.index - 1));
        else this.go(beside(-1));
        break;
      case 'ArrowDown':
        if (column && hit.index < pile.cards.length - 1) this.to(table.node(pile, hit.index + 1));
        else this.go(beside(1));
        break;
      case 'Enter':
      case ' ':
        this.choose(hit.id, hit.index);
        break;
      case 'f':
      case 'F':
        if (hit.index >= 0) table.send(hit.id, hit.index);
        break;
      case 'Escape':
        this.pick(null);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
