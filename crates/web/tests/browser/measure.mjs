// How soon the page is painted, and how soon and how often a hint speaks: `node measure.mjs`.
import { browse, open, serve } from './served.mjs';

const server = await serve();
const browser = await browse();
const paints = [];
const firsts = [];
const rates = [];
for (let i = 0; i < 7; i += 1) {
  const page = await open(browser, `${server.url}#/klondike?game=klondike&deal=seed:${i + 1}`);
  await page.locator('.felt .card').first().waitFor();
  await page.waitForTimeout(300);
  const [paint] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0].startTime,
  ]);
  paints.push(paint);
  const hint = await page.evaluate(async () => {
    const begin = performance.now();
    const { search } = await import('/api.js');
    const times = [];
    await search('hint', { setup: { game: 'klondike', deal: 'seed:7' }, seconds: 2, iterations: 1e9 }, () =>
      times.push(performance.now() - begin),
    );
    return times;
  });
  firsts.push(hint[0]);
  rates.push((hint.length - 1) / ((hint.at(-1) - hint[0]) / 1000));
  await page.context().close();
}
// What is sent before the first card is seen, and how soon a drop is on the screen 400 ms from the server.
const context = await browser.newContext({ serviceWorkers: 'block' });
const page = await context.newPage();
const session = await context.newCDPSession(page);
await session.send('Network.enable');
await page.addInitScript(() => {
  new MutationObserver((_, watch) => {
    if (!document.querySelector('.felt .card')) return;
    watch.disconnect();
    window.firstCard = performance.now();
  }).observe(document, { childList: true, subtree: true });
});
await page.goto(`${server.url}#/klondike?game=klondike&deal=seed:7`);
await page.waitForFunction(() => window.firstCard);
const bytes = await page.evaluate(() => {
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  return all.filter((e) => e.responseEnd <= window.firstCard).reduce((n, e) => n + e.transferSize, 0);
});
await page.waitForTimeout(1000);
await session.send('Network.emulateNetworkConditions', {
  offline: false,
  latency: 400,
  downloadThroughput: -1,
  uploadThroughput: -1,
});
/** The ace of spades goes from its column to its foundation, carried there by the mouse. */
const middle = async (target) => {
  const box = await page.locator(target).last().boundingBox();
  return [box.x + box.width / 2, box.y + Math.min(20, box.height / 2)];
};
const drops = [];
for (let i = 0; i < 7; i += 1) {
  const [from, to] = [await middle('.card[data-pile="c2"]'), await middle('.slot[data-pile="fS"]')];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  // From the drop itself to the first frame in which the card lies on its new pile.
  await page.evaluate(() => {
    window.dropped = new Promise((done) => {
      const drop = async ({ timeStamp }) => {
        const ace = document.querySelector('[aria-label^="ace of spades"]');
        do
          await new Promise((r) => {
            requestAnimationFrame(r);
          });
        while (ace.dataset.pile !== 'fS');
        done(performance.now() - timeStamp);
      };
      addEventListener('pointerup', drop, { capture: true, once: true });
    });
  });
  await page.mouse.up();
  drops.push(await page.evaluate(() => window.dropped));
  await page.waitForFunction(() => location.hash.includes('moves='));
  await page.keyboard.press('u');
  await page.waitForFunction(() => !location.hash.includes('moves='));
  await page.waitForTimeout(400);
}
await context.close();
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
console.log(
  `first paint: median ${median(paints).toFixed(0)} ms, longest ${Math.max(...paints).toFixed(0)} ms`,
);
console.log(
  `first estimate: median ${median(firsts).toFixed(0)} ms, longest ${Math.max(...firsts).toFixed(0)} ms`,
);
console.log(`updates: median ${median(rates).toFixed(1)}/s, fewest ${Math.min(...rates).toFixed(1)}/s`);
console.log(`sent before the first card: ${bytes} bytes`);
console.log(
  `a drop on the screen, 400 ms away: median ${median(drops).toFixed(0)} ms, longest ${Math.max(...drops).toFixed(0)} ms`,
);
await browser.close();
server.stop();
