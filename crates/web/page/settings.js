// How the page behaves, and what it remembers, to be taken along or forgotten.
import { check, choice, closing, dialog, el, toast } from './dom.js';
import * as memory from './memory.js';
import { LANGUAGES, language, t } from './words.js';

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export function show() {
  const { settings, set } = memory;
  const turn = (key, text) => check(text, settings[key], (on) => set(key, on));
  const file = el('input', {
    type: 'file',
    accept: '.json,application/json',
    'aria-label': t('import'),
    onchange: async () => {
      if (memory.imported(await file.files[0].text())) location.reload();
      else toast(t('this is no export of the page'));
    },
  });
  const row = (text, node) => el('label', { class: 'row' }, el('span', {}, text), node);
  const box = dialog(
    t('Settings'),
    turn('tap', t('One tap moves a card where it best goes')),
    turn('safe', t('Cards that are safe go home by themselves')),
    turn('finish', t('A game that is decided finishes itself')),
    turn('timer', t('Show the time')),
    turn('sound', t('Sounds')),
    row(
      t('Colours of the suits'),
      choice(
        t('Colours of the suits'),
        [
          ['four', t('four')],
          ['two', t('two')],
        ],
        settings.deck,
        (v) => set('deck', v),
      ),
    ),
    row(
      t('Language'),
      choice(t('Language'), Object.entries(LANGUAGES), language(settings.language), (v) => {
        set('language', v);
        location.reload();
      }),
    ),
    el('h2', {}, t('What this browser remembers')),
    el(
      'p',
      { class: 'soft small' },
      t('Games, statistics and settings stay in this browser; nothing is sent to anybody.'),
    ),
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { type: 'button', onclick: () => download('patience.json', memory.exported()) },
        t('Export'),
      ),
      el('label', { class: 'button' }, t('Import'), file),
      el('button', { type: 'button', onclick: () => forget() }, t('Forget all')),
    ),
    closing(),
  );
  file.hidden = true;
  function forget() {
    const sure = dialog(
      t('Forget all?'),
      el('p', {}, t('Games, statistics and settings of this browser are removed for good.')),
      el(
        'menu',
        {},
        el('button', { value: 'no' }, t('Keep')),
        el(
          'button',
          {
            type: 'button',
            class: 'main',
            onclick: () => {
              memory.forget();
              sure.close();
              box.close();
              location.reload();
            },
          },
          t('Forget'),
        ),
      ),
    );
  }
}
