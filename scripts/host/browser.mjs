// A Chromium without a window, with its own profile, that asks nothing of the network.
import { chromium } from 'playwright-core';
import { findBrowser } from './browserPath.mjs';

const quiet = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--js-flags=--max-lazy', // of 20 MB of script a window runs a small part: the rest is not compiled
  '--disable-dev-shm-usage',
  '--font-render-hinting=none', // letters of the same shape on every machine
];

/** How long a window may take to load: on a machine with much to do, more than the half minute that the browser would wait. */
export const loadMs = 180_000;

export const viewport = { width: 1400, height: 900 };

/** One page of a fixed size with motion reduced. Signals are the caller's business; the end of this process closes it. */
export async function openPage(session, size = viewport) {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    headless: true,
    args: [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: session.env,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const context = await browser.newContext({
    viewport: size,
    reducedMotion: 'reduce',
    locale: 'en-US',
    // The server lies on this machine: compressing the 20 MB of a window anew each time takes it a second.
    extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return { browser, page: await context.newPage() };
}
