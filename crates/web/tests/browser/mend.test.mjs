// What once went wrong on the page, each as it was seen.
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

const at = (hash) => `${server.url}#/${hash}`;
const ready = (page) => page.locator('.felt .card, .tiles .tile, .square').first().waitFor();
const close = async (page) => {
  assert.deepEqual(page.wrong, []);
  await page.context().close();
};
const moves = (page) =>
  page.evaluate(() => decodeURIComponent(/moves=([^&]*)/.exec(location.hash)?.[1] ?? ''));
const hash = (page) => page.evaluate(() => location.hash);
const menu = async (page, name) => {
  await page.getByRole('button', { name: 'more', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
};
const FREECELL = 'freecell?game=freecell&deal=1';
const KLONDIKE = 'klondike?game=klondike&deal=seed:7';

test('going to another game and back goes on with the game', async () => {
  const page = await open(browser, at(`${KLONDIKE}&moves=turn`));
  await ready(page);
  const before = await hash(page);
  await page.locator('#nav [data-page="freecell"]').click();
  await page.waitForFunction(() => location.hash.startsWith('#/freecell?'));
  await page.locator('#nav [data-page="klondike"]').click();
  await page.waitForFunction(() => location.hash.startsWith('#/klondike?'));
  assert.equal(await hash(page), before);
  // After a reload without a link too, with what was taken back.
  await page.keyboard.press('u');
  await page.waitForFunction(() => !location.hash.includes('moves='));
  await page.goto(server.url);
  await page.evaluate(() => {
    location.hash = '#/klondike';
  });
  await page.waitForFunction(() => location.hash.startsWith('#/klondike?'));
  await page.keyboard.press('r');
  await page.waitForFunction(() => location.hash.includes('moves=turn'));
  await close(page);
});

test('a move that is not answered yet is not lost by going away', async () => {
  const page = await open(browser, at(KLONDIKE));
  await ready(page);
  const held = [];
  await page.route(/api\/table$/, (route) => held.push(route), { times: 1 });
  await page.locator('.card[aria-label^="ace of spades"]').click();
  await page.waitForFunction(
    () => document.querySelector('[aria-label^="ace of spades"]').dataset.pile === 'fS',
  );
  assert.equal(await moves(page), '');
  await page.locator('#nav [data-page="freecell"]').click();
  await page.waitForFunction(() => location.hash.startsWith('#/freecell?'));
  // The answer comes after the game was left: it must not change what is shown by now.
  const there = await hash(page);
  const answered = page.waitForResponse(/api\/table$/);
  await held[0].continue();
  await (await answered).finished();
  assert.equal(await hash(page), there);
  await page.locator('#nav [data-page="klondike"]').click();
  await page.waitForFunction(() => /^#\/klondike\?.*moves=/.test(location.hash));
  assert.equal(await page.locator('[aria-label^="ace of spades"]').getAttribute('data-pile'), 'fS');
  await close(page);
});

test('a page that is left before its first answer stays left', async () => {
  const page = await open(browser, at(KLONDIKE));
  await ready(page);
  for (const [name, call] of [
    ['watch', 'watch'],
    ['tree', 'teach'],
    ['rules', 'rules'],
    ['lab', 'lab'],
  ]) {
    const held = [];
    const first = /api\/(table|planners|rules|lab)$/;
    await page.route(first, (route) => held.push(route));
    const asked = page.waitForRequest(first);
    await page.locator(`#nav [data-page="${name}"]`).click();
    await asked;
    // How it is closed is known while nothing is answered.
    const file = name === 'tree' ? 'teach' : name;
    await page.evaluate(
      async ([module, open]) => {
        const close = await (await import(`/${module}.js`))[open](document.createElement('div'), open, '');
        close();
      },
      [file, call],
    );
    await page.unroute(first);
    await page.locator('#nav [data-page="freecell"]').click();
    await page.waitForFunction(() => location.hash.startsWith('#/freecell?'));
    await ready(page);
    const there = await hash(page);
    await Promise.all(held.map((route) => route.continue().catch(() => {})));
    await page.waitForLoadState('networkidle');
    assert.equal(await hash(page), there, name);
    assert.ok(await page.locator('.felt .card').count(), name);
  }
  await close(page);
});

test('a new game in the middle of another can be gone back from', async () => {
  const page = await open(browser, at(`${KLONDIKE}&moves=turn`));
  await ready(page);
  const before = await hash(page);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.waitForFunction((old) => location.hash !== old, before);
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.waitForFunction((old) => location.hash === old, before);
  // And later, from the menu.
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.waitForFunction((old) => location.hash !== old, before);
  await menu(page, 'Games before');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /seed:7/ })
    .first()
    .click();
  await page.waitForFunction((old) => location.hash === old, before);
  await close(page);
});

test('a solution is looked at beside the game and does not overwrite it', { timeout: 200_000 }, async () => {
  const page = await open(browser, at(`${FREECELL}&moves=1a+2b`));
  await ready(page);
  await page.keyboard.press('u');
  await page.waitForFunction(() => !location.hash.includes('2b'));
  const solver = page.getByRole('region', { name: 'solver' });
  await solver.getByRole('combobox').selectOption('10');
  await solver.getByRole('button', { name: 'Solve' }).click();
  await solver.getByRole('button', { name: 'Replay' }).waitFor({ timeout: 120_000 });
  await solver.locator('.steps li').nth(4).getByRole('button').click();
  await page.getByText('You are looking at another line').waitFor();
  assert.notEqual(await moves(page), '1a');
  await page.getByRole('button', { name: 'Back to my game' }).click();
  await page.waitForFunction(() => /moves=1a$/.test(location.hash));
  await page.keyboard.press('r');
  await page.waitForFunction(() => /moves=1a\+2b$/.test(location.hash));
  await close(page);
});

test('typed rules are there after a reload', async () => {
  const page = await open(browser, at('rules'));
  await page.getByText('Nothing is wrong').waitFor();
  const text =
    '(role me)\n(legal me a)\n(<= terminal (true done))\n(<= (next done) (does me a))\n(goal me 100)';
  await page.getByLabel('rules in GDL').fill(text);
  await page.locator('.meter', { hasText: /Nothing|finding/ }).waitFor();
  await page.waitForFunction(
    (t) => JSON.parse(localStorage.getItem('patience.note.rules'))?.text === t,
    text,
  );
  await page.reload();
  await page.getByLabel('rules in GDL').waitFor();
  assert.equal(await page.getByLabel('rules in GDL').inputValue(), text);
  await close(page);
});

test('a bad link says so and stays', async () => {
  for (const bad of [
    `${FREECELL}&moves=zz`,
    'freecell?game=freecell&deal=99999999999',
    'freecell?game=freecell&deal=%E0%A4%A',
  ]) {
    const page = await open(browser, at(bad));
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').textContent(), /This link cannot be opened/);
    assert.ok((await hash(page)).endsWith(bad));
    await page.getByRole('button', { name: 'New game' }).click();
    await ready(page);
    page.wrong.splice(0, page.wrong.length, ...page.wrong.filter((w) => !w.includes('422')));
    await close(page);
  }
});

test('a move that the server does not answer goes back to where it was', async () => {
  const page = await open(browser, at(FREECELL), {}, { settings: { tap: false } });
  await ready(page);
  await page.route(/api\/table$/, (route) => route.abort());
  const card = page.locator('.card[data-pile="c1"]').last();
  const from = await card.boundingBox();
  const cell = await page.locator('.slot[data-pile="cell a"]').boundingBox();
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(cell.x + 24, cell.y + 24, { steps: 8 });
  await page.mouse.up();
  await page.getByText('The server does not answer').waitFor();
  await page.waitForFunction(
    (y) =>
      Math.abs([...document.querySelectorAll('.card[data-pile="c1"]')].at(-1).getBoundingClientRect().y - y) <
      1,
    from.y,
  );
  // When it answers again the game goes on.
  await page.unroute(/api\/table$/);
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(cell.x + 24, cell.y + 24, { steps: 8 });
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes('moves=1a'));
  page.wrong.splice(0, page.wrong.length, ...page.wrong.filter((w) => !w.includes('ERR_FAILED')));
  await close(page);
});

