// What the page is made of, kept for when there is no network: then it opens, shows the last game and
// the statistics, and plays on when the server answers again. Moves are the server's: the page has no
// rules of its own.
const NAME = 'page-1';

/** What is asked for later and works without the server. */
const LATER = [
  '/more.css',
  '/hand.js',
  '/stats.js',
  '/settings.js',
  '/dialogs.js',
  '/words-de.js',
  '/hear.js',
  '/api/words?language=de',
];

/** Keeps what the page asks for, so that one visit is enough. */
async function fill() {
  const kept = await caches.open(NAME);
  const page = await (await fetch('/')).text();
  const named = [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path);
  await kept.addAll(['/', ...named, ...LATER]);
}

addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(fill());
});
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The network first, which answers "not modified" in a few bytes; what was kept, if there is none. */
async function answer(request) {
  const kept = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok) kept.put(request, response.clone());
    return response;
  } catch (error) {
    const old = await kept.match(request);
    if (old) return old;
    throw error;
  }
}

addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  const own = url.origin === self.location.origin && event.request.method === 'GET';
  const live = url.pathname.startsWith('/api/') && !['/api/games', '/api/words'].includes(url.pathname);
  if (own && !live) event.respondWith(answer(event.request));
});
