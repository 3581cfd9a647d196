// A server of our own and a browser in which nothing may go wrong unseen.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
export const binary =
  process.env.PATIENCE ?? ['release', 'debug'].map((p) => join(target, p, 'patience')).find(existsSync);
const browsers = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export async function serve(...args) {
  // A server that runs already may be named, to look at a page while it is made.
  if (process.env.PATIENCE_URL) return { url: process.env.PATIENCE_URL, stop: () => {} };
  if (!binary) throw new Error('build the command first: cargo build -p patience-cli');
  const child = spawn(binary, ['serve', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      const m = /http:\S+/.exec(text);
      if (m) resolve(m[0]);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  // A test that fails must not leave the run waiting for its server.
  child.unref();
  child.stdout.unref();
  process.on('exit', () => child.kill('SIGKILL'));
  const ended = new Promise((done) => child.once('exit', done));
  return { url, pid: child.pid, ended, stop: () => child.kill('SIGINT') };
}

export async function browse() {
  return chromium.launch({
    executablePath: browsers.find((path) => path && existsSync(path)),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--crash-dumps-dir=${mkdtempSync(join(tmpdir(), 'crash-'))}`,
    ],
  });
}

/** Searches count iterations here, not seconds: a busy machine only takes longer for the same. */
const COUNTED = { hint: 300, review: 40, tree: 300 };

async function counted(route) {
  const kind = /api\/(\w+)$/.exec(route.request().url())?.[1];
  const body = route.request().postDataJSON();
  if (COUNTED[kind] && body.iterations === undefined) {
    Object.assign(body, { iterations: COUNTED[kind], seconds: kind === 'review' ? 3 : 30 });
  }
  await route.continue({ postData: JSON.stringify(body) });
}

/**
 * A page whose console errors, failed requests and requests to elsewhere are kept. `stored` is what the
 * browser remembers already; with `clock` searches take their seconds.
 */
export async function open(browser, url, { clock = false, ...options } = {}, stored = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.addInitScript((values) => {
    // A report in its frame remembers nothing.
    if (window !== top || sessionStorage.getItem('begun')) return;
    sessionStorage.setItem('begun', 'yes');
    for (const [key, value] of Object.entries(values))
      localStorage.setItem(`patience.${key}`, JSON.stringify(value));
  }, stored);
  if (!clock) await page.route(/\/api\/(hint|review|tree)$/, counted);
  const wrong = [];
  const origin = new URL(url).origin;
  page.on('console', (m) => {
    // No worker keeps anything between tests, of which the driver complains.
    if (['error', 'warning'].includes(m.type()) && !m.text().includes('Service Worker')) wrong.push(m.text());
  });
  page.on('pageerror', (e) => {
    // Nor is it asked for a worker, but by the driver.
    if (!String(e).includes("'serviceWorker' property")) wrong.push(String(e));
  });
  page.on('request', (r) => {
    if (!r.url().startsWith(origin) && !/^(data|blob):/.test(r.url()))
      wrong.push(`asks elsewhere: ${r.url()}`);
  });
  await page.goto(url);
  page.wrong = wrong;
  return page;
}
