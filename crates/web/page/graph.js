// Values over the game, and bounds over time.
import { fixed, svg } from './dom.js';
import { t } from './words.js';

const W = 360;
const H = 140;
const BOX = { l: 40, r: 8, t: 8, b: 20 };
const x = (i, n) => BOX.l + (n > 0 ? i / n : 0) * (W - BOX.l - BOX.r);
const y = (v, low, high) => H - BOX.b - ((v - low) / (high - low || 1)) * (H - BOX.t - BOX.b);
const tidy = (v) => fixed(v, Math.abs(v) >= 100 || Number.isInteger(v) ? 0 : Math.abs(v) >= 10 ? 1 : 2);

function frame(label, low, high, show) {
  const root = svg('svg', { class: 'graph', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': label });
  for (const v of [low, (low + high) / 2, high]) {
    root.append(
      svg('line', { class: 'axis', x1: BOX.l, x2: W - BOX.r, y1: y(v, low, high), y2: y(v, low, high) }),
      svg('text', { x: BOX.l - 5, y: y(v, low, high) + 4, 'text-anchor': 'end' }, show(v)),
    );
  }
  return root;
}

/** The value after every move; a click goes there. */
export function values(game, measure, go) {
  const now = game.moves.length;
  const n = Math.max(1, now + game.future.length);
  const known = [];
  for (let i = 0; i <= n; i += 1) if (Number.isFinite(game.values[i])) known.push([i, game.values[i]]);
  const win = measure === 'win_probability';
  const list = known.map(([, v]) => v);
  let low = win ? 0 : Math.min(0, ...list);
  let high = win ? 1 : Math.max(1, ...list);
  if (!list.length && !win) [low, high] = [0, 1];
  const root = frame(
    t('value over the game so far'),
    low,
    high,
    win ? (v) => `${Math.round(100 * v)}%` : tidy,
  );
  const line = (points, extra) =>
    points.length > 1 &&
    root.append(
      svg('polyline', {
        class: `line ${extra}`,
        points: points.map(([i, v]) => `${x(i, n)},${y(v, low, high)}`).join(' '),
      }),
    );
  line(
    known.filter(([i]) => i <= now),
    '',
  );
  line(
    known.filter(([i]) => i >= now),
    'later',
  );
  root.append(
    svg('line', { class: 'now', x1: x(now, n), x2: x(now, n), y1: BOX.t, y2: H - BOX.b }),
    svg(
      'text',
      { x: W - BOX.r, y: H - 4, 'text-anchor': 'end' },
      t('move {n} of {all}', { n: now, all: now + game.future.length }),
    ),
  );
  for (const [i, v] of known)
    root.append(svg('circle', { class: 'dot', cx: x(i, n), cy: y(v, low, high), r: 3.5 }));
  const hit = svg('rect', { class: 'hit', x: BOX.l, y: 0, width: W - BOX.l - BOX.r, height: H });
  hit.addEventListener('click', (e) => {
    const box = hit.getBoundingClientRect();
    go(Math.round(((e.clientX - box.left) / box.width) * n));
  });
  root.append(hit);
  return root;
}

/** The bounds of a solution closing in on one another. */
export function gap(points) {
  const last = points.at(-1);
  const time = Math.max(0.5, last?.seconds ?? 1);
  const all = points.flatMap((p) => [p.lower, p.value]).filter(Number.isFinite);
  const low = Math.max(0, Math.min(...all, 1e9) - 3);
  const high = Math.max(...all, low + 1) + 2;
  const root = frame(t('bounds of the shortest solution over time'), low, high, (v) => fixed(v, 0));
  const at = (p, key) => `${BOX.l + (p.seconds / time) * (W - BOX.l - BOX.r)},${y(p[key], low, high)}`;
  const lows = points.filter((p) => Number.isFinite(p.lower));
  const highs = points.filter((p) => Number.isFinite(p.value));
  if (lows.length && highs.length)
    root.append(
      svg('polygon', {
        class: 'between',
        points: [...lows.map((p) => at(p, 'lower')), ...highs.toReversed().map((p) => at(p, 'value'))].join(
          ' ',
        ),
      }),
    );
  root.append(
    svg('polyline', { class: 'low', points: lows.map((p) => at(p, 'lower')).join(' ') }),
    svg('polyline', { class: 'high', points: highs.map((p) => at(p, 'value')).join(' ') }),
    svg('text', { x: W - BOX.r, y: H - 4, 'text-anchor': 'end' }, `${fixed(time, 1)} s`),
  );
  return root;
}
