import { NightlyController, type NightlyParts } from './editor/nightly/nightlyController.js';
import { NightlyItem } from './editor/nightly/nightlyItem.js';
import { showNightlyMenu } from './editor/nightly/nightlyMenu.js';

/** The clock of the nights and its item in the status bar. */
export interface Nights {
  countPending(count: number): void;
  showMenu(): Promise<void>;
  dispose(): void;
}

/** Starts the clock of the nights. A bundle of its own, loaded once the window is open: time zones take much code. */
export function startNights(parts: NightlyParts): Nights {
  const controller = new NightlyController(parts);
  const item = new NightlyItem(controller);
  return {
    countPending: (count) => controller.countPending(count),
    showMenu: () => showNightlyMenu(controller),
    dispose: () => {
      item.dispose();
      controller.dispose();
    },
  };
}
