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
  const [paint, cards] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]);
  paints.push(paint);
  const hint = await page.evaluate(async () => {
    const begin = performance.now();
    const { search } = await import('/api.js');
    const times = [];
    await search('hint', { setup: { game: 'klondike', deal: 'seed:7' }, seconds: 2 }, () => times.push(performance.now() - begin));
    return times;
  });
  firsts.push(hint[0]);
  rates.push((hint.length - 1) / ((hint.at(-1) - hint[0]) / 1000));
  await page.context().close();
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
console.log(`first paint: median ${median(paints).toFixed(0)} ms, longest ${Math.max(...paints).toFixed(0)} ms`);
console.log(`first estimate: median ${median(firsts).toFixed(0)} ms, longest ${Math.max(...firsts).toFixed(0)} ms`);
console.log(`updates: median ${median(rates).toFixed(1)}/s, fewest ${Math.min(...rates).toFixed(1)}/s`);
await browser.close();
server.stop();
