// A game of each kind of table, by mouse, by touch and by keys, on a phone, a notebook and a large screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browse, open, serve } from './served.mjs';

let server;
let browser;
before(async () => {
  server = await serve();
  browser = await browse();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const SIZES = [
  [360, 740],
  [1280, 800],
  [2560, 1440],
];
/** The table, a game that is laid on it, and what can be played with one touch there. */
const KINDS = [
  ['cards', 'golf?game=golf&deal=seed:3', '.card:not(.fixed)'],
  ['tiles', 'samegame?game=samegame&deal=2', '.tile:not(.alone):not(.gone)'],
  ['squares', 'other?game=tic-tac-toe', '.square.can'],
];
/** Moves of each; a short game is over before. */
const MOVES = 9;

const played = (page) =>
  page.evaluate(() => (/moves=([^&]*)/.exec(location.hash)?.[1] ?? '').split('+').filter(Boolean).length);
const over = (page) => page.locator('.win').count();

/** Does something until a move more is played. */
async function moved(page, act) {
  const before = await played(page);
  for (let i = 0; i < 40 && !(await over(page)); i += 1) {
    // Where nothing can be played there is nothing to wait for.
    if ((await act(i).catch(() => {})) === false) continue;
    const done = await page
      .waitForFunction(
        (n) => (/moves=([^&]*)/.exec(location.hash)?.[1] ?? '').split('+').filter(Boolean).length > n,
        before,
        { timeout: 600 },
      )
      .catch(() => null);
    if (done) return;
  }
  assert.ok(await over(page), `no move was played after ${before}`);
}

/** One of the first few that can be played, another one at every try. */
const some = async (page, target, i) => {
  const all = page.locator(target);
  return all.nth(i % Math.max(1, Math.min(5, await all.count())));
};
const CLICK = { force: true, timeout: 3000, position: { x: 6, y: 6 } };
const DRIVERS = {
  mouse: async (page, target) => async (i) => (await some(page, target, i)).click(CLICK),
  touch: async (page, target) => async (i) => (await some(page, target, i)).tap(CLICK),
  keys: async (page) => {
    const inside = () =>
      page.evaluate(() => Boolean(document.activeElement?.matches('.card, .slot, .tile, .square')));
    for (let i = 0; i < 60 && !(await inside()); i += 1) await page.keyboard.press('Tab');
    assert.ok(await inside(), 'the table is reached by Tab');
    const arrows = 'RRDLLDRRUULL'
      .split('')
      .map((a) => ({ R: 'ArrowRight', L: 'ArrowLeft', U: 'ArrowUp', D: 'ArrowDown' })[a]);
    return async (i) => {
      const here = (look) => page.evaluate((l) => document.activeElement?.matches(l), look);
      const idle = await here('.square:not(.can), .tile.alone');
      if (!idle) await page.keyboard.press(i % 2 === 0 && (await here('.card, .slot')) ? 'f' : 'Enter');
      await page.keyboard.press(arrows[i % arrows.length]);
      return !idle;
    };
  },
};

for (const [kind, hash, target] of KINDS) {
  for (const [how, driver] of Object.entries(DRIVERS)) {
    test(`${kind} are played by ${how} on three screens`, { timeout: 200_000 }, async () => {
      for (const [width, height] of SIZES) {
        const options = { viewport: { width, height }, hasTouch: how === 'touch' };
        const page = await open(browser, `${server.url}#/${hash}`, options);
        await page.locator(target).first().waitFor();
        const act = await driver(page, target);
        for (let i = 0; i < MOVES && !(await over(page)); i += 1) await moved(page, act);
        assert.ok((await played(page)) >= 5 || (await over(page)), `${kind} by ${how} at ${width}×${height}`);
        assert.deepEqual(page.wrong, []);
        await page.context().close();
      }
    });
  }
}
