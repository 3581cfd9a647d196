// Review, memory, feel, teaching, languages, and what everybody can use.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
const menu = async (page, name) => {
  await page.getByRole('button', { name: 'more', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
};
const ask = async (path, body) =>
  (
    await fetch(new URL(`/api/${path}`, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json();
/** The moves of a whole solution. */
async function solution(setup) {
  const response = await fetch(new URL('/api/solve', server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ setup, seconds: 60, iterations: 200_000 }),
  });
  const text = await response.text();
  return JSON.parse(/event: done\ndata: (.*)/.exec(text)[1]).moves;
}
const FREECELL = { game: 'freecell', deal: '1' };
const link = (setup, moves) =>
  `${setup.game.split('(')[0]}?game=${encodeURIComponent(setup.game)}&deal=${setup.deal}&moves=${moves.map(encodeURIComponent).join('+')}`;

test('a game is reviewed: its curve, what a move cost, and a better line', { timeout: 200_000 }, async () => {
  // Nothing is dug for: cells are filled until nothing goes on.
  const bad = ['1a', '1b', '1c', '1d'];
  const page = await open(browser, at(link(FREECELL, bad)));
  await ready(page);
  await menu(page, 'Review this game');
  const review = page.getByRole('region', { name: 'review' });
  await page.waitForFunction(
    () => /blunders/.test(document.querySelector('.review .meter')?.textContent),
    null,
    { timeout: 150_000 },
  );
  assert.ok((await review.locator('.graph .line').getAttribute('points')).split(' ').length >= 4);
  // The curve goes back in time.
  const hit = await review.locator('.hit').boundingBox();
  await page.mouse.click(hit.x + 2, hit.y + hit.height / 2);
  await page.waitForFunction(() => !location.hash.includes('moves='));
  if (await review.locator('.marks .better').count()) {
    await review.locator('.marks .better').first().click();
    await page.getByText('You are looking at another line').waitFor();
    await page.getByRole('button', { name: 'Back to my game' }).click();
    await page.waitForFunction(() => document.querySelector('.banner').hidden);
  }
  await close(page);
});

test('a game is played to its end with one request for its finish, counted, and remembered', {
  timeout: 200_000,
}, async () => {
  const moves = await solution(FREECELL);
  const page = await open(browser, at(link(FREECELL, moves.slice(0, 40))));
  await ready(page);
  // Moves by tapping would choose others: they are played as hints would.
  for (const name of moves.slice(40)) {
    if (await page.locator('.win').count()) break;
    const view = await ask('table', {
      setup: FREECELL,
      moves: (await page.evaluate(() => decodeURIComponent(/moves=([^&]*)/.exec(location.hash)[1]))).split(
        '+',
      ),
    });
    if (view.standing !== 'open' || view.finish) break;
    const move = view.legal.find((l) => l.name === name);
    const held = view.scene.piles.find((p) => p.id === move.from).cards.length;
    const card = page.locator(`.card[data-pile="${move.from}"][data-index="${held - move.count}"]`);
    const to = page.locator(`.slot[data-pile="${move.to}"]`);
    const [a, b] = [await card.boundingBox(), await to.boundingBox()];
    const old = await page.evaluate(() => location.hash);
    await page.mouse.move(a.x + 12, a.y + 8);
    await page.mouse.down();
    await page.mouse.move(b.x + 14, b.y + 10, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction((h) => location.hash !== h, old);
  }
  await page.locator('.win').waitFor();
  assert.match(await page.locator('.win').textContent(), /Won!/);
  await menu(page, 'Statistics');
  assert.match(await page.getByRole('dialog').textContent(), /played\s*1\s*won\s*1 \(100 %\)/);
  await page.keyboard.press('Escape');
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('patience.stats')));
  assert.equal(stored.freecell.won, 1);
  // Taken along to another browser.
  const text = await page.evaluate(async () => (await import('/memory.js')).exported());
  const other = await open(browser, at('freecell'));
  await ready(other);
  await menu(other, 'Settings');
  await Promise.all([
    other.waitForEvent('load'),
    other
      .locator('dialog input[type="file"]')
      .setInputFiles({ name: 'patience.json', mimeType: 'application/json', buffer: Buffer.from(text) }),
  ]);
  await ready(other);
  assert.deepEqual(
    await other.evaluate(() => JSON.parse(localStorage.getItem('patience.stats')).freecell.won),
    1,
  );
  await close(other);
  await close(page);
});

test('a tap moves a card where it best goes, and the time can be hidden', async () => {
  const page = await open(browser, at('klondike?game=klondike&deal=seed:7'), {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await ready(page);
  await page.locator('.card[aria-label^="ace of spades"]').tap();
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-label^="ace of spades"]').dataset.pile === 'fS' &&
      location.hash.includes('moves='),
  );
  assert.match(await page.locator('.status').textContent(), /0:0\d/);
  await menu(page, 'Settings');
  await page.getByLabel('Show the time').uncheck();
  await page.getByLabel('Colours of the suits').selectOption('two');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !/0:0/.test(document.querySelector('.status').textContent));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.deck), 'two');
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.deck), 'two');
  await close(page);
});

