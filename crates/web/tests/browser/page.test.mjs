// The page in a real browser: games played to their end, with mouse, touch and keys.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { binary, browse, open, serve } from './served.mjs';

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
const klondike = (deal, draw = 1) =>
  at(`klondike?game=${encodeURIComponent(`klondike(draw=${draw})`)}&deal=${deal}`);
const ready = (page) => page.locator('.felt .card, .tiles .tile').first().waitFor();
/** Does something until it has its effect: a click on what is just moving may miss. */
async function until(page, act, effect, argument) {
  for (let i = 0; i < 8; i += 1) {
    await act().catch((error) => {
      if (i === 7) throw error;
    });
    try {
      return await page.waitForFunction(effect, argument, { timeout: 5_000 });
    } catch (error) {
      if (i === 7) throw error;
    }
  }
  return undefined;
}
const close = async (page) => {
  assert.deepEqual(page.wrong, []);
  await page.context().close();
};

test('Klondike is played to its end by its hints', { timeout: 400_000 }, async () => {
  const page = await open(browser, klondike('seed:1'));
  await ready(page);
  await page.getByLabel('time to think').selectOption('0.3');
  const hints = page.getByRole('region', { name: 'hints' });
  let moves = 0;
  for (; moves < 250; moves += 1) {
    if (await page.locator('.win').count()) break;
    await until(
      page,
      () => hints.getByRole('button', { name: 'Hint', exact: true }).click({ timeout: 5_000 }),
      () => {
        const s = document.querySelector('[aria-label="hints"]');
        return (
          !s.hasAttribute('aria-busy') &&
          (s.querySelector('.bars .best, .lost') || document.querySelector('.win'))
        );
      },
    );
    if (await hints.locator('.lost').count()) break;
    const best = hints.locator('.bars .best');
    if ((await best.innerText()).includes('leads back')) break;
    const before = await page.evaluate(() => location.hash);
    await until(
      page,
      () => best.getByRole('button').click({ timeout: 5_000 }),
      (old) => location.hash !== old && !document.querySelector('[aria-label="hints"] button.main').disabled,
      before,
    );
  }
  assert.ok(moves > 15, `only ${moves} hints were followed`);
  const ended =
    (await page.locator('.win').count()) ||
    (await hints.locator('.lost').count()) ||
    (await hints.locator('.bars').innerText()).includes('leads back');
  assert.ok(ended, 'the game did not end');
  // The graph has a point for every position that was thought about, and a click goes back.
  assert.ok((await page.locator('.graph .dot').count()) > 10);
  const hash = await page.evaluate(() => location.hash);
  const hit = page.locator('.graph .hit').first();
  const box = await hit.boundingBox();
  // It may have been pushed below the edge: a click of its own brings it back.
  await hit.click({ position: { x: box.width * 0.3, y: box.height / 2 }, timeout: 10_000 });
  await page.waitForFunction((old) => location.hash.length < old.length, hash);
  await close(page);
});

test('FreeCell deal 1 is solved and replayed with numbered steps', { timeout: 200_000 }, async () => {
  const page = await open(browser, at('freecell?game=freecell&deal=1'));
  await ready(page);
  const solver = page.getByRole('region', { name: 'solver' });
  await solver.getByRole('combobox').selectOption('10');
  await solver.getByRole('button', { name: 'Solve' }).click();
  await solver.getByRole('button', { name: 'Replay' }).waitFor({ timeout: 60_000 });
  assert.match(
    await solver.getByRole('status').innerText(),
    /^\d+ steps, (provably the fewest|at least \d+ are needed)/,
  );
  assert.ok(await solver.locator('.graph .low').count());
  const steps = await solver.locator('.steps li').count();
  assert.ok(steps > 40, `${steps} steps`);
  assert.match(await solver.locator('.steps li').first().innerText(), /^1\. /);
  await solver.getByRole('button', { name: 'Replay' }).click();
  await page.waitForFunction(() =>
    document.querySelector('.steps [aria-current]')?.textContent.startsWith('2.'),
  );
  await solver.getByRole('button', { name: 'Pause' }).click();
  await solver.locator('.steps li').last().getByRole('button').click();
  await page.locator('.win').waitFor();
  assert.match(await page.locator('.win').innerText(), /Won/);
  await close(page);
});

