// Figures of one experiment or two on one chart; every arm or series can be switched off.
import { check, choice, el, svg } from './dom.js';
import { t } from './words.js';

const W = 720;
const H = 380;
const BOX = { l: 60, r: 16, t: 14, b: 36 };
const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#7f7f00',
  '#8c564b',
  '#4c6ef5',
  '#2f9e44',
];
const tidy = (v) => (Math.abs(v) >= 1000 ? v.toExponential(1) : Number(v.toPrecision(3)).toString());

/** The lines of a column: each a name and points of x, value and interval. */
function lines(experiments, column) {
  const found = new Map();
  for (const experiment of experiments) {
    experiment.arms.forEach((arm, place) => {
      const columns = arm.columns.filter((c) => c.name === column && Number.isFinite(c.value));
      const curve = columns.some((c) => c.x !== null);
      const series = curve || arm.x === null ? arm.name : arm.series || arm.name;
      const name = experiments.length > 1 ? `${experiment.name}: ${series}` : series;
      if (!found.has(name)) found.set(name, []);
      for (const c of columns)
        found
          .get(name)
          .push({ x: c.x ?? arm.x ?? place + 1, y: c.value, low: c.at95?.low, high: c.at95?.high });
    });
  }
  for (const points of found.values()) points.sort((a, b) => a.x - b.x);
  return [...found].filter(([, points]) => points.length);
}

export function plot(host, experiments) {
  const names = [...new Set(experiments.flatMap((e) => e.arms.flatMap((a) => a.columns.map((c) => c.name))))];
  const off = new Set();
  const place = el('div', { class: 'plot' });
  const legend = el('div', { class: 'legend' });
  const pick = choice(
    t('figure'),
    names.map((n) => [n, n]),
    names[0],
    () => draw(),
  );
  const log = check(t('logarithmic x'), false, () => draw());
  host.replaceChildren(
    el(
      'header',
      {},
      el('h2', {}, experiments.map((e) => e.title || e.name).join(' · ')),
      el('div', { class: 'row' }, pick, log),
    ),
    place,
    legend,
  );
  function draw() {
    const all = lines(experiments, pick.value);
    const on = all.filter(([name]) => !off.has(name));
    legend.replaceChildren(
      ...all.map(([name], i) => {
        const line = el('i', {});
        line.style.background = COLOURS[i % COLOURS.length];
        const node = check(name, !off.has(name), (yes) => {
          if (yes) off.delete(name);
          else off.add(name);
          draw();
        });
        node.insertBefore(line, node.lastChild);
        return node;
      }),
    );
    const points = on.flatMap(([, p]) => p);
    if (!points.length) {
      place.replaceChildren(el('p', { class: 'soft' }, t('Nothing to be drawn.')));
      return;
    }
    const scale = log.firstChild.checked && points.every((p) => p.x > 0) ? Math.log10 : (v) => v;
    const [left, right] = [
      Math.min(...points.map((p) => scale(p.x))),
      Math.max(...points.map((p) => scale(p.x))),
    ];
    const low = Math.min(...points.map((p) => p.low ?? p.y));
    const high = Math.max(...points.map((p) => p.high ?? p.y));
    const x = (v) => BOX.l + ((scale(v) - left) / (right - left || 1)) * (W - BOX.l - BOX.r);
    const y = (v) => H - BOX.b - ((v - low) / (high - low || 1)) * (H - BOX.t - BOX.b);
    const root = svg('svg', {
      class: 'graph wide-graph',
      viewBox: `0 0 ${W} ${H}`,
      role: 'img',
      'aria-label': t('{figure} of {n} lines', { figure: pick.value, n: on.length }),
    });
    for (let i = 0; i <= 4; i += 1) {
      const v = low + ((high - low) * i) / 4;
      root.append(
        svg('line', { class: 'axis', x1: BOX.l, x2: W - BOX.r, y1: y(v), y2: y(v) }),
        svg('text', { x: BOX.l - 6, y: y(v) + 4, 'text-anchor': 'end' }, tidy(v)),
      );
    }
    for (const v of [...new Set(points.map((p) => p.x))]
      .sort((a, b) => a - b)
      .filter((_, i, list) => i % Math.ceil(list.length / 8) === 0))
      root.append(svg('text', { x: x(v), y: H - 12, 'text-anchor': 'middle' }, tidy(v)));
    for (const [i, [name, list]] of all.entries()) {
      if (off.has(name)) continue;
      const colour = COLOURS[i % COLOURS.length];
      root.append(
        svg('polyline', {
          points: list.map((p) => `${x(p.x)},${y(p.y)}`).join(' '),
          fill: 'none',
          stroke: colour,
          'stroke-width': 2,
        }),
      );
      for (const p of list) {
        if (Number.isFinite(p.low) && Number.isFinite(p.high))
          root.append(
            svg('line', {
              x1: x(p.x),
              x2: x(p.x),
              y1: y(p.low),
              y2: y(p.high),
              stroke: colour,
              'stroke-width': 1.5,
            }),
          );
        root.append(
          svg(
            'circle',
            { cx: x(p.x), cy: y(p.y), r: 3.2, fill: colour },
            svg('title', {}, `${name}: ${tidy(p.x)}, ${tidy(p.y)}`),
          ),
        );
      }
    }
    place.replaceChildren(root);
  }
  draw();
}
