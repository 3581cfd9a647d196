// The server's JSON API.
import { heard, t } from './words.js';

/** No answer at all: the connection or the server is gone, and what was asked may be asked again. */
export class Unreachable extends Error {}

async function answer(response) {
  let body;
  try {
    body = heard(await response.text());
  } catch {
    throw new Error(t('the server answered {status}', { status: response.status }));
  }
  if (!response.ok)
    throw new Error(body.error ?? t('the server answered {status}', { status: response.status }));
  return body;
}

async function reach(path, options) {
  try {
    return await fetch(`/api/${path}`, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Unreachable(t('The server does not answer. Your game is kept: try again in a moment.'));
  }
}

const ask = (path, body, signal) =>
  reach(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });

export const get = async (path) => answer(await reach(path));
export const post = async (path, body, signal) => answer(await ask(path, body, signal));

/**
 * A search: `now` hears of what is known, again and again; gives what is known at the end.
 * To abort the signal ends the search on the server too.
 */
export async function search(path, body, now, signal) {
  const response = await ask(path, body, signal);
  if (!response.ok) await answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(t('the search ended without an answer'));
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const part = (key) =>
        lines
          .filter((l) => l.startsWith(`${key}:`))
          .map((l) => l.slice(key.length + 1).trimStart())
          .join('\n');
      const data = part('data');
      if (!data) continue;
      const said = heard(data);
      const event = part('event');
      if (event === 'now') now(said);
      if (event === 'done' || event === 'failed') reader.cancel();
      if (event === 'done') return said;
      if (event === 'failed') throw new Error(said.error);
    }
  }
}
