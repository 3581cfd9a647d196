// Dialogs of a game: its link, its position as text, games before it, and the keys.
import { closing, dialog, el, toast } from './dom.js';
import { choices, named } from './games.js';
import { moved, t } from './words.js';

const button = (text, act, extra = {}) => el('button', { type: 'button', onclick: act, ...extra }, text);

const keyList = () => [
  [t('Arrows'), t('move over the table')],
  ['Enter', t('take a card, put it down')],
  ['F', t('send the card where it best goes')],
  ['T', t('turn the stock')],
  ['H', t('hint')],
  ['Shift+H', t('play the hint')],
  ['U', t('undo (also Ctrl+Z)')],
  ['R', t('redo (also Ctrl+Y)')],
  ['N', t('new game')],
  ['?', t('these keys')],
];

export const keys = () =>
  dialog(
    t('Keys'),
    el(
      'dl',
      { class: 'keys' },
      keyList().flatMap(([k, what]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, what)]),
    ),
    closing(),
  );

export async function share(link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(t('The link to this position is copied.'));
  } catch {
    const named = { readOnly: true, rows: 5, 'aria-label': t('Link to this position') };
    dialog(t('Link to this position'), el('textarea', named, link), closing());
  }
}

/** Games before this one; `again` goes back to one by its place. */
export function earlier(list, games, again) {
  const when = (at) =>
    new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  const name = ({ setup }) => {
    const info = named(list, setup.game);
    return (info && choices(info).find(([value]) => value === setup.game)?.[1]) ?? setup.game;
  };
  const said = (old) =>
    `${name(old)} ${old.setup.deal ?? t('a position')} · ${moved(old.moves.length)} · ${when(old.at)}`;
  const row = (old, i) =>
    el(
      'li',
      {},
      button(said(old), () => {
        box.close();
        again(i);
      }),
    );
  const box = dialog(t('Games before'), el('ul', { class: 'plain' }, games.map(row)), closing());
}

/** The position as text, to be copied, or another one to be played: `open` takes its text. */
export function positions(now, formats, open) {
  const text = el('textarea', { rows: 11, spellcheck: false, 'aria-label': t('position') });
  text.value = now;
  const file = el('input', {
    type: 'file',
    'aria-label': t('load a file'),
    onchange: async () => {
      text.value = await file.files[0].text();
    },
  });
  const wrong = el('p', { class: 'lost', hidden: true, role: 'alert' });
  const copy = () => {
    navigator.clipboard?.writeText(text.value);
    toast(t('Copied.'));
  };
  const begin = async () => {
    try {
      await open(text.value);
      box.close();
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent = error.message;
    }
  };
  const hint = t('As the player sees it. Paste or load another: {formats}. What is unknown is ??.', {
    formats,
  });
  const box = dialog(
    t('Position'),
    el('p', { class: 'soft small' }, hint),
    text,
    file,
    wrong,
    el(
      'menu',
      {},
      button(t('Copy'), copy),
      el('button', { value: 'no' }, t('Close')),
      button(t('Play from here'), begin, { class: 'main' }),
    ),
  );
}
