// A search tree drawn: nodes as large as they are often visited, the way of an iteration marked.
import { fixed, observed, svg } from './dom.js';
import { t } from './words.js';

/** More nodes than these are too many to look at: the least visited are left out. */
const MOST = 90;
const LEVEL = 104;
const ROOM = 84;
/** It shrinks to its place down to this share, so that its words can be read. */
const LEAST = 0.85;

export function forest({ trace, seen, path, phase, episode, edges, two, hover }) {
  const { nodes } = trace;
  const way = new Set(path);
  const visits = (n) => edges(n).reduce((sum, e) => sum + e.visits, 0);
  const shown = nodes.map((_, i) => i).filter((i) => seen[i]);
  const few = new Set(
    shown
      .toSorted((a, b) => Number(way.has(b)) - Number(way.has(a)) || visits(b) - visits(a) || a - b)
      .slice(0, MOST),
  );
  // A node stands only below one that stands.
  const stands = (i) => few.has(i) && (nodes[i].parent === null || stands(nodes[i].parent));
  const all = shown.filter(stands);
  const children = new Map(all.map((i) => [i, []]));
  for (const i of all) if (nodes[i].parent !== null) children.get(nodes[i].parent).push(i);
  for (const list of children.values())
    list.sort((a, b) => (nodes[a].action + nodes[a].seen < nodes[b].action + nodes[b].seen ? -1 : 1));
  // Leaves side by side, a node above the middle of its children.
  const at = new Map();
  let leaf = 0;
  const lay = (i, depth) => {
    const below = children.get(i);
    for (const c of below) lay(c, depth + 1);
    const x = below.length
      ? below.reduce((s, c) => s + at.get(c).x, 0) / below.length
      : (leaf++ + 0.5) * ROOM;
    at.set(i, { x, y: 36 + depth * LEVEL, depth });
  };
  lay(0, 0);
  const width = Math.max(leaf * ROOM, 320);
  const height = Math.max(...[...at.values()].map((p) => p.y)) + (phase === 'Rollout' ? 110 : 60);
  const root = svg('svg', {
    class: 'forest-svg',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': t('search tree'),
  });
  // As large as the page's type: it is for lectures too.
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 15;
  root.style.width = `${scale * width}px`;
  root.style.minWidth = `${LEAST * scale * width}px`;
  const most = Math.max(1, visits(0));
  const radius = (i) => 7 + 15 * Math.sqrt(visits(i) / most);
  const on = (a, b) => way.has(a) && way.has(b) && path.indexOf(b) === path.indexOf(a) + 1;
  // Words lie over lines.
  const words = svg('g', {});
  for (const i of all) {
    const up = nodes[i].parent;
    if (up === null) continue;
    const [a, b] = [at.get(up), at.get(i)];
    const taken = on(up, i);
    root.append(
      svg('path', {
        class: `branch${taken ? ' taken' : ''}${taken && phase === 'Backup' ? ' backup' : ''}`,
        d: `M${a.x} ${a.y}C${a.x} ${(a.y + b.y) / 2} ${b.x} ${(a.y + b.y) / 2} ${b.x} ${b.y}`,
      }),
    );
    const edge = edges(up).find((e) => e.action === nodes[i].action);
    const label = svg(
      'text',
      {
        class: `edge-text${taken ? ' taken' : ''}`,
        x: b.x,
        y: b.y - radius(i) - 27,
        'text-anchor': 'middle',
      },
      svg('tspan', { class: 'action' }, `${nodes[i].action} ${observed(nodes[i].seen)}`.trim()),
    );
    // The numbers that were compared stand at the nodes of the way.
    if (edge && (way.has(up) || all.length < 26)) {
      const { x } = b;
      label.append(svg('tspan', { x, dy: 11 }, `Q ${fixed(edge.value, 2)}  n ${edge.visits}`));
      if (edge.bonus !== null) label.append(svg('tspan', { x, dy: 11 }, `+${fixed(edge.bonus, 2)}`));
    }
    words.append(label);
  }
  root.append(words);
  for (const i of all) {
    const { x, y } = at.get(i);
    const added = episode.added === i;
    const node = svg('circle', {
      class: `node${way.has(i) ? ' taken' : ''}${added ? ' added' : ''}${two && nodes[i].minimising ? ' min' : ''}${nodes[i].over ? ' over' : ''}`,
      cx: x,
      cy: y,
      r: radius(i),
      tabindex: '-1',
    });
    node.addEventListener('pointerenter', () => hover(i));
    node.addEventListener('pointerleave', () => hover(null));
    root.append(
      node,
      svg(
        'text',
        { class: 'count', x, y: y + 4, 'text-anchor': 'middle' },
        i === 0 || visits(i) ? String(visits(i)) : '',
      ),
    );
  }
  if (phase === 'Rollout') {
    const last = path.filter((i) => at.has(i)).at(-1) ?? 0;
    const { x, y } = at.get(last);
    root.append(svg('path', { class: 'rollout', d: `M${x} ${y + radius(last)}q14 14 0 26t0 26` }));
    if (episode.result !== null)
      root.append(
        svg(
          'text',
          { class: 'result', x, y: y + radius(last) + 72, 'text-anchor': 'middle' },
          fixed(episode.result, 2),
        ),
      );
  }
  return root;
}