test('home followed by quick undos asks for nothing illegal', async () => {
  const page = await open(browser, at(KLONDIKE));
  await ready(page);
  for (let i = 0; i < 3; i += 1) {
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    for (let k = 0; k < 4; k += 1) await page.keyboard.press('u');
  }
  await page.waitForFunction(() => document.querySelector('[aria-label="Undo"]').disabled);
  await close(page);
});

test('a move is on the screen at once, whatever the server takes', async () => {
  const page = await open(browser, at(KLONDIKE));
  await ready(page);
  // Cards are seen first, hands come after them: a place in the order of tabs tells that they are there.
  await page.locator('.felt [tabindex="0"]').first().waitFor();
  let held = [];
  let holding = true;
  await page.route(/api\/table$/, (route) => (holding ? held.push(route) : route.continue()));
  const card = page.locator('.card[data-pile="c2"]').last();
  assert.match(await card.getAttribute('aria-label'), /ace of spades/);
  const took = await page.evaluate(async () => {
    const node = [...document.querySelectorAll('.card[data-pile="c2"]')].at(-1);
    const box = node.getBoundingClientRect();
    const send = (type, target) =>
      target.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          button: 0,
          pointerId: 1,
          clientX: box.x + 9,
          clientY: box.y + 9,
          pointerType: 'mouse',
        }),
      );
    const begin = performance.now();
    send('pointerdown', node);
    send('pointerup', node);
    while (node.dataset.pile === 'c2' && performance.now() - begin < 2000)
      await new Promise((r) => {
        requestAnimationFrame(r);
      });
    return performance.now() - begin;
  });
  // The answer was not given yet: the move did not wait for it.
  assert.equal(await page.locator('[aria-label^="ace of spades"]').getAttribute('data-pile'), 'fS');
  assert.ok(took < 2000, `${took} ms`);
  assert.equal(await moves(page), '');
  holding = false;
  for (const route of held) await route.continue();
  held = [];
  await page.waitForFunction(() => location.hash.includes('moves='));
  // On a board a piece goes at once; what else may come of a move only the rules know.
  const rows = await page.evaluate(async () => {
    const { foresee } = await import('/foresee.js');
    const scene = {
      kind: 'grid',
      rows: [
        ['rook', ''],
        ['', 'pawn'],
      ],
      text: '',
      seen: '',
    };
    const legal = [
      {
        name: 'takes',
        cells: [
          [0, 0],
          [1, 1],
        ],
        count: 2,
      },
      { name: 'drops', cells: [[1, 0]], count: 1 },
    ];
    return [foresee({ scene, legal }, 'takes').scene.rows, foresee({ scene, legal }, 'drops'), scene.rows];
  });
  assert.deepEqual(rows, [
    [
      ['', ''],
      ['', 'rook'],
    ],
    null,
    [
      ['rook', ''],
      ['', 'pawn'],
    ],
  ]);
  await close(page);
});

