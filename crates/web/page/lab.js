// The laboratory: experiments of the stores, how far they are, and their reports.
import { get } from './api.js';
import { count, el } from './dom.js';

const EVERY = 2000;
const time = (s) => (s < 60 ? `${s.toFixed(0)} s` : s < 3600 ? `${(s / 60).toFixed(0)} min` : `${(s / 3600).toFixed(1)} h`);

export async function lab(main) {
  const body = el('tbody', {});
  const note = el('p', { class: 'soft', role: 'status' });
  const frame = el('div', {});
  main.replaceChildren(el('section', { class: 'panel' }, el('header', {}, el('h1', {}, 'Laboratory')), note,
    el('table', { class: 'list' }, el('thead', {}, el('tr', {}, ['Experiment', 'Progress', 'Units', 'Thread time', ''].map((t) => el('th', { scope: 'col' }, t)))), body)), frame);
  const report = (store, name) => {
    const query = `store=${encodeURIComponent(store)}&name=${encodeURIComponent(name)}`;
    frame.replaceChildren(el('h2', {}, name), el('iframe', { class: 'report', title: `report of ${name}`, sandbox: 'allow-scripts', src: `/api/lab/report?${query}` }));
    frame.scrollIntoView({ behavior: 'smooth' });
  };
  const row = (store, e) => el('tr', {},
    el('td', {}, el('strong', {}, e.name), e.quick && ' (quick)', el('br', {}), el('span', { class: 'soft small' }, e.title)),
    el('td', {}, el('progress', { max: Math.max(1, e.total), value: e.done, 'aria-label': `progress of ${e.name}` })),
    el('td', {}, `${count(e.done)} / ${count(e.total)}`), el('td', {}, time(e.seconds)),
    el('td', {}, el('button', { type: 'button', 'aria-label': `Report of ${e.name}`, onclick: () => report(store, e.name) }, 'Report')));
  const show = async () => {
    try {
      const { stores } = await get('lab');
      note.textContent = stores.length
        ? stores.map(({ store, experiments, error }) => error ?? `${store}: ${experiments.length} experiments`).join('; ')
        : 'No store was given: start the server with --store S.db.';
      const focused = document.activeElement?.getAttribute('aria-label');
      body.replaceChildren(...stores.flatMap(({ store, experiments }) => experiments.map((e) => row(store, e))));
      // The rows are new: who was at a button still is.
      if (focused?.startsWith('Report of ')) [...body.querySelectorAll('button')].find((b) => b.getAttribute('aria-label') === focused)?.focus();
    } catch (error) { note.textContent = error.message; }
  };
  await show();
  const timer = setInterval(show, EVERY);
  return () => clearInterval(timer);
}
