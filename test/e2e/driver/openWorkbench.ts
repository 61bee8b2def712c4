import { startWorkbench, type WorkbenchOptions } from '../../../scripts/host/workbench.mjs';
import { Workbench } from './workbench.js';

/**
 * Opens a VS Code window of its own (profile, extensions, home, copy of the workspace) and resolves when it can be used:
 * theme applied, status bar filled, extension host running. Close it in `after`; a killed run closes it too.
 */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const running = await startWorkbench(options);
  const workbench = new Workbench(running, options.theme ?? 'dark');
  try {
    await workbench.ready();
  } catch (error) {
    const reason = `The window did not get ready.\n${running.serverLog()}`;
    await workbench.screenshot('window-not-ready').catch(() => {});
    await workbench.close();
    throw new Error(reason, { cause: error });
  }
  return workbench;
}
