// What games there are and all that the page knows of them: asked of the server, once.
import { get } from './api.js';
import { said, t } from './words.js';

let asked;
/** Behind all games that have a page of their own. */
const LAST = 1000;

/** All games: those with a page of their own first, in the order of their pages. */
export function games() {
  asked ??= get('games?brief=true')
    .then((said) => said.games.toSorted((a, b) => (a.page || LAST) - (b.page || LAST)))
    .catch((error) => {
      asked = null;
      throw error;
    });
  return asked;
}

/** Pages that belong to no game. */
export const PAGES = [
  ['other', 'Others'],
  ['watch', 'Watch'],
  ['tree', 'Search tree'],
  ['rules', 'General games'],
  ['lab', 'Laboratory'],
];

/** Whether a game has a page of its own, as it says itself. */
export const hasPage = (info) => info.page > 0 && !PAGES.some(([page]) => page === info.name);

/** What there is to know of the game that a string names. */
export const named = (list, text) => list.find((info) => info.name === text.split('(')[0].trim());

/** The page on which a game is played. */
export function pageOf(list, text) {
  const info = named(list, text);
  return info && hasPage(info) ? info.name : 'other';
}

/** What can be chosen of a game: strings that the server understands, and what they are called. */
export const choices = (info) =>
  info.variants.length
    ? info.variants.map(([value, text]) => [value, said(text)])
    : [[info.name, info.title]];

/** How the deals of a game are named, in words. */
export function deals(info) {
  const last = info?.deals?.numbers;
  if (last) return t('a number such as 7 (1 to {last} are in everybody’s hands), or seed:7', { last });
  return info?.deals === 'ranks' ? t('seed:7, or a number of the game’s own') : t('a number such as 7');
}