test('SameGame is played with the mouse to its end', { timeout: 200_000 }, async () => {
  const page = await open(browser, at(`samegame?game=${encodeURIComponent('samegame')}&deal=1`));
  await ready(page);
  for (let i = 0; i < 150; i += 1) {
    if (await page.locator('.win').count()) break;
    const tile = page.locator('.tile:not(.alone):not(.gone)').first();
    const hash = await page.evaluate(() => location.hash);
    await until(
      page,
      () => tile.click({ force: true, timeout: 5_000 }),
      (old) => location.hash !== old,
      hash,
    );
  }
  assert.match(await page.locator('.win').innerText(), /Score: \d+/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => !document.querySelector('.win'));
  await close(page);
});

test('cards are dragged, clicked, sent home by a double click, and moves undone', {
  timeout: 100_000,
}, async () => {
  const page = await open(browser, at('freecell?game=freecell&deal=1'), {}, { settings: { tap: false } });
  await ready(page);
  const names = () => page.evaluate(() => decodeURIComponent(/moves=([^&]*)/.exec(location.hash)?.[1] ?? ''));
  // To a cell by dragging.
  const card = page.locator('.card[data-pile="c1"]').last();
  const from = await card.boundingBox();
  const cell = await page.locator('.slot[data-pile="cell a"]').boundingBox();
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(cell.x + 24, cell.y + 24, { steps: 8 });
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes('moves='));
  assert.equal(await names(), '1a');
  // To another cell by two clicks.
  await page.locator('.card[data-pile="c2"]').last().click();
  await page.locator('.slot[data-pile="cell b"]').click();
  await page.waitForFunction(() => location.hash.includes('2b'));
  // What cannot be done is not done.
  const tries = await page.locator('.card[data-pile="c3"]').first().boundingBox();
  await page.mouse.move(tries.x + 10, tries.y + 5);
  await page.mouse.down();
  await page.mouse.move(tries.x + 200, tries.y + 60, { steps: 5 });
  await page.mouse.up();
  assert.equal(await names(), '1a+2b');
  await page.keyboard.press('u');
  await page.keyboard.press('u');
  await page.waitForFunction(() => !location.hash.includes('moves='));
  await page.keyboard.press('r');
  await page.waitForFunction(() => location.hash.includes('1a'));
  await close(page);
});

test('keys alone are enough', { timeout: 100_000 }, async () => {
  const page = await open(browser, klondike('seed:7', 3));
  await ready(page);
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.closest('.felt'))); i += 1)
    await page.keyboard.press('Tab');
  assert.ok(
    await page.evaluate(() => document.activeElement.matches('.card, .slot')),
    'the table is reached by Tab',
  );
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
  await page.keyboard.press('t');
  await page.waitForFunction(() => location.hash.includes('turn'));
  // The arrows go everywhere: every pile is reached from here.
  const seen = new Set();
  for (const key of [...'RRRRRRRR', 'D', ...'RRRRRRRR', 'U', ...'RRRRRRRR']) {
    await page.keyboard.press({ R: 'ArrowRight', D: 'ArrowDown', U: 'ArrowUp' }[key]);
    seen.add(await page.evaluate(() => document.activeElement.dataset.pile));
  }
  for (const pile of ['stock', 'waste', 'c1', 'c7', 'fS'])
    assert.ok(seen.has(pile), `${pile} of ${[...seen]}`);
  // Play a legal move between columns with Enter and arrows only.
  const move = await page.evaluate(async () => {
    const deal = { game: 'klondike(draw=3)', deal: 'seed:7' };
    const view = await (
      await fetch('/api/table', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ setup: deal, moves: ['turn'] }),
      })
    ).json();
    return view.legal.find((l) => /^c\d$/.test(l.from) && l.count === 1);
  });
  if (move) {
    const go = async (pile) => {
      for (
        let i = 0;
        i < 30 && (await page.evaluate(() => document.activeElement.dataset.pile)) !== pile;
        i += 1
      )
        await page.keyboard.press(
          /^c/.test(pile) && !/^c/.test(await page.evaluate(() => document.activeElement.dataset.pile))
            ? 'ArrowDown'
            : !/^c/.test(pile) && /^c/.test(await page.evaluate(() => document.activeElement.dataset.pile))
              ? 'ArrowUp'
              : 'ArrowRight',
        );
    };
    await go(move.from);
    await page.keyboard.press('Enter');
    assert.ok(await page.locator('.picked').count());
    await go(move.to);
    await page.keyboard.press('Enter');
    await page.waitForFunction((name) => location.hash.includes(name), move.name);
  }
  await page.keyboard.press('h');
  await page.locator('.bars .best').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await close(page);
});

