// What the server says, which is English, in another language: by the forms of the language's file, such
// as `{card} to column {n}`, part by part. Asked for with the language: English needs none of it.

/** What stands for itself; all other parts are said in their turn. */
const SAME = { n: '[\\d.,-]+', m: '[\\d.,-]+', cell: '\\w+', name: '.+' };

/** What reads a form: `{n}` and `{m}` are numbers, `{cell}` a square, `{name}` and the others any words. */
function reader(form) {
  const pieces = form.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2) return `(?<${piece}>${SAME[piece] ?? '.+'})`;
    return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${pieces.join('')}$`);
}

/** Says a text by its form, by the table, or as it is; `missing` takes what has neither. */
export function speaker({ default: table, forms }, missing) {
  const known = Object.entries(forms).map(([form, words]) => [reader(form), words]);
  const say = (text) => {
    for (const [form, words] of known) {
      const found = form.exec(text);
      const part = (_, key) => (SAME[key] ? found.groups[key] : say(found.groups[key]));
      if (found) return words.replace(/\{(\w+)\}/g, part);
    }
    if (text in table) return table[text];
    // Names are names, and so are the moves of a notation: a sentence begins small and is longer.
    if (/^[a-z]+ /.test(text)) missing.add(text);
    return text;
  };
  return say;
}

/** What of the server's answers is for people. */
const SPOKEN = new Set(['label', 'played', 'title', 'scored', 'why', 'lost', 'because', 'seen']);
/** Says what is for people in a part of an answer. */
export const hearer = (say) => (key, value) =>
  SPOKEN.has(key) && typeof value === 'string' ? say(value) : value;
