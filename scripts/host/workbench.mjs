// A VS Code window for scripts that look at it and press its buttons: real toasts, real dialogs, no automation hooks.
import path from 'node:path';
import { loadMs, openPage, viewport } from './browser.mjs';
import { installVsix, linkExtension, logTail, startServer, windowUrl } from './server.mjs';
import { openSession, renewSession } from './session.mjs';

const settingsExtension = path.join(import.meta.dirname, 'settingsExtension');

/**
 * Starts server and browser and opens the window; what it shows by then is for the caller to wait for. `reopen` gives the
 * next one in the same browser, with a profile and a workspace as new: it takes half as long, because the 20 MB of the
 * window are loaded and compiled already.
 */
export async function startWorkbench(options) {
  const session = openSession(options);
  Object.assign(session.env, options.env, { WHETSTONE_SETTINGS_SOCKET: session.settingsSocket });
  for (const folder of [settingsExtension, ...(options.link ?? [])]) linkExtension(session, folder);
  // After the links: installing makes the list of extensions, and later links are not on it.
  if (options.vsix !== undefined) installVsix(session, options.vsix);
  const server = await startServer(session, { trust: 'by its settings' });
  const { browser, page } = await openPage(session).catch(async (error) => {
    await server.stop();
    throw error;
  });
  const opened = async (current) => {
    await page.goto(windowUrl(server.port, current.workspace), { timeout: loadMs });
    return { page, session: current, serverLog: () => logTail(server.log), reopen, stop };
  };
  const reopen = async (next) => {
    await leave(page, server.port);
    return opened(renewSession(session, next));
  };
  const stop = async () => {
    await browser.close();
    await server.stop();
    session.dispose();
  };
  return opened(session);
}

/** Closes the window, its companions and what the browser keeps for it: memory of extensions, secrets, layout. */
async function leave(page, port) {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.goto('about:blank');
  await page.setViewportSize(viewport);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin', {
    origin: `http://127.0.0.1:${port}`,
    storageTypes: 'cookies,local_storage,indexeddb,service_workers,cache_storage',
  });
  await browser.detach();
}