test('broken rules are shown in place, and whole ones are played', { timeout: 100_000 }, async () => {
  const page = await open(browser, at('rules'));
  await page.getByText('Nothing is wrong').waitFor();
  const editor = page.getByLabel('rules in GDL');
  const good = await editor.inputValue();
  await editor.fill('(role robot)\n(init (step 1))\n(<= (legal robot ?m) (not (bad ?m)))\n(goal robot 101)');
  await page.locator('.findings li').first().waitFor();
  assert.match(await page.locator('.findings').innerText(), /line 3, column/);
  await page.locator('.findings li button').first().click();
  assert.ok(
    (await page.evaluate(() => {
      const t = document.querySelector('textarea');
      return t.selectionEnd - t.selectionStart;
    })) > 0,
  );
  await editor.fill(good);
  await page.getByText('Nothing is wrong').waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.locator('.facts li').first().waitFor();
  for (const move of ['a', 'b', 'c', 'a', 'b', 'a']) {
    const count = await page.locator('h2', { hasText: /\d moves?$/ }).innerText();
    await page.locator('.choices').getByRole('button', { name: move, exact: true }).click();
    await page.waitForFunction(
      (old) =>
        [...document.querySelectorAll('h2')].some(
          (h) => /\d moves?$/.test(h.textContent) && h.textContent !== old,
        ),
      count,
    );
  }
  assert.match(await page.locator('.text-table').innerText(), /The game is over\. Result: 1/);
  await close(page);
});

test('two planners are watched side by side', { timeout: 100_000 }, async () => {
  const page = await open(browser, at('watch?game=klondike&deal=seed:7'));
  await ready(page);
  await page.getByLabel('who plays').selectOption('two');
  await page.waitForFunction(() => document.querySelectorAll('.pane .card').length > 60);
  await page.getByLabel('time per move').selectOption('0.1');
  await page.getByRole('button', { name: 'Step' }).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.pane')].every((p) => / 1 of 1|move [1-9]/.test(p.textContent)),
  );
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(
    () => [...document.querySelectorAll('.pane')].some((p) => /move [3-9]/.test(p.textContent)),
    null,
    { timeout: 60_000 },
  );
  await page.getByRole('button', { name: 'Pause' }).click();
  await close(page);
});

test('a phone shows all of the table', { timeout: 100_000 }, async () => {
  for (const hash of [
    'klondike?game=klondike&deal=seed:7',
    'freecell?game=freecell&deal=1',
    'samegame?game=samegame&deal=1',
  ]) {
    const page = await open(browser, at(hash), {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    });
    await ready(page);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      `${hash} is too wide`,
    );
    const box = await page.locator('.felt').boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
    for (const card of await page.locator('.felt .card').all()) {
      const b = await card.boundingBox();
      assert.ok(b.x >= 0 && b.x + b.width <= 361 && b.width >= 30, JSON.stringify(b));
    }
    if (hash.startsWith('klondike')) {
      await page.locator('[data-pile="stock"]').last().tap();
      await page.waitForFunction(() => location.hash.includes('turn'));
    }
    await page.setViewportSize({ width: 740, height: 360 });
    await page.waitForTimeout(100);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close(page);
  }
});

