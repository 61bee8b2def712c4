// A VS Code window for scripts that look at it and press its buttons: real toasts, real dialogs, no automation hooks.
import path from 'node:path';
import { openPage } from './browser.mjs';
import { installVsix, linkExtension, logTail, startServer, windowUrl } from './server.mjs';
import { openSession } from './session.mjs';

const settingsExtension = path.join(import.meta.dirname, 'settingsExtension');

/** Starts server and browser and opens the window; what it shows by then is for the caller to wait for. */
export async function startWorkbench(options) {
  const session = openSession(options);
  Object.assign(session.env, options.env, { WHETSTONE_SETTINGS_SOCKET: session.settingsSocket });
  for (const folder of [settingsExtension, ...(options.link ?? [])]) linkExtension(session, folder);
  // After the links: installing makes the list of extensions, and later links are not on it.
  if (options.vsix !== undefined) installVsix(session, options.vsix);
  const server = await startServer(session, { trust: options.trust });
  const { browser, page } = await openPage(session).catch(async (error) => {
    await server.stop();
    throw error;
  });
  await page.goto(windowUrl(server.port, session.workspace));
  return {
    page,
    session,
    serverLog: () => logTail(server.log),
    async stop() {
      await browser.close();
      await server.stop();
      session.dispose();
    },
  };
}