test('the deal of the day is the same for everybody, and its streak is counted', {
  timeout: 120_000,
}, async () => {
  const page = await open(browser, at('freecell'));
  await ready(page);
  await page.clock.install({ time: new Date('2026-03-05T12:00:00') });
  await page.clock.resume();
  await menu(page, 'Deal of the day');
  await page.waitForFunction(() => document.getElementById('toast').textContent.includes('2026'));
  const [game, deal] = await page.evaluate(() => {
    const { setup } = JSON.parse(localStorage.getItem('patience.game.freecell'));
    return [setup.game, setup.deal];
  });
  const { setup } = await ask('deal', { game, seed: 20260305, winnable: true });
  assert.equal(deal, setup.deal);
  const streaks = await page.evaluate(async () => {
    const m = await import('/memory.js');
    for (const day of ['2026-03-01', '2026-03-03', '2026-03-04']) m.wonDay('g', day);
    const at = (d) => m.dayStreak('g', new Date(`${d}T12:00:00`));
    return [at('2026-03-04'), at('2026-03-05'), at('2026-03-06'), at('2026-03-01')];
  });
  assert.deepEqual(streaks, [2, 2, 0, 1]);
  await close(page);
});

test('a search is stepped forwards and back, with its numbers', { timeout: 120_000 }, async () => {
  const page = await open(browser, at('tree?game=tic-tac-toe&planner=uct(c%3D1)&n=12&seed=3'));
  await page.locator('.forest .node').first().waitFor();
  assert.match(await page.locator('.teach h2').first().textContent(), /Iteration 1 of 12: Selection/);
  assert.equal(await page.locator('.forest .node').count(), 1);
  await page.getByRole('button', { name: 'step on' }).click();
  assert.match(await page.locator('.teach h2').first().textContent(), /Expansion/);
  assert.equal(await page.locator('.forest .node.added').count(), 1);
  await page.getByRole('button', { name: 'last' }).click();
  // All iterations are counted at the root, and what was said of an edge is what UCB1 gives.
  assert.equal(await page.locator('.forest .count').first().textContent(), '12');
  const rows = await page
    .locator('.compare')
    .first()
    .locator('tbody tr')
    .evaluateAll((all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
  const visits = rows.reduce((n, r) => n + Number(r[1]), 0);
  assert.equal(visits, 12);
  for (const [, n, , bonus] of rows)
    assert.ok(Math.abs(Number(bonus) - Math.sqrt(Math.log(12) / Number(n))) < 0.002, `${rows}`);
  await page.getByRole('button', { name: 'step back' }).click();
  await page.locator('.forest .node').nth(1).hover();
  assert.match(await page.locator('.node-text').textContent(), /(MIN|MAX) is to move\n[.xo]{3}/);
  // The link holds the step.
  const link = page.url();
  await page.reload();
  await page.locator('.forest .node').nth(3).waitFor();
  assert.equal(page.url(), link);
  await close(page);
});

test('two planners play against each other, and a link says who', { timeout: 120_000 }, async () => {
  const page = await open(
    browser,
    at('watch?game=tic-tac-toe&deal=1&mode=against&planner=uct(c%3D1)&other=random'),
  );
  await page.locator('.square').first().waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'planner 1' }).inputValue(), 'uct(c=1)');
  assert.equal(await page.getByRole('combobox', { name: 'planner 2' }).inputValue(), 'random');
  await page.getByLabel('time per move').selectOption('0.1');
  for (const who of ['uct(c=1)', 'random']) {
    const n = await page.locator('.square .piece').count();
    await page.getByRole('button', { name: 'Step' }).click();
    await page.waitForFunction((before) => document.querySelectorAll('.square .piece').length > before, n);
    assert.ok((await page.locator('.meter').textContent()).startsWith(who));
  }
  assert.match(page.url(), /mode=against&planner=uct\(c%3D1\)&other=random/);
  await close(page);
});

