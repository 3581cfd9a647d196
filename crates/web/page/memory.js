// What the browser remembers: settings, the game of every page, games before it, and statistics.
// Nothing of it leaves the browser but by the export that a person asks for.

const PREFIX = 'patience.';

function read(key, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window, or no room: the game goes on, it is only not remembered.
  }
}

// ---- settings ----

const DEFAULTS = {
  language: null,
  tap: true,
  safe: false,
  finish: true,
  timer: true,
  sound: false,
  deck: 'four',
};

export const settings = { ...DEFAULTS, ...read('settings', {}) };
export const changes = new EventTarget();

export function set(key, value) {
  settings[key] = value;
  write('settings', settings);
  changes.dispatchEvent(new CustomEvent('setting', { detail: key }));
}

// ---- texts that are typed ----

export const note = (key) => read(`note.${key}`, null);
export const keep = (key, value) => write(`note.${key}`, value);

// ---- games ----

/** Games before the one on the page that can be gone back to. */
const MOST = 12;

export const game = (page) => read(`game.${page}`, null);
export const save = (page, value) => write(`game.${page}`, value);

export const before = (page) => read(`before.${page}`, []);

/** Puts a game away, to be gone back to. */
export function putAway(page, value) {
  if (![value?.moves, value?.future, value?.ahead].some((moves) => moves?.length)) return;
  const others = before(page).filter((old) => !same(old, value));
  const { view: _, ...game } = value;
  write(`before.${page}`, [{ ...game, at: Date.now() }, ...others].slice(0, MOST));
}

export function takeBack(page, index) {
  const all = before(page);
  const [value] = all.splice(index, 1);
  write(`before.${page}`, all);
  return value;
}

const same = (a, b) => JSON.stringify(a.setup) === JSON.stringify(b.setup);

// ---- statistics ----

const NONE = { played: 0, won: 0, streak: 0, longest: 0, seconds: 0 };

export const stats = () => read('stats', {});
export const statsOf = (kind) => ({ ...NONE, ...stats()[kind] });

function change(kind, by) {
  const all = stats();
  const row = { ...NONE, ...all[kind] };
  by(row);
  all[kind] = row;
  write('stats', all);
  return row;
}

/** A deal was begun. */
export const began = (kind) =>
  change(kind, (row) => {
    row.played += 1;
  });

/** A deal was left before it was won. */
export const left = (kind) =>
  change(kind, (row) => {
    row.streak = 0;
  });

/** A deal came to its end; what of it is a record, by name. */
export function ended(kind, { won, score, moves, seconds, fewer }) {
  const records = [];
  change(kind, (row) => {
    row.seconds += seconds;
    const record = (key, value, better) => {
      if (!Number.isFinite(value)) return;
      if (row[key] !== undefined && !better(value, row[key])) return;
      if (row[key] !== undefined) records.push(key);
      row[key] = value;
    };
    if (won) {
      row.won += 1;
      row.streak += 1;
      row.longest = Math.max(row.longest, row.streak);
      record('fewest', moves, (a, b) => a < b);
      record('fastest', seconds, (a, b) => a < b);
    } else row.streak = 0;
    if (!fewer) record('best', score, (a, b) => a > b);
  });
  return records;
}

export const forget = () => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
};

// ---- the deal of the day ----

const two = (n) => String(n).padStart(2, '0');
export const dayOf = (date = new Date()) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

export const days = () => read('days', {});

export function wonDay(kind, day) {
  const all = days();
  all[kind] = [...new Set([...(all[kind] ?? []), day])].sort();
  write('days', all);
}

/** Days in a row up to today or yesterday on which the deal of the day was won. */
export function dayStreak(kind, today = new Date()) {
  const won = new Set(days()[kind] ?? []);
  const day = new Date(today);
  if (!won.has(dayOf(day))) day.setDate(day.getDate() - 1);
  let count = 0;
  for (; won.has(dayOf(day)); day.setDate(day.getDate() - 1)) count += 1;
  return count;
}

// ---- export and import ----

export function exported() {
  const all = {};
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX)) all[key.slice(PREFIX.length)] = read(key.slice(PREFIX.length));
  return JSON.stringify({ patience: 1, all }, null, 1);
}

/** Takes an export in; whether it is one. If not, nothing changes. */
export function imported(text) {
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    said = null;
  }
  if (said?.patience !== 1 || typeof said.all !== 'object') return false;
  for (const [key, value] of Object.entries(said.all)) write(key, value);
  return true;
}
