// What the server says, which is English, in another language: by forms such as `{label} twice`, part by
// part; those of all games are in the language's file, those of each game its own. Asked for with
// the language: English needs none of it.

/** Parts that stand for themselves: numbers, squares and letters, names. */
const same = (part) => (/^[nm]\d?$/.test(part) ? '[\\d.,-]+' : { cell: '\\w+', name: '.+' }[part]);
/** Phrases, which are said in their turn. Any other part is a single word, and one that is known. */
const PHRASES = ['label', 'next', 'card', 'cards'];
const PART = /\{(\w+)\}/;

/** What reads a form, and which of its parts are words. */
function reader(form) {
  const words = [];
  const pieces = form.split(PART).map((piece, i) => {
    if (i % 2 === 0) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const phrase = PHRASES.includes(piece);
    if (!phrase && !same(piece)) words.push(piece);
    return `(?<${piece}>${same(piece) ?? (phrase ? '.+' : '\\w+')})`;
  });
  return [new RegExp(`^${pieces.join('')}$`), words];
}

/** Says a text as it is listed, by its form, or as it is; `missing` takes what has neither. */
export function speaker({ default: table, forms }, ofGames, missing) {
  // Of a game's forms that fit the one that says most by itself is meant.
  const own = (form) => form.replace(/\{\w+\}/g, '').length;
  const all = [...Object.entries(forms), ...ofGames.toSorted(([a], [b]) => own(b) - own(a))];
  const listed = new Map([...Object.entries(table), ...all.filter(([form]) => !PART.test(form))]);
  const read = all.filter(([form]) => PART.test(form)).map(([form, words]) => [...reader(form), words]);
  const say = (text) => {
    if (listed.has(text)) return listed.get(text);
    for (const [form, words, to] of read) {
      const found = form.exec(text)?.groups;
      if (!found || !words.every((word) => listed.has(found[word]))) continue;
      return to.replace(/\{(\w+)\}/g, (_, part) => (same(part) ? found[part] : say(found[part])));
    }
    // Names are names, and so are the moves of a notation: a sentence begins small and is longer.
    if (/^[a-z]+ /.test(text)) missing.add(text);
    return text;
  };
  return say;
}

/** What of the server's answers is for people. */
const SPOKEN = new Set(['label', 'played', 'title', 'scored', 'why', 'lost', 'because', 'seen']);

/** Says what is for people in a part of an answer; of a position, what stands beside its drawing, by lines. */
export const hearer = (say) =>
  function hear(key, value) {
    if (typeof value !== 'string') return value;
    if (SPOKEN.has(key)) return say(value);
    const beside = key === 'text' && ['grid', 'text'].includes(this.kind);
    return beside ? value.split('\n').map(say).join('\n') : value;
  };
