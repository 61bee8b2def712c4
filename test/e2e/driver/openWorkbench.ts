import { startWorkbench, type RunningWorkbench, type WorkbenchOptions } from '../../../scripts/host/workbench.mjs';
import { takeAnyway } from './takeScreenshot.js';
import { Workbench } from './workbench.js';

/** A browser and its server after the script that used them; `left` is their window, as long as it is as it was left. */
interface FreePlace {
  readonly running: RunningWorkbench;
  readonly needs: string;
  readonly left: { readonly workbench: Workbench; readonly shows: string } | undefined;
}

let free: FreePlace | undefined;

export interface WindowWishes extends WorkbenchOptions {
  /**
   * The script brings what it works on, under names of its own, and does not mind what others did before it: it may take
   * over the very window that another such script left, with its editors closed and its settings taken back.
   */
  readonly takesOver?: boolean;
}

/**
 * Opens a VS Code window (profile, extensions, home, copy of the workspace) and resolves when it can be used: theme
 * applied, status bar filled, extension host running. Close it in `after`. Scripts of one run that need the same
 * extensions share a browser: what one closes, the next one opens anew or takes over.
 */
export async function openWorkbench({ takesOver = false, ...options }: WindowWishes): Promise<Workbench> {
  const { theme = 'dark', trust, workspace, settings, ...server } = options;
  const needs = JSON.stringify(server);
  const shows = JSON.stringify({ theme, trust, workspace, settings });
  const place = await placeFor(needs);
  if (takesOver && place?.left?.shows === shows && (await isTidy(place.left.workbench))) return place.left.workbench;
  const running = await (place === undefined ? startWorkbench(options) : place.running.reopen(options));
  const workbench: Workbench = new Workbench(running, theme, async () => {
    free = { running, needs, left: takesOver ? { workbench, shows } : undefined };
  });
  try {
    await workbench.ready();
  } catch (error) {
    const reason = `The window did not get ready.\n${running.serverLog()}`;
    await takeAnyway(workbench.page, 'window-not-ready').catch(() => {});
    await running.stop();
    throw new Error(reason, { cause: error });
  }
  return workbench;
}

/** What is free and fits; what does not fit makes room. */
async function placeFor(needs: string): Promise<FreePlace | undefined> {
  const place = free;
  free = undefined;
  if (place === undefined || place.needs === needs) return place;
  await place.running.stop();
  return undefined;
}

/** A window that cannot be tidied up is opened anew. */
async function isTidy(workbench: Workbench): Promise<boolean> {
  return workbench.tidy().then(
    () => true,
    () => false,
  );
}
