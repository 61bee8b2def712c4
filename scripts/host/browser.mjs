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

// Nobody looks at it, so nothing of it is painted: that takes half of the time that such a window needs. What a page does
// before its next frame it does by the clock then (see `framesByTheClock`), and what VS Code sends is read at once.
const unseen = { size: { width: 640, height: 480 }, flags: ['--disable-threaded-compositing'] };

/**
 * One page of a fixed size with motion reduced; `isSeen`: it is painted, and can be pointed at. Signals are the caller's
 * business; the end of this process closes it.
 */
export async function openPage(session, { isSeen = true } = {}) {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    headless: true,
    args: [...quiet, ...(isSeen ? [] : unseen.flags), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: session.env,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const context = await browser.newContext({
    viewport: isSeen ? viewport : unseen.size,
    reducedMotion: 'reduce',
    locale: 'en-US',
    // The server lies on this machine: compressing the 20 MB of a window anew each time takes it a second.
    extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (!isSeen) {
    await context.addInitScript(framesByTheClock, 25);
    await context.addInitScript(messagesAsBytes);
  }
  return { browser, page: await context.newPage() };
}

/**
 * Runs in the page. What comes over VS Code's socket comes as blobs, which lie with the browser: to read one takes three
 * processes longer than what is done with it. Here each comes as the bytes that would be read.
 */
function messagesAsBytes() {
  window.WebSocket = class extends window.WebSocket {
    constructor(...words) {
      super(...words);
      this.binaryType = 'arraybuffer';
    }
  };
  window.FileReader = class extends window.FileReader {
    readAsArrayBuffer(data) {
      if (data instanceof ArrayBuffer) queueMicrotask(() => this.onload({ target: { result: data } }));
      else super.readAsArrayBuffer(data);
    }
  };
}

/** Runs in the page. Without frames nothing would ever be called before the next one, and nothing when it is idle. */
function framesByTheClock(everyMs) {
  let waiting = new Map();
  let last = 0;
  const frame = () => {
    const now = waiting;
    waiting = new Map();
    for (const call of now.values()) {
      try {
        call(performance.now());
      } catch (error) {
        reportError(error);
      }
    }
  };
  window.requestAnimationFrame = (call) => {
    if (waiting.size === 0) setTimeout(frame, everyMs);
    last += 1;
    waiting.set(last, call);
    return last;
  };
  window.cancelAnimationFrame = (id) => void waiting.delete(id);
  // VS Code has a way of its own where a browser has none.
  delete window.requestIdleCallback;
  delete window.cancelIdleCallback;
}