test('cards grow with the screen, and nothing lies below the fold', async () => {
  for (const [width, height, least] of [
    [2560, 1440, 150],
    [1280, 800, 90],
    [1440, 900, 95],
    [740, 360, 30],
    [360, 740, 38],
  ]) {
    for (const deal of [KLONDIKE, FREECELL, 'black-hole']) {
      const page = await open(browser, at(deal), { viewport: { width, height } });
      await ready(page);
      await page.waitForTimeout(400);
      const cards = await page.locator('.felt .card').evaluateAll((all) =>
        all.map((c) => {
          const b = c.getBoundingClientRect();
          return [b.width, b.right, b.bottom];
        }),
      );
      const said = `${deal} at ${width}×${height}: ${cards[0]}`;
      assert.ok(
        cards.every(([, right, bottom]) => right <= width && bottom <= height),
        said,
      );
      if (!deal.startsWith('black')) assert.ok(cards[0][0] >= least, said);
      const tools = await page.locator('.tools > *').evaluateAll((all) =>
        all
          .map((n) => n.getBoundingClientRect())
          .filter((b) => b.width)
          .map((b) => Math.round(b.top + b.height / 2)),
      );
      if (width > height * 1.2 && height > 400)
        assert.ok(Math.max(...tools) - Math.min(...tools) < 12, `tools in one row: ${tools}`);
      await close(page);
    }
  }
});

