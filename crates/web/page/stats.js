// Statistics: what was played and won in this browser, game by game.
import { clock, closing, dialog, el } from './dom.js';
import { choices, named } from './games.js';
import * as memory from './memory.js';
import { t } from './words.js';

export function stats(list, chosen) {
  const all = memory.stats();
  const kinds = Object.keys(all).sort((a, b) => Number(b === chosen) - Number(a === chosen));
  const name = (kind) => {
    const info = named(list, kind);
    const own = info && choices(info).find(([value]) => value === kind)?.[1];
    return info && own && own !== info.title ? `${info.title}, ${own}` : (info?.title ?? kind);
  };
  const share = (row) => (row.played ? `${Math.round((100 * row.won) / row.played)} %` : '–');
  const section = (kind) => {
    const row = memory.statsOf(kind);
    const won = memory.days()[kind] ?? [];
    const facts = [
      [t('played'), row.played],
      [t('won'), `${row.won} (${share(row)})`],
      [t('in a row'), row.streak],
      [t('most in a row'), row.longest],
      row.fewest !== undefined && [t('fewest moves'), row.fewest],
      row.fastest !== undefined && [t('fastest'), clock(row.fastest)],
      row.best !== undefined && [t('best score'), row.best],
      [t('time'), clock(row.seconds)],
      won.length > 0 && [
        t('deals of the day'),
        `${won.length}, ${t('{n} days in a row', { n: memory.dayStreak(kind) })}`,
      ],
    ].filter(Boolean);
    return el(
      'section',
      { class: 'stats' },
      el('h2', {}, name(kind)),
      el(
        'dl',
        {},
        facts.map(([what, value]) => el('div', {}, el('dt', {}, what), el('dd', {}, String(value)))),
      ),
    );
  };
  dialog(
    t('Statistics'),
    kinds.length
      ? el('div', { class: 'all-stats' }, kinds.map(section))
      : el('p', { class: 'soft' }, t('No game has been played to its end in this browser yet.')),
    closing(),
  );
}
