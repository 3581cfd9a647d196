// A game looked back at: the curve of its worth, the moves that cost much, where it was lost for good,
// and better lines to be replayed on the table.
import { search } from './api.js';
import { el, sign, svg } from './dom.js';
import { shown } from './hints.js';
import { t } from './words.js';

const W = 360;
const H = 150;
const BOX = { l: 38, r: 8, t: 8, b: 20 };
const SIGNS = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** How the worth of a whole game is called. */
const NAMES = {
  win_probability: 'Win probability',
  steps_to_go: 'Steps in all',
  score: 'Points in all',
  value: 'Value',
};

/** The curve with its band; marks on the moves that cost much, and a line where it was lost. */
function curve(review, at, go) {
  const { points, measure } = review;
  const n = Math.max(1, review.length - 1);
  const win = measure === 'win_probability';
  const all = points.flatMap((p) => [p.value, p.low, p.high]).filter(Number.isFinite);
  const least = Math.min(...all, win ? 0 : Infinity);
  const most = Math.max(...all, win ? 1 : -Infinity);
  const [low, high] = win ? [0, 1] : all.length ? [least, most > least ? most : least + 1] : [0, 1];
  const x = (i) => BOX.l + (i / n) * (W - BOX.l - BOX.r);
  const y = (v) => H - BOX.b - ((v - low) / (high - low)) * (H - BOX.t - BOX.b);
  const text = shown(measure).text;
  const root = svg('svg', {
    class: 'graph review-curve',
    viewBox: `0 0 ${W} ${H}`,
    role: 'img',
    'aria-label': t('worth of every position'),
  });
  for (const v of [low, (low + high) / 2, high]) {
    root.append(
      svg('line', { class: 'axis', x1: BOX.l, x2: W - BOX.r, y1: y(v), y2: y(v) }),
      svg(
        'text',
        { x: BOX.l - 5, y: y(v) + 4, 'text-anchor': 'end' },
        win ? `${Math.round(100 * v)}%` : text(v),
      ),
    );
  }
  const banded = points.filter((p) => Number.isFinite(p.low) && Number.isFinite(p.high));
  const place = (p, v) => `${x(p.moves)},${y(v)}`;
  if (banded.length > 1)
    root.append(
      svg('polygon', {
        class: 'between',
        points: [
          ...banded.map((p) => place(p, p.low)),
          ...banded.toReversed().map((p) => place(p, p.high)),
        ].join(' '),
      }),
    );
  const known = points.filter((p) => Number.isFinite(p.value));
  root.append(svg('polyline', { class: 'line', points: known.map((p) => place(p, p.value)).join(' ') }));
  const lost = review.fate?.lost;
  if (Number.isInteger(lost))
    root.append(svg('line', { class: 'lost-at', x1: x(lost), x2: x(lost), y1: BOX.t, y2: H - BOX.b }));
  root.append(svg('line', { class: 'now', x1: x(at), x2: x(at), y1: BOX.t, y2: H - BOX.b }));
  for (const p of points)
    if (SIGNS[p.mark] && Number.isFinite(p.value))
      root.append(svg('circle', { class: `mark ${p.mark}`, cx: x(p.moves), cy: y(p.value), r: 5 }));
  const hit = svg('rect', { class: 'hit', x: BOX.l, y: 0, width: W - BOX.l - BOX.r, height: H });
  hit.addEventListener('click', (e) => {
    const box = hit.getBoundingClientRect();
    go(Math.round(((e.clientX - box.left) / box.width) * n));
  });
  root.append(
    hit,
    svg('text', { x: W - BOX.r, y: H - 4, 'text-anchor': 'end' }, t('move {n} of {all}', { n: at, all: n })),
  );
  return root;
}

/** What all cards say of the game, in words. */
function fated(review) {
  const { fate, standing, points } = review;
  if (!fate) return null;
  const name = (moves) => t('move {n}, {label}', { n: moves, label: points[moves - 1]?.played ?? '' });
  const { winnable, lost } = fate;
  if (lost === 0) return t('With all cards seen: this deal cannot be won. It was not your fault.');
  if (Number.isInteger(lost) && winnable === lost - 1)
    return t('With all cards seen: {move} lost the game. That is proven.', { move: name(lost) });
  if (Number.isInteger(lost) && Number.isInteger(winnable))
    return t('With all cards seen: a win is proven up to move {n}, none from {move} on.', {
      n: winnable,
      move: name(lost),
    });
  if (Number.isInteger(lost))
    return t('With all cards seen: from {move} on it is proven lost.', { move: name(lost) });
  if (standing === 'won') return null;
  if (winnable === points.length - 1) return t('With all cards seen: it can still be won.');
  return Number.isInteger(winnable)
    ? t('With all cards seen: a win is proven up to move {n}; of the rest nothing is known.', { n: winnable })
    : t('With all cards seen: nothing could be proven.');
}

