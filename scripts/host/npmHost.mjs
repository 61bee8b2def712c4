// Runs a bundle of tests inside the extension host of the VS Code server from npm, with a browser as its window.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadMs, openPage } from './browser.mjs';
import { hasResult } from './outcome.mjs';
import { impatience } from './patience.mjs';
import { root } from './paths.mjs';
import { linkExtension, logTail, remoteUri, startServer, windowUrl } from './server.mjs';

// What every window says, about services that no test uses.
const noise = /^\[(AgentHost|RemoteAgentHost|AccountPolicyGate|ChatModelSelection)/;

/** Resolves when the tests are over or the host gave up, with what the host itself said. `isSeen`: its window is painted. */
export async function runInNpmHost({ session, entry, extensions, trust, heard, isSeen }) {
  const [developed, ...others] = extensions;
  for (const folder of others) linkExtension(session, folder); // the address has room for one in development
  const server = await startServer(session, { driver: true, trust });
  const { browser, page } = await openPage(session, { isSeen }).catch(async (error) => {
    await server.stop();
    throw error;
  });
  const over = new AbortController();
  try {
    const exited = new Promise((resolve) => void page.exposeFunction('codeAutomationExit', resolve));
    await page.addInitScript(keepLog);
    await page.goto(windowUrl(server.port, session.workspace, payload(server.port, entry, developed)), {
      timeout: loadMs,
    });
    const reason = await Promise.race([
      exited.then((code) => `It ended with ${code}.`),
      resultOf(session, over.signal),
      impatience(heard, over.signal),
    ]);
    if (hasResult(session)) return '';
    const picture = path.join(root, 'out/host-failure.png');
    await page.screenshot({ path: picture }).catch(() => {});
    const window = (await logOf(page)).filter((line) => !noise.test(line)).slice(-12);
    return [reason, 'Window:', ...window, 'Server:', logTail(server.log, 8), `Picture: ${picture}`].join('\n');
  } finally {
    over.abort();
    await browser.close();
    await server.stop();
  }
}

function payload(port, entry, extension) {
  return [
    ['extensionDevelopmentPath', remoteUri(port, extension)],
    ['extensionTestsPath', remoteUri(port, entry)],
    ['skipWelcome', 'true'],
  ];
}

/** Runs in the page, which says much: it keeps what it said last, and is asked for it where something went wrong. */
function keepLog() {
  const log = [];
  const keep = (text) => {
    log.push(String(text).split('\n', 1)[0]);
    if (log.length > 200) log.shift();
  };
  window.codeAutomationLog = (_type, words) => keep(words.join(' '));
  window.addEventListener('error', ({ message }) => keep(message));
  window.addEventListener('unhandledrejection', ({ reason }) => keep(reason));
  window.whetstoneLog = log;
}

function logOf(page) {
  return page
    .evaluate(() => window.whetstoneLog ?? [])
    .catch((error) => [`The window does not answer: ${error.message}`]);
}

async function resultOf(session, signal) {
  while (!signal.aborted && !hasResult(session)) await pause(100, undefined, { signal }).catch(() => {});
  return '';
}