test('bundled rules are chosen, drawn as a board and played', { timeout: 120_000 }, async () => {
  const page = await open(browser, at('rules'));
  await page.getByText('Nothing is wrong').waitFor();
  const bundled = await (await fetch(new URL('/api/rules', server.url))).json();
  assert.equal(
    await page.getByLabel('rules that come with the program').locator('option').count(),
    bundled.length + 1,
  );
  await page.getByLabel('rules that come with the program').selectOption('tictactoe');
  await page.waitForFunction(() => document.querySelector('textarea').value.includes('cell'));
  await page.waitForFunction(() => document.querySelector('[aria-label="role"]').options.length === 2);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 9);
  await page.locator('.square.can').first().click();
  await page.locator('.square .piece').first().waitFor();
  await close(page);
});

test('every word of the page is there in German', { timeout: 200_000 }, async () => {
  const files = [
    'play',
    'hints',
    'solve',
    'review',
    'teach',
    'watch',
    'rules',
    'lab',
    'plot',
    'settings',
    'dialogs',
    'stats',
    'api',
    'board',
    'cardtable',
    'dom',
    'forest',
    'games',
    'graph',
    'grid',
    'main',
    'theme',
    'tiles',
    'tree',
    'words',
  ];
  const table = (await import(new URL('../../page/words-de.js', import.meta.url))).default;
  const said = new Set();
  for (const file of files) {
    const text = readFileSync(new URL(`../../page/${file}.js`, import.meta.url), 'utf8');
    for (const [, single, double] of text.matchAll(/\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g))
      said.add(single ?? double);
  }
  assert.ok(said.size > 200, `${said.size}`);
  assert.deepEqual(
    [...said].filter((text) => !(text in table)),
    [],
  );
  // Words that are not written at their place are found where they are said.
  const page = await open(browser, at('klondike'), { locale: 'de-DE' });
  await ready(page);
  assert.equal(await page.getByRole('button', { name: 'Zurück', exact: true }).count(), 1);
  for (const hash of [
    'samegame',
    'tree?game=tic-tac-toe&planner=uct&n=5&step=20',
    'watch',
    'lab',
    'rules',
    'other?game=connect-four',
  ]) {
    await page.evaluate((h) => {
      location.hash = `#/${h}`;
    }, hash);
    await page.waitForTimeout(700);
  }
  assert.deepEqual(await page.evaluate(async () => [...(await import('/words.js')).missing]), []);
  await close(page);
});