export function review(game, side) {
  side.querySelector('.review')?.remove();
  side.classList.add('open');
  const abort = new AbortController();
  const meter = el('p', { class: 'meter', role: 'status' });
  const chart = el('div', {});
  const verdict = el('div', {});
  const list = el('ol', { class: 'marks', 'aria-label': t('moves that cost much') });
  const close = () => {
    abort.abort();
    game.removeEventListener('change', mark);
    node.remove();
  };
  const shut = el(
    'button',
    { type: 'button', class: 'icon small-icon', 'aria-label': t('close the review'), onclick: close },
    '✕',
  );
  const node = el(
    'section',
    { class: 'panel review', 'aria-label': t('review') },
    el('header', {}, el('h2', {}, t('Review')), shut),
    meter,
    chart,
    verdict,
    list,
  );
  side.prepend(node);
  side.scrollTop = 0;
  // The whole game is reviewed, with what was taken back.
  const own = game.kept ?? game;
  const moves = [...own.moves, ...own.future];
  const { setup } = game;
  let said = null;
  let failed = '';

  const goto = (i) => (game.kept ? game.back().then(() => game.go(i)) : game.go(i)).catch(() => {});
  const better = async (point) => {
    await game.explore(point.moves, point.better.moves, 0);
    play();
  };
  let timer = null;
  function play() {
    clearInterval(timer);
    timer = setInterval(() => {
      if (!game.kept || !game.future.length) clearInterval(timer);
      else game.redo().catch(() => clearInterval(timer));
    }, 700);
  }
  const at = () => Math.min(game.moves.length, moves.length);
  function draw() {
    if (!said) return;
    const text = shown(said.measure).text;
    chart.replaceChildren(curve(said, at(), goto));
    const marked = said.points
      .filter((p) => SIGNS[p.mark])
      .sort((a, b) => (b.cost ?? Infinity) - (a.cost ?? Infinity))
      .slice(0, 12)
      .sort((a, b) => a.moves - b.moves);
    const became = (p) => {
      const after = said.points[p.moves + 1];
      const [a, b] = [
        p.better?.value ?? p.value,
        p.cost === null
          ? null
          : (p.better?.value ?? p.value) + (said.measure === 'steps_to_go' ? 1 : -1) * p.cost,
      ];
      if (!Number.isFinite(a)) return '';
      return Number.isFinite(b)
        ? t('{a} became {b}', { a: text(a), b: text(b) })
        : after?.lost
          ? t('{a} became lost', { a: text(a) })
          : '';
    };
    const row = (p) =>
      el(
        'li',
        { class: p.mark },
        el(
          'button',
          { type: 'button', onclick: () => goto(p.moves) },
          el('b', {}, `${p.moves + 1}${SIGNS[p.mark]}`),
          ' ',
          p.played,
          el('span', { class: 'why' }, became(p)),
        ),
        p.better?.moves.length > 0 &&
          el(
            'button',
            { type: 'button', class: 'better', onclick: () => better(p) },
            sign('play'),
            t('better: {label}', { label: p.better.label }),
          ),
      );
    list.replaceChildren(...marked.map(row));
    const count = (mark) => said.points.filter((p) => p.mark === mark).length;
    const kinds = t('{a} blunders, {b} mistakes, {c} inaccuracies', {
      a: count('blunder'),
      b: count('mistake'),
      c: count('inaccuracy'),
    });
    meter.textContent =
      failed ||
      `${t(NAMES[said.measure])} · ${said.done ? kinds : t('{n} of {all} positions', { n: said.points.length, all: moves.length + 1 })}`;
    const words = fated(said);
    const line = said.fate?.line ?? [];
    const from = said.fate?.winnable;
    verdict.replaceChildren(
      ...(words ? [el('p', { class: Number.isInteger(said.fate.lost) ? 'lost' : 'good' }, words)] : []),
      ...(Number.isInteger(from) && said.standing !== 'won'
        ? [
            line.length
              ? el(
                  'button',
                  {
                    type: 'button',
                    onclick: async () => {
                      await game.explore(from, line, 0);
                      play();
                    },
                  },
                  sign('play'),
                  t('Replay a win from move {n}', { n: from }),
                )
              : el(
                  'button',
                  { type: 'button', onclick: () => run(true) },
                  t('Show how, with all cards seen'),
                ),
          ]
        : []),
    );
  }
  const mark = ({ detail }) => {
    // Another game is another review.
    if (detail.anew && JSON.stringify(game.setup) !== JSON.stringify(setup)) close();
    else draw();
  };
  game.addEventListener('change', mark);

  async function run(reveal) {
    meter.textContent = t('Looking at every position …');
    const told = (r) => {
      said = { ...r, length: moves.length + 1, fate: r.fate ?? said?.fate };
      draw();
    };
    try {
      const r = await search(
        'review',
        { setup, moves, seconds: reveal ? 0.02 : 0.3, reveal },
        reveal ? () => {} : told,
        abort.signal,
      );
      // The line alone is new: what was thought of the moves stands.
      if (reveal) {
        said.fate = r.fate;
        draw();
      } else told(r);
    } catch (error) {
      if (error.name !== 'AbortError') {
        failed = error.message;
        meter.textContent = failed;
      }
    }
  }
  run(false);
}