test('a phone shows advice and table together, and every page of the menu', async () => {
  const page = await open(browser, at(KLONDIKE), {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await ready(page);
  await page.locator('.tools .narrow').tap();
  await page.locator('.bars .best').waitFor();
  const [felt, best] = [
    await page.locator('.felt').boundingBox(),
    await page.locator('.bars .best').boundingBox(),
  ];
  assert.ok(
    felt.y >= 0 && felt.y + felt.height <= best.y && best.y + best.height <= 740,
    JSON.stringify([felt, best]),
  );
  const low = await page
    .locator('.felt .card')
    .evaluateAll((all) => Math.max(...all.map((c) => c.getBoundingClientRect().bottom)));
  assert.ok(low <= felt.y + felt.height + 1, `${low}`);
  await page.getByRole('button', { name: 'Pages' }).tap();
  for (const link of await page.locator('#nav a').all()) {
    const box = await link.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360 && box.y + box.height <= 740, await link.textContent());
  }
  await page.setViewportSize({ width: 740, height: 360 });
  await page.waitForTimeout(100);
  const front = await page
    .locator('.felt .card:not(.fixed)')
    .evaluateAll((all) => all.map((c) => c.getBoundingClientRect().bottom));
  assert.ok(
    front.every((bottom) => bottom <= 360),
    `${front}`,
  );
  await close(page);
});

test('no page is wider than a phone', { timeout: 100_000 }, async () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  for (const hash of [
    'watch?game=connect-four&mode=against',
    'watch?game=klondike&deal=seed:7&mode=two',
    'tree?game=tic-tac-toe&planner=uct&n=9&step=20',
    'rules',
    'lab',
    'other?game=tiger',
    'other?game=connect-four',
  ]) {
    const page = await open(browser, at(hash), phone);
    await page.waitForFunction(() => document.querySelector('main').children.length > 0);
    await page.waitForTimeout(400);
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, visualViewport.width]);
    assert.deepEqual(wide, [360, 360], hash);
    await close(page);
  }
});

test('tiles are not see-through, and a group tells its points', async () => {
  const page = await open(browser, at('samegame?game=samegame&deal=1'));
  await ready(page);
  const looks = await page
    .locator('.tile')
    .evaluateAll(
      (all) =>
        new Set(
          all.map((n) => `${getComputedStyle(n).opacity} ${n.querySelector('rect').getAttribute('fill')}`),
        ).size,
    );
  assert.equal(looks, 5, 'five colours look like five');
  const tile = page.locator('.tile:not(.alone)').nth(9);
  await tile.hover();
  await page.locator('.worth').waitFor();
  const points = /, ([\d-]+) points/.exec(await tile.getAttribute('aria-label'))[1];
  assert.equal(await page.locator('.worth').textContent(), `+${points}`);
  await close(page);
});

