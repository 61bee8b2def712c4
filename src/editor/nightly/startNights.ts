import { NightlyController, type NightlyParts } from './nightlyController.js';
import { NightlyItem } from './nightlyItem.js';
import { showNightlyMenu } from './nightlyMenu.js';
import type { SkillCounts } from '../skills/skillCounts.js';
import { installOsSchedule, type OsScheduleParts } from './osScheduleCommand.js';

/** The clock of the nights and its item in the status bar. */
export interface Nights {
  noteSkills(counts: SkillCounts): void;
  showMenu(): Promise<void>;
  installOsSchedule(): Promise<void>;
  dispose(): void;
}

/** Starts the clock of the nights. A bundle of its own, loaded once the window is open: time zones take much code. */
export function startNights(parts: NightlyParts & OsScheduleParts): Nights {
  const controller = new NightlyController(parts);
  const item = new NightlyItem(controller);
  return {
    noteSkills: (counts) => controller.noteSkills(counts),
    showMenu: () => showNightlyMenu(controller),
    installOsSchedule: () => installOsSchedule(parts),
    dispose: () => {
      item.dispose();
      controller.dispose();
    },
  };
}