test('roles, names and contrast', { timeout: 100_000 }, async () => {
  // Without transitions the colours are there at once.
  const page = await open(browser, klondike('seed:7', 3), { reducedMotion: 'reduce' });
  await ready(page);
  const names = await page
    .locator('.felt .card')
    .evaluateAll((all) => all.map((c) => c.getAttribute('aria-label')));
  assert.equal(names.length, 52);
  assert.ok(
    names.every((name) => /(of (hearts|spades|clubs|diamonds)|face-down card), /.test(name)),
    names.join('\n'),
  );
  assert.equal(names.filter((name) => name.startsWith('face-down')).length, 45);
  for (const theme of ['light', 'dark']) {
    await page.evaluate((t) => {
      document.documentElement.dataset.theme = t;
    }, theme);
    // A transition begins with the frame that sees the change, and may begin another one.
    await page.evaluate(async () => {
      do {
        await Promise.allSettled(document.getAnimations().map((a) => a.finished));
        for (let i = 0; i < 2; i += 1)
          await new Promise((r) => {
            requestAnimationFrame(r);
          });
      } while (document.getAnimations().length);
    });
    const low = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const rgb = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return { r, g, b, a: a / 255 };
      };
      const light = ({ r, g, b }) =>
        [r, g, b]
          .map((v) => v / 255)
          .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
          .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
      const behind = (node) => {
        for (let n = node; n; n = n.parentElement) {
          const c = rgb(getComputedStyle(n).backgroundColor);
          if (c.a === 1) return c;
        }
        return rgb('white');
      };
      const bad = [];
      for (const node of document.querySelectorAll(
        'button, a, h1, h2, label, p, span, summary, select, input',
      )) {
        if (
          !node.offsetParent ||
          node.closest('.felt') ||
          node.matches(':disabled, .skip') ||
          !(node.textContent ?? node.value ?? '').trim()
        )
          continue;
        const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) bad.push(`${node.tagName} ${node.textContent} ${ratio.toFixed(2)}`);
      }
      // An element of its own for each: a change of colour would be a transition.
      const named = (name) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(${name})`;
        const found = light(rgb(getComputedStyle(probe).color));
        probe.remove();
        return found;
      };
      for (const card of ['--heart', '--diamond', '--spade', '--club']) {
        const [a, b] = [named(card), named('--card')].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(card);
      }
      return bad;
    });
    assert.deepEqual(low, [], theme);
  }
  await close(page);
});

test('a link is the game, and a bad one is told', { timeout: 100_000 }, async () => {
  const page = await open(browser, at('klondike?game=klondike&deal=seed:7&moves=turn+turn'));
  await ready(page);
  assert.equal(await page.locator('.card[data-pile="waste"]').count(), 6);
  await page.getByRole('button', { name: 'more', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Position' }).click();
  await page.getByLabel('position', { exact: true }).fill('nonsense');
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.getByRole('alert').waitFor();
  assert.ok((await page.getByRole('alert').innerText()).length > 5);
  // The refusal is an answer of the server, which the browser notes as failed: nothing else may be.
  page.wrong.splice(0, page.wrong.length, ...page.wrong.filter((w) => !w.includes('422')));
  await close(page);
});

test('every game is offered, and what is offered fits the game', { timeout: 200_000 }, async () => {
  const { games } = await (await fetch(new URL('/api/games', server.url))).json();
  const own = games.filter((g) => g.page).sort((a, b) => a.page - b.page);
  // Most people come for this one.
  assert.equal(own[0].name, 'klondike');
  const page = await open(browser, at(''));
  await page.locator('.felt').waitFor();
  const links = await page
    .locator('#nav a')
    .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.textContent]));
  assert.deepEqual(
    links.slice(0, own.length),
    own.map((g) => [`#/${g.name}`, g.title]),
  );
  assert.equal(await page.locator('#nav [aria-current]').innerText(), own[0].title);
  for (const g of own) {
    await page.locator(`#nav [data-page="${g.name}"]`).click();
    await page.waitForFunction((name) => location.hash.startsWith(`#/${name}?`), g.name);
    const kinds = page.getByLabel('kind of game').locator('option');
    assert.deepEqual(await kinds.evaluateAll((all) => all.map((o) => [o.value, o.textContent])), g.variants);
    const last = g.variants.at(-1)[0];
    await page.getByLabel('kind of game').selectOption(last);
    await page.waitForFunction((game) => location.hash.includes(`game=${encodeURIComponent(game)}`), last);
    const view = await page.evaluate(
      async (game) =>
        (
          await fetch('/api/table', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ setup: { game, deal: 'seed:7' } }),
          })
        ).json(),
      last,
    );
    assert.equal(await page.getByRole('region', { name: 'solver' }).isVisible(), view.solvers.solve, last);
    assert.equal(
      await page.getByRole('button', { name: 'Can it be won?' }).isVisible(),
      view.solvers.prove,
      last,
    );
    assert.equal(await page.getByLabel('difficulty').isVisible(), view.solvers.prove, last);
    assert.equal(
      await page.getByRole('button', { name: 'Home', exact: true }).isVisible(),
      Boolean(view.scene.piles?.some((p) => p.kind === 'foundation')),
      last,
    );
    assert.deepEqual(
      await page.locator('#planners option').evaluateAll((all) => all.map((o) => o.value)),
      view.planners,
    );
  }
  // A game without a page of its own is one of the others, under its own name too.
  const other = games.filter((g) => !g.page);
  await page.evaluate((name) => {
    location.hash = `#/${name}`;
  }, other.at(-1).name);
  await page.waitForFunction((name) => location.hash.startsWith(`#/other?game=${name}`), other.at(-1).name);
  assert.deepEqual(
    await page
      .getByLabel('kind of game')
      .locator('option')
      .evaluateAll((all) => all.map((o) => o.textContent)),
    other.flatMap((g) => (g.variants.length ? g.variants.map(([, title]) => title) : [g.title])),
  );
  await page.locator('.choices button, .square.can').first().click();
  await page.waitForFunction(() => location.hash.includes('moves='));
  await close(page);
});

