// The laboratory: experiments of the stores, how far they are, their reports, specs and figures.
import { get } from './api.js';
import { choice, closing, count, dialog, el, fixed } from './dom.js';
import { parts } from './game.js';
import { plot } from './plot.js';
import { t } from './words.js';

const EVERY = 2000;
const time = (s) =>
  s < 60 ? `${fixed(s, 0)} s` : s < 3600 ? `${fixed(s / 60, 0)} min` : `${fixed(s / 3600, 1)} h`;
const which = ({ store, name }) => `store=${encodeURIComponent(store)}&name=${encodeURIComponent(name)}`;
const ORDERS = {
  name: (a, b) => a.name.localeCompare(b.name),
  progress: (a, b) => b.done / Math.max(1, b.total) - a.done / Math.max(1, a.total),
  time: (a, b) => b.seconds - a.seconds,
};

export async function lab(main, _page, query) {
  const asked = parts(query);
  const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);
  const wanted = el('input', {
    type: 'search',
    placeholder: t('search'),
    'aria-label': t('search'),
    oninput: () => list(),
  });
  const order = choice(
    t('sort by'),
    [
      ['name', t('by name')],
      ['progress', t('by progress')],
      ['time', t('by time')],
    ],
    'name',
    () => list(),
  );
  const note = el('p', { class: 'soft', role: 'status' });
  const rows = el('ul', { class: 'experiments', 'aria-label': t('experiments') });
  const chart = el('section', { class: 'panel', hidden: true, 'aria-label': t('chart') });
  const frame = el('div', {});
  main.replaceChildren(
    el(
      'section',
      { class: 'panel' },
      el('header', {}, el('h1', {}, t('Laboratory')), el('div', { class: 'row' }, wanted, order)),
      note,
      rows,
    ),
    chart,
    frame,
  );
  let all = [];
  /** What is on the chart: at most two experiments, with their data. */
  const drawn = new Map();
  const keyOf = (e) => `${e.store} ${e.name} ${e.quick}`;

  const report = (e, scroll = true) => {
    history.replaceState(
      null,
      '',
      `#/lab?report=${encodeURIComponent(e.name)}&store=${encodeURIComponent(e.store)}`,
    );
    frame.replaceChildren(
      el('h2', {}, e.name),
      el('iframe', {
        class: 'report',
        title: t('report of {name}', e),
        sandbox: 'allow-scripts',
        src: `/api/lab/report?${which(e)}`,
      }),
    );
    if (scroll) frame.scrollIntoView({ behavior: 'smooth' });
  };
  async function spec(e) {
    const { experiments } = await get(`lab/data?${which(e)}`);
    dialog(
      t('Spec of {name}', e),
      el('pre', { class: 'spec', tabindex: '0' }, experiments[0]?.spec ?? ''),
      closing(),
    );
  }
  async function draw(e, on) {
    drawn.delete(keyOf(e));
    if (on) {
      const { experiments } = await get(`lab/data?${which(e)}`);
      if (drawn.size > 1) drawn.delete(drawn.keys().next().value);
      drawn.set(keyOf(e), { name: e.name, experiments });
    }
    list();
    chart.hidden = drawn.size === 0;
    if (drawn.size)
      plot(
        chart,
        [...drawn.values()].flatMap((d) => d.experiments),
      );
  }
  const row = (e) =>
    el(
      'li',
      { 'data-key': keyOf(e) },
      el(
        'div',
        { class: 'what' },
        el('strong', {}, e.name),
        e.quick && ` (${t('quick')})`,
        el('span', { class: 'soft small' }, e.title),
      ),
      el(
        'div',
        { class: 'far' },
        el('progress', {
          max: Math.max(1, e.total),
          value: e.done,
          'aria-label': t('progress of {name}', e),
        }),
        el('span', { class: 'small' }, `${count(e.done)} / ${count(e.total)} · ${time(e.seconds)}`),
      ),
      el(
        'div',
        { class: 'row' },
        button(t('Report'), () => report(e), { 'aria-label': t('Report of {name}', e) }),
        button(t('Spec'), () => spec(e), { 'aria-label': t('Spec of {name}', e) }),
        el(
          'a',
          {
            class: 'button',
            href: `/api/lab/csv?${which(e)}`,
            download: `${e.name}.csv`,
            'aria-label': t('CSV of {name}', e),
          },
          'CSV',
        ),
        button(t('Chart'), () => draw(e, !drawn.has(keyOf(e))), {
          'aria-pressed': String(drawn.has(keyOf(e))),
          'aria-label': t('Chart of {name}', e),
        }),
      ),
    );
  function list() {
    const text = wanted.value.trim().toLowerCase();
    const fits = all
      .filter((e) => `${e.name} ${e.title}`.toLowerCase().includes(text))
      .sort(ORDERS[order.value]);
    const focused = document.activeElement?.getAttribute('aria-label');
    const was = document.activeElement?.closest?.('[data-key]')?.dataset.key;
    rows.replaceChildren(...fits.map(row));
    // The rows are new: who was at a button still is.
    if (was)
      [...rows.querySelectorAll('button, a')]
        .find((b) => b.getAttribute('aria-label') === focused && b.closest('[data-key]').dataset.key === was)
        ?.focus();
  }
  let closed = false;
  const show = async () => {
    try {
      const { stores } = await get('lab');
      if (closed) return;
      note.textContent = stores.length
        ? stores
            .map(
              ({ store, experiments, error }) =>
                error ?? t('{store}: {n} experiments', { store, n: experiments.length }),
            )
            .join('; ')
        : t('No store was given: start the server with --store S.db.');
      const next = stores.flatMap(({ store, experiments }) => experiments.map((e) => ({ ...e, store })));
      if (JSON.stringify(next) === JSON.stringify(all)) return;
      all = next;
      list();
    } catch (error) {
      note.textContent = error.message;
    }
  };
  const linked = () => {
    if (closed || !asked.report) return;
    const [name, store] = [decodeURIComponent(asked.report), decodeURIComponent(asked.store ?? '')];
    const found = all.find((e) => e.name === name && (!store || e.store === store));
    if (found) report(found, false);
    else note.textContent = t('There is no experiment {name} in these stores.', { name });
  };
  show().then(linked);
  const timer = setInterval(show, EVERY);
  return () => {
    closed = true;
    clearInterval(timer);
  };
}
