// The server's JSON API.

async function answer(response) {
  let body;
  try { body = await response.json(); } catch { throw new Error(`the server answered ${response.status}`); }
  if (!response.ok) throw new Error(body.error ?? `the server answered ${response.status}`);
  return body;
}

const ask = (path, body, signal) => fetch(`/api/${path}`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal,
});

export const get = async (path) => answer(await fetch(`/api/${path}`));
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
    if (done) throw new Error('the search ended without an answer');
    text += value;
    let end;
    while ((end = text.indexOf('\n\n')) >= 0) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const part = (key) => lines.filter((l) => l.startsWith(`${key}:`)).map((l) => l.slice(key.length + 1).trimStart()).join('\n');
      const data = part('data');
      if (!data) continue;
      const said = JSON.parse(data);
      switch (part('event')) {
        case 'now': now(said); break;
        case 'done': reader.cancel(); return said;
        case 'failed': reader.cancel(); throw new Error(said.error);
      }
    }
  }
}