test('the tree is that of the planner that gave the hint', { timeout: 100_000 }, async () => {
  const page = await open(browser, klondike('seed:7'));
  await ready(page);
  const hints = page.getByRole('region', { name: 'hints' });
  await page.getByLabel('time to think').selectOption('0.3');
  const ask = async (planner) => {
    if (!(await page.getByLabel('planner', { exact: true }).isVisible()))
      await hints.getByText('Planner', { exact: true }).click();
    await page.getByLabel('planner', { exact: true }).fill(planner);
    await hints.getByRole('button', { name: 'Hint', exact: true }).click();
    await page.waitForFunction(
      () => document.querySelector('.bars .best') && !document.querySelector('[aria-busy]'),
    );
  };
  await ask('uct(c=0.5, eval=solver)');
  await hints.getByText(/^Search tree/).click();
  await hints.getByText('Search tree of uct(c=0.5, eval=solver)').waitFor();
  await hints.locator('.tree details').first().waitFor();
  // As many visits as the hint counts, move by move.
  const visits = await hints
    .locator(
      '.tree > li:not(:first-child) > details > summary span:last-child, .tree > li:not(:first-child) > .line span:last-child',
    )
    .evaluateAll((all) => all.map((n) => n.textContent));
  const counted = await hints
    .locator('.bars .why')
    .evaluateAll((all) => all.map((n) => /([\d,]+) visits/.exec(n.textContent)?.[1] ?? '0'));
  for (const n of counted) assert.ok(visits.includes(n), `${n} of ${visits}`);
  await ask('greedy');
  await hints.getByText('greedy searched nothing here: there is no tree.').waitFor();
  await close(page);
});