test('what the server says is said in German: moves, piles, titles, reasons', {
  timeout: 100_000,
}, async () => {
  const page = await open(browser, at('klondike?game=klondike&deal=seed:7'), { locale: 'de-DE' });
  await ready(page);
  const { games } = await (await fetch(new URL('/api/games', server.url))).json();
  const said = new Set();
  for (const info of games) {
    const kinds = info.variants.length ? info.variants : [[info.name, info.title]];
    for (const [game, name] of kinds) {
      said.add(name);
      const { setup } = await ask('deal', { game, seed: 5 });
      if (!setup) continue;
      const moves = [];
      // A few moves of every kind: always another one of those that are legal.
      for (let i = 0; i < 12; i += 1) {
        const view = await ask('table', { setup, moves });
        if (!view.legal?.length) break;
        for (const move of view.legal) said.add(move.label);
        for (const pile of view.scene.piles ?? []) said.add(pile.name);
        for (const line of view.scene.text?.split('\n') ?? []) said.add(line);
        said
          .add(view.title)
          .add(view.scored)
          .add(view.scene.seen ?? '');
        moves.push(view.legal[(i * 7) % view.legal.length].name);
      }
    }
  }
  for (const text of [
    'it is safe: all that can be done now can still be done after it',
    'looking through the stock first costs nothing and shows all of it',
    'turn the stock 8 times, then seven of hearts and 2 more from column 1 to column 2',
    'all 12 positions that can be reached were searched: none wins',
  ])
    said.add(text);
  assert.ok(said.size > 300, `${said.size}`);
  const [missing, card, look, titles, sailed] = await page.evaluate(
    async ([texts, names]) => {
      const words = await import('/words.js');
      for (const text of texts) words.said(text);
      const sail = 'at (0, 0) of (9, 9), wind to NE, neither tack';
      return [
        [...words.missing],
        words.said(texts.at(-2)),
        words.said('look at a'),
        names.map(words.said),
        words.said(sail),
      ];
    },
    [[...said], games.map((info) => info.title)],
  );
  assert.deepEqual(missing, []);
  // Titles are names.
  assert.deepEqual(
    titles,
    games.map((info) => info.title),
  );
  assert.equal(sailed, 'bei (0, 0) von (9, 9), Wind nach NO, auf keinem Bug');
  assert.equal(look, 'a ansehen');
  assert.equal(card, 'Talon umdrehen, 8-mal, dann Herz Sieben und 2 weitere von Spalte 1 auf Spalte 2');
  const label = await page.locator('.card[aria-label^="Pik Ass"]').getAttribute('aria-label');
  assert.match(label, /^Pik Ass, Spalte 2, 2 von 2/);
  await page.getByRole('button', { name: 'Tipp', exact: true }).last().click();
  await page.locator('.bars .best').waitFor();
  assert.match(await page.locator('.bars .best .label').textContent(), /Pik Ass von Spalte 2 auf die Ablage/);
  // What stands beside a board is said in German too, and what is seen.
  for (const [game, text] of [
    ['tic-tac-toe', /^x ist am Zug$/],
    ['battleship', /^noch 14 Felder mit Schiffen$/],
    ['sailing', /Wind nach/],
    ['tiger', /gehört; noch 20 Züge/],
  ]) {
    await page.goto(at(`other?game=${game}&deal=seed:3`));
    await page.waitForFunction(
      ([source]) =>
        new RegExp(source).test(document.querySelector('.grid-text, .text-table pre')?.textContent ?? ''),
      [text.source],
    );
  }
  await page.getByRole('button', { name: 'nach dem Tiger lauschen' }).click();
  await page.getByText(/^Gesehen: (links|rechts) gehört$/).waitFor();
  await close(page);
});

test('a reader of English is sent no words of other languages', async () => {
  const page = await open(browser, 'about:blank');
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(at('klondike?game=klondike&deal=seed:7'));
  await ready(page);
  assert.deepEqual(
    asked.filter((path) => /words-|hear|api.words/.test(path)),
    [],
  );
  assert.ok(asked.length > 10, `${asked}`);
  await page.context().close();
});

