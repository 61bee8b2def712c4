import assert from 'node:assert/strict';
import type { Workbench } from '../driver/workbench.js';

/** Looks until “Choose Model” says that this model plays a role. */
export async function isChosen(workbench: Workbench, spec: string): Promise<void> {
  let items: readonly string[] = [];
  for (let tries = 0; tries < 10; tries += 1) {
    await workbench.palette('Whetstone: Choose Model');
    items = await workbench.quickInput.items();
    await workbench.quickInput.dismiss();
    if (items.some((item) => item.includes(spec))) return;
  }
  assert.fail(`${spec} is not among ${items.join(' | ')}`);
}