test('a star has a value or says that it is a guess', async () => {
  const page = await open(browser, at('samegame?game=samegame&deal=1'));
  await ready(page);
  await page.getByRole('button', { name: 'Hint', exact: true }).last().click();
  await page.locator('.bars .best').waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
  const best = await page.locator('.bars .best').innerText();
  assert.ok(/\d/.test(best.split('\n').slice(1).join(' ')) || best.includes('guess'), best);
  await close(page);
});

test('only the piece that is new rises, and none is in the way of the pointer', async () => {
  const page = await open(browser, at('other?game=tic-tac-toe'));
  for (const [square, count] of [
    ['0,0', 1],
    ['0,1', 2],
    ['0,2', 3],
  ]) {
    await page.locator(`[data-at="${square}"].can`).click({ force: true, position: { x: 6, y: 3 } });
    await page.waitForFunction((n) => document.querySelectorAll('.piece').length === n, count);
    assert.equal(await page.locator('.piece.fresh').count(), 1);
  }
  await close(page);
});

test('boards are drawn as boards and played on their squares', async () => {
  const page = await open(browser, at('other?game=connect-four'));
  await page.locator('.square').first().waitFor();
  assert.equal(await page.locator('.square').count(), 42);
  // A stone falls down the column that was clicked.
  await page.locator('[data-at="3,0"]').click();
  await page.waitForFunction(() => location.hash.includes('moves=d'));
  assert.equal(await page.locator('[data-at="3,5"] .cross').count(), 1);
  await page.goto(at('other?game=tic-tac-toe'));
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 9);
  await page.locator('[data-at="1,1"]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('moves=a2'));
  await page.goto(at('other?game=sailing'));
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 100);
  // The sentence is one sentence.
  assert.match(await page.locator('.grid-text').textContent(), /^at \(0, 0\) of \(9, 9\), wind to/);
  assert.equal(await page.locator('.facts').count(), 0);
  await close(page);
});

test('the page is sent compressed, and once', async () => {
  const script = await fetch(new URL('/dom.js', server.url), { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(script.headers.get('content-encoding'), 'gzip');
  const tag = script.headers.get('etag');
  await script.text();
  const again = await fetch(new URL('/dom.js', server.url), { headers: { 'if-none-match': tag } });
  assert.equal(again.status, 304);
  assert.equal((await again.text()).length, 0);
  // Before the first card is seen: all that had come by then.
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    new MutationObserver((_, watch) => {
      if (!document.querySelector('.felt .card')) return;
      watch.disconnect();
      window.firstCard = performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(at(KLONDIKE));
  await page.waitForFunction(() => window.firstCard);
  const bytes = await page.evaluate(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return all.filter((e) => e.responseEnd <= window.firstCard).reduce((n, e) => n + e.transferSize, 0);
  });
  assert.ok(bytes > 20_000 && bytes < 45_000, `${bytes} bytes`);
  await context.close();
});

test('after one visit the page opens without its server, with the last game and the statistics', {
  timeout: 100_000,
}, async () => {
  const own = await serve();
  const page = await open(
    browser,
    `${own.url}#/${KLONDIKE}`,
    { serviceWorkers: 'allow' },
    { stats: { 'klondike(draw=3)': { played: 3, won: 2, streak: 1, longest: 2, seconds: 90 } } },
  );
  await ready(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await (await caches.open('page-1')).keys()).length > 20);
  await page.keyboard.press('t');
  await page.waitForFunction(() => location.hash.includes('moves=turn'));
  own.stop();
  await own.ended;
  await page.goto(own.url);
  await page.locator('.felt .card').first().waitFor();
  // Three cards of the stock were turned, and it is said that moves need the server.
  assert.equal(await page.locator('.card[data-pile="waste"]').count(), 3);
  await page.getByText('The server does not answer').waitFor();
  await menu(page, 'Statistics');
  assert.match(await page.getByRole('dialog').textContent(), /played\s*3\s*won\s*2/);
  await page.context().close();
});
