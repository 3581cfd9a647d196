// A game of each kind of table, by mouse, by touch and by keys, on a phone, a notebook, a large screen and a very large one.
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
  [3840, 2160],
];
/** The table, a game that is laid on it, and what can be played with one touch there. */
const KINDS = [
  ['cards', 'golf?game=golf&deal=seed:3', '.card:not(.fixed)'],
  ['tiles', 'samegame?game=samegame&deal=2', '.tile:not(.alone):not(.gone)'],
  ['squares', 'other?game=tic-tac-toe', '.square.can'],
  ['words', 'other?game=taxi&deal=seed:3', '.choices button'],
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
      page.evaluate(() =>
        Boolean(document.activeElement?.matches('.card, .slot, .tile, .square, .choices button')),
      );
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
    test(`${kind} are played by ${how} on four screens`, { timeout: 300_000 }, async () => {
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

test('where moves go one way for the whole board, arrows and swipes play them', {
  timeout: 100_000,
}, async () => {
  const ways = async (page) => {
    const names = await page.evaluate(() =>
      decodeURIComponent(/moves=([^&]*)/.exec(location.hash)?.[1] ?? ''),
    );
    return names.split('+').filter(Boolean);
  };
  for (const how of ['keys', 'mouse', 'touch']) {
    const page = await open(browser, `${server.url}#/other?game=2048&deal=seed:3`, {
      viewport: { width: 390, height: 800 },
      hasTouch: how === 'touch',
    });
    await page.locator('.square').first().waitFor();
    const box = await page.locator('.grid-board').boundingBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    const act = {
      keys: ([x, y]) => page.keyboard.press(`Arrow${x ? (x > 0 ? 'Right' : 'Left') : y > 0 ? 'Down' : 'Up'}`),
      mouse: async ([x, y]) => {
        await page.mouse.move(...middle);
        await page.mouse.down();
        await page.mouse.move(middle[0] + 90 * x, middle[1] + 90 * y, { steps: 4 });
        await page.mouse.up();
      },
      touch: async ([x, y]) => {
        const touch = (type, points) =>
          session.send('Input.dispatchTouchEvent', {
            type,
            touchPoints: points.map(([a, b]) => ({ x: a, y: b })),
          });
        await touch('touchStart', [middle]);
        for (const share of [30, 60, 90])
          await touch('touchMove', [[middle[0] + share * x, middle[1] + share * y]]);
        await touch('touchEnd', []);
      },
    }[how];
    const DIRECTIONS = { left: [-1, 0], up: [0, -1], right: [1, 0], down: [0, 1] };
    for (let i = 0; i < 8; i += 1) {
      const legal = await page.locator('.choices button').allTextContents();
      const before = await ways(page);
      // What is not legal plays nothing.
      const way = legal[i % legal.length].split(' ').at(-1);
      await act(DIRECTIONS[way]);
      await page.waitForFunction(
        (n) => (/moves=([^&]*)/.exec(location.hash)?.[1] ?? '').split('+').filter(Boolean).length > n,
        before.length,
      );
      assert.deepEqual(await ways(page), [...before, way], how);
    }
    // Tiles have colours by their numbers.
    const looks = await page
      .locator('.square .piece')
      .evaluateAll((all) =>
        all.map((piece) => [piece.textContent, piece.querySelector('rect').getAttribute('fill')]),
      );
    const colours = new Map(looks);
    assert.ok(looks.length > 2 && looks.every(([number, fill]) => colours.get(number) === fill), how);
    assert.equal(new Set(colours.values()).size, colours.size);
    assert.deepEqual(page.wrong, []);
    await page.context().close();
  }
});

test('what drives is driven on its board, and what is not known is not drawn', {
  timeout: 100_000,
}, async () => {
  const page = await open(browser, `${server.url}#/other?game=frozen-lake(slippery%3Dfalse)`);
  await page.locator('.square').first().waitFor();
  assert.equal(await page.locator('.square').count(), 16);
  assert.equal(await page.locator('.shape.hole').count(), 4);
  // On the edge two ways lead nowhere: they have buttons.
  assert.equal(await page.locator('.square.can').count(), 2);
  assert.equal(await page.locator('.gridded .choices button').count(), 2);
  await page.locator('[data-at="0,1"]').click();
  await page.waitForFunction(() => document.querySelector('[data-at="0,1"] .you'));
  await page.goto(`${server.url}#/other?game=battleship&deal=seed:3`);
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 100);
  assert.equal(await page.locator('.square .piece').count(), 0);
  const corner = page.locator('[data-at="0,0"]');
  assert.match(await corner.getAttribute('aria-label'), /column 1, row 10, .*: shoot at a10/);
  await corner.click();
  await page.waitForFunction(() => document.querySelectorAll('.square .piece').length === 1);
  await page.goto(`${server.url}#/other?game=game-of-life&deal=seed:3`);
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 9);
  await page.locator('[data-at="0,0"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    /Seen: (alive: |nothing lives)/.test(document.querySelector('.grid-text').textContent),
  );
  assert.deepEqual(page.wrong, []);
  await page.context().close();
});
