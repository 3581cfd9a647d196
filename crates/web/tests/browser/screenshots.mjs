// Pictures of the page: `node screenshots.mjs FOLDER`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { browse, open, serve } from './served.mjs';

const folder = process.argv[2] ?? '.';
const only = process.argv[3];
mkdirSync(folder, { recursive: true });
const server = await serve(...(process.env.STORE ? ['--store', process.env.STORE] : []));
const browser = await browse();
const shot = async (name, hash, act = async () => {}, options = {}) => {
  if (only && !name.startsWith(only)) return;
  const page = await open(browser, `${server.url}#/${hash}`, {
    clock: true,
    viewport: { width: 1280, height: 820 },
    ...options,
  });
  await page.waitForTimeout(600);
  await act(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  if (page.wrong.length) console.log(name, page.wrong);
  await page.context().close();
};
const hint = async (page) => {
  await page.getByLabel('time to think').selectOption('1');
  await page
    .getByRole('region', { name: 'hints' })
    .getByRole('button', { name: 'Hint', exact: true })
    .click();
  await page.waitForFunction(
    () => document.querySelector('.bars .best') && !document.querySelector('[aria-busy]'),
    null,
    { timeout: 20_000 },
  );
};
const follow = (n) => async (page) => {
  await page.getByLabel('time to think').selectOption('0.3');
  for (let i = 0; i < n; i += 1) {
    await page
      .getByRole('region', { name: 'hints' })
      .getByRole('button', { name: 'Hint', exact: true })
      .click();
    await page.waitForFunction(
      () => document.querySelector('.bars .best, .lost') && !document.querySelector('[aria-busy]'),
    );
    if (!(await page.locator('.bars .best').count())) break;
    const hash = await page.evaluate(() => location.hash);
    await page.locator('.bars .best button').click();
    await page.waitForFunction(
      (old) => location.hash !== old && !document.querySelector('[aria-label="hints"] button.main').disabled,
      hash,
    );
  }
  await hint(page);
};
const klondike = `klondike?game=${encodeURIComponent('klondike(draw=1)')}&deal=seed:3`;
await shot('klondike', klondike, follow(5));
await shot('freecell', 'freecell?game=freecell&deal=1', async (page) => {
  await page.setViewportSize({ width: 1280, height: 1120 });
  const solver = page.getByRole('region', { name: 'solver' });
  await solver.getByRole('combobox').selectOption('10');
  await solver.getByRole('button', { name: 'Solve' }).click();
  await solver.getByRole('button', { name: 'Replay' }).waitFor({ timeout: 60_000 });
  await solver.locator('.steps li').nth(24).getByRole('button').click();
  await page.waitForTimeout(400);
});
await shot('samegame', 'samegame?game=samegame&deal=3', hint);
await shot('dark', klondike, hint, { colorScheme: 'dark' });
await shot('phone', 'klondike?game=klondike&deal=seed:3&moves=turn+turn', async () => {}, {
  viewport: { width: 390, height: 760 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
});
await shot('phone-freecell', 'freecell?game=freecell&deal=5', async () => {}, {
  viewport: { width: 390, height: 760 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
});
await shot('phone-samegame', 'samegame?game=samegame&deal=5', async () => {}, {
  viewport: { width: 390, height: 760 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
});
await shot('watch', 'watch', async (page) => {
  await page.getByLabel('who plays').selectOption('two');
  await page.waitForTimeout(400);
  await page.getByLabel('time per move').selectOption('0.1');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForTimeout(6000);
});
await shot('rules', 'rules', async (page) => {
  await page.getByRole('button', { name: 'Play' }).click();
});
await shot('broken', 'rules', async (page) => {
  await page
    .getByLabel('rules in GDL')
    .fill('(role robot)\n(init (step 1))\n(<= (legal robot ?m) (not (bad ?m)))\n(goal robot 101)\n');
});
await shot('tree', 'tree?game=tic-tac-toe&planner=uct(c%3D1)&n=40&seed=1&step=49');
await shot('lab', 'lab');
await shot('others', 'other');
await browser.close();
server.stop();