test('the player for hidden cards shows its tree, and it is stepped through', {
  timeout: 100_000,
}, async () => {
  // All of the stock has been seen: from here the search has one tree.
  const page = await open(browser, `${klondike('seed:7', 3)}&moves=${Array(8).fill('turn').join('+')}`);
  await ready(page);
  const hints = page.getByRole('region', { name: 'hints' });
  await hints.getByRole('button', { name: 'Hint', exact: true }).click();
  await page.waitForFunction(
    () => document.querySelector('.bars .best') && !document.querySelector('[aria-busy]'),
  );
  await hints.getByText(/^Search tree/).click();
  await hints.getByText('Search tree of best').waitFor();
  await hints.locator('.tree details').first().waitFor();
  await hints.getByText('Means of the results, from which the hint tells: Win probability.').waitFor();
  await hints.getByRole('link', { name: 'Step through this search' }).click();
  await page.locator('.forest .node').first().waitFor();
  // Its very parameters: a slider that has no such step changes nothing.
  await page.waitForFunction(() => /#\/tree\?.*&planner=best&n=60&/.test(location.hash));
  await page.getByRole('button', { name: 'last' }).click();
  assert.match(await page.locator('.teach h2').first().textContent(), /Iteration 60 of 60: Backup/);
  assert.equal(await page.locator('.forest .count').first().textContent(), '60');
  assert.ok((await page.locator('.forest .node').count()) > 10);
  assert.doesNotMatch(await page.locator('.forest').textContent(), /Some|None/);
  await close(page);
});

test('a scene that nobody has drawn yet is played as text', { timeout: 100_000 }, async () => {
  const page = await open(browser, at('other?game=tic-tac-toe'));
  await page.locator('.square').first().waitFor();
  const text = await page.evaluate(async () => {
    const { Board } = await import('/board.js');
    const host = document.createElement('div');
    let played;
    new Board(host, (name) => {
      played = name;
    }).show({
      scene: { kind: 'pegs', holes: [] },
      text: 'o.o',
      legal: [{ name: 'a', label: 'jump' }],
      standing: 'open',
      score: 0,
      scored: 'Result',
    });
    host.querySelector('.choices button').click();
    return [host.textContent, played];
  });
  assert.deepEqual(text, ['o.ojump', 'a']);
  await close(page);
});

test('the laboratory shows experiments while they run, and their reports', { timeout: 120_000 }, async () => {
  const store = join(mkdtempSync(join(tmpdir(), 'lab-')), 'S.db');
  const run = (...args) =>
    spawn(binary, ['experiment', 'run', 'uct-figure-2', '--quick', '--store', store, ...args], {
      stdio: 'ignore',
    });
  // A first unit of each arm, so that there is a store to serve; more run while the page is open.
  const first = run('--units', '1');
  await new Promise((done) => first.on('exit', done));
  const own = await serve('--store', store);
  const rest = run('--units', '20');
  const ended = new Promise((done) => rest.on('exit', done));
  const page = await open(browser, `${own.url}#/lab`);
  const bar = page.getByRole('progressbar', { name: 'progress of uct-figure-2' }).last();
  await bar.waitFor();
  await ended;
  await page.waitForFunction(() => [...document.querySelectorAll('progress')].some((p) => p.value >= 40));
  await page.getByRole('button', { name: 'Report of uct-figure-2' }).last().click();
  await page.frameLocator('iframe.report').locator('svg').first().waitFor();
  // The report has an address of its own.
  assert.match(page.url(), /#\/lab\?report=uct-figure-2/);
  await page.reload();
  await page.frameLocator('iframe.report').locator('svg').first().waitFor();
  // Found by its name, drawn, arms switched off, its spec and its units.
  await page.getByLabel('search').fill('no such thing');
  await page.waitForFunction(() => !document.querySelector('.experiments li'));
  await page.getByLabel('search').fill('FIGURE-2');
  await page.getByRole('button', { name: 'Chart of uct-figure-2' }).last().click();
  await page.locator('.plot polyline').first().waitFor();
  const lines = await page.locator('.plot polyline').count();
  await page.locator('.legend input').first().uncheck();
  await page.waitForFunction((n) => document.querySelectorAll('.plot polyline').length === n - 1, lines);
  await page.getByRole('button', { name: 'Spec of uct-figure-2' }).last().click();
  await page.locator('pre.spec', { hasText: 'name = "uct-figure-2"' }).waitFor();
  await page.keyboard.press('Escape');
  const csv = await page.evaluate(async () =>
    (await fetch(document.querySelector('.experiments a').href)).text(),
  );
  assert.match(csv, /^experiment,arm,unit,column,x,value\nuct-figure-2,/);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const button of await page.locator('.experiments button, .experiments a').all()) {
    const box = await button.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
  }
  await close(page);
  own.stop();
});
