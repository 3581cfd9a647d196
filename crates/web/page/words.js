// What the page says, in the reader's language. English stands in the code; another language is a
// table from the English to its own words, in a file of its own that is asked for when it is wanted, and
// what games say in it, which the server knows.

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

let table = {};
/** What the server said, in the reader's language, and what hears it in an answer. */
export let said = (text) => text;
let hear;

/** Texts that the language lacks: the page's tests look here. */
export const missing = new Set();
let complete = true;

/** The language to speak: the one chosen, or the first of the browser's that there is. */
export function language(chosen) {
  if (LANGUAGES[chosen]) return chosen;
  return navigator.languages.map((l) => l.slice(0, 2)).find((l) => LANGUAGES[l]) ?? 'en';
}

/** Learns a language before anything is said. */
export async function learn(chosen) {
  const name = language(chosen);
  document.documentElement.lang = name;
  complete = name === 'en';
  if (complete) return;
  const [words, { hearer, speaker }, ofGames] = await Promise.all([
    import(`./words-${name}.js`),
    import('./hear.js'),
    // Games bring their own words; without them what they say stays English.
    fetch(`/api/words?language=${name}`)
      .then((answer) => (answer.ok ? answer.json() : []))
      .catch(() => []),
  ]);
  table = words.default;
  said = speaker(words, ofGames, missing);
  hear = hearer(said);
}

/** The words for an English text; `{name}` stands for a value. */
export function t(text, values = {}) {
  const said = table[text] ?? text;
  if (!complete && !(text in table)) missing.add(text);
  return said.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
}

/** Reads an answer, with what is for people in their language. */
export const heard = (text) => JSON.parse(text, hear);

/** So many moves. */
export const moved = (n) => t(n === 1 ? '{n} move' : '{n} moves', { n });
