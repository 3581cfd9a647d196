// What the page says, in the reader's language. English stands in the code; another language is a
// table from the English to its own words, in a file of its own that is asked for when it is wanted.
// What the server says is English too: of that the file has the forms, such as `{card} to column {n}`.

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

let table = {};
let forms = [];

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
  const words = await import(`./words-${name}.js`);
  table = words.default;
  forms = Object.entries(words.forms).map(([form, text]) => [reader(form), text]);
}

/** What reads a form: `{n}` and `{m}` are numbers, `{cell}` a square, the others any words. */
function reader(form) {
  const part = { n: '[\\d.,-]+', m: '[\\d.,-]+', cell: '\\w+' };
  const pieces = form.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2) return `(?<${piece}>${part[piece] ?? '.+'})`;
    return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${pieces.join('')}$`);
}

/** The words for an English text; `{name}` stands for a value. */
export function t(text, values = {}) {
  const said = table[text] ?? text;
  if (!complete && !(text in table)) missing.add(text);
  return said.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
}

/** What the server said, in the reader's language: by its form, part by part, or as it is. */
export function said(text) {
  if (complete) return text;
  for (const [form, words] of forms) {
    const found = form.exec(text);
    if (found) return words.replace(/\{(\w+)\}/g, (_, key) => part(key, found.groups[key]));
  }
  if (text in table) return table[text];
  // Names are names, and so are the moves of a notation: a sentence begins small and is longer.
  if (/^[a-z]+ /.test(text)) missing.add(text);
  return text;
}
const part = (key, text) => (['name', 'cell', 'n', 'm'].includes(key) ? text : said(text));

/** What of the server's answers is for people. */
const SPOKEN = new Set(['label', 'played', 'title', 'scored', 'why', 'lost', 'because', 'seen']);
/** Reads an answer, with what is for people in their language. */
export const heard = (text) =>
  JSON.parse(text, (key, value) => (SPOKEN.has(key) && typeof value === 'string' ? said(value) : value));

/** So many moves. */
export const moved = (n) => t(n === 1 ? '{n} move' : '{n} moves', { n });