test('every link of the lesson opens what it names', { timeout: 200_000 }, async () => {
  const lesson = readFileSync(new URL('../../../../docs/teaching.md', import.meta.url), 'utf8');
  const links = [...lesson.matchAll(/\]\(http:\/\/127\.0\.0\.1:8080\/#\/(\S+)\)/g)].map(([, link]) => link);
  assert.ok(links.length >= 10, `${links.length}`);
  for (const link of links) {
    const page = await open(browser, at(link));
    if (link.startsWith('tree')) {
      await page.locator('.forest .node').first().waitFor();
      const [, n, step] = /n=(\d+).*step=(\d+)/.exec(link);
      const title = await page.locator('.teach h2').first().textContent();
      // Four steps an iteration; the last one of all is told as it is.
      const number = Math.min(Number(n), Math.floor(Number(step) / 4) + 1);
      assert.match(title, new RegExp(`^Iteration ${number} of ${n}:`), link);
    } else {
      await page.locator('.square').first().waitFor();
      assert.equal(await page.getByRole('combobox', { name: 'planner 2' }).inputValue(), 'random');
    }
    await close(page);
  }
});

test('Klondike and SameGame are reviewed too', { timeout: 300_000 }, async () => {
  for (const setup of [
    { game: 'klondike(draw=1)', deal: 'seed:7' },
    { game: 'samegame(width=5,height=5,colours=3)', deal: 'seed:3' },
  ]) {
    const moves = [];
    for (let i = 0; i < 4; i += 1) {
      const view = await ask('table', { setup, moves });
      moves.push(view.legal[0].name);
    }
    const page = await open(browser, at(link(setup, moves)));
    await ready(page);
    await menu(page, 'Review this game');
    await page.waitForFunction(
      () => /blunders/.test(document.querySelector('.review .meter')?.textContent),
      null,
      { timeout: 150_000 },
    );
    const review = page.getByRole('region', { name: 'review' });
    // A point for the start and for every move.
    assert.equal(
      (await review.locator('.graph .line').getAttribute('points')).split(' ').length,
      5,
      setup.game,
    );
    await close(page);
  }
});

/** What axe calls serious on the page as it is now. */
async function serious(page) {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const { violations } = await page.evaluate(
    `(() => { const module = undefined, exports = undefined, define = undefined; ${axe}; return window.axe.run(document, { resultTypes: ['violations'] }); })()`,
  );
  const wrong = violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  return wrong.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`);
}

test('axe finds nothing serious in dialogs and in a review', { timeout: 300_000 }, async () => {
  for (const colorScheme of ['light', 'dark']) {
    const moves = ['1a', '1b', '1c', '1d'];
    const page = await open(browser, at(link(FREECELL, moves)), { colorScheme, reducedMotion: 'reduce' });
    await ready(page);
    // Where nothing can be copied the link is shown.
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not here'));
    });
    const looked = async (name) => {
      await menu(page, name);
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await serious(page), [], `${name} ${colorScheme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    };
    for (const name of ['Settings', 'Statistics', 'Keys', 'Share', 'Position']) await looked(name);
    await menu(page, 'Review this game');
    await page.waitForFunction(
      () => /blunders/.test(document.querySelector('.review .meter')?.textContent),
      null,
      { timeout: 150_000 },
    );
    assert.deepEqual(await serious(page), [], `review ${colorScheme}`);
    await page.keyboard.press('n');
    await page.getByText('A new game. The other one is kept.').waitFor();
    await looked('Games before');
    await close(page);
  }
});

test('nothing keeps anybody out: axe finds nothing serious on any page, light or dark', {
  timeout: 300_000,
}, async () => {
  const pages = [
    'klondike?game=klondike&deal=seed:7',
    'freecell?game=freecell&deal=1',
    'samegame?game=samegame&deal=1',
    'other?game=connect-four',
    'other?game=tiger',
    'other?game=2048',
    'other?game=rock-sample',
    'other?game=sysadmin',
    'watch',
    'tree?game=tic-tac-toe&n=8&step=9',
    'rules',
    'lab',
  ];
  for (const colorScheme of ['light', 'dark']) {
    for (const hash of pages) {
      const page = await open(browser, at(hash), { colorScheme, reducedMotion: 'reduce' });
      await page.waitForFunction(() => document.querySelector('main').children.length > 0);
      await page.waitForTimeout(500);
      if (hash.startsWith('klondike')) {
        await page.getByRole('button', { name: 'Hint', exact: true }).last().click();
        await page.locator('.bars .best').waitFor();
      }
      assert.deepEqual(await serious(page), [], `${hash} ${colorScheme}`);
      await close(page);
    }
  }
});
