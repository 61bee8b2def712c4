import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Frame } from 'playwright-core';
import { openWorkbench } from '../driver/openWorkbench.js';
import { ours } from '../driver/ours.js';
import type { Workbench } from '../driver/workbench.js';

type Options = Parameters<typeof openWorkbench>[0];

export const incidents = '.claude/skills/incident-summary';

/** The demo in a window of its own, with the simulated model chosen. */
export async function openDemo(more: Partial<Options> = {}): Promise<Workbench> {
  const workbench = await openWorkbench({
    ...ours,
    workspace: path.resolve('media/demo'),
    ...more,
  });
  // A setting of the machine: in a remote window the file of the user does not count.
  await workbench.updateSettings({ 'whetstone.model.target': 'simulated' });
  return workbench;
}

/** Runs the command line on the window's workspace and state, as a second terminal would. */
export async function whetstone(workbench: Workbench, ...words: readonly string[]): Promise<string> {
  const { session } = workbench;
  assert.ok(session.workspace, 'the window has a folder');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.resolve('dist/cli.js'), ...words, '--root', session.workspace],
    { cwd: session.workspace, env: { ...process.env, ...session.env } },
  );
  return stdout;
}

/** The page of the training report, once it is drawn. */
export async function reportFrame({ page }: Workbench): Promise<Frame> {
  for (let tries = 0; tries < 300; tries += 1) {
    for (const frame of page.frames()) {
      const drawn = await frame.$('#report h1').catch(() => null);
      if (drawn !== null) return frame;
    }
    await page.waitForTimeout(100);
  }
  throw new Error(
    `The training report was not drawn:\n${page
      .frames()
      .map((frame) => frame.url())
      .join('\n')}`,
  );
}

/** What axe finds in a page that is serious or worse, one line a finding. */
export async function seriousFindings(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(readFileSync(path.resolve('node_modules/axe-core/axe.min.js'), 'utf8'));
  const found: unknown = await frame.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then((result) =>
      result.violations
        .filter((each) => each.impact === 'serious' || each.impact === 'critical')
        .map((each) => each.id + ': ' + each.nodes.map((node) => node.html.slice(0, 120)).join(' | ')))`,
  );
  assert.ok(Array.isArray(found));
  return found.map(String);
}
