import * as vscode from 'vscode';
import type { RunRequest } from '../../app/runs/runStart.js';
import { readCaps, readSettings, settingParts } from '../settings.js';
import { requestFor } from '../workbench.js';

/** The settings of the window as a run request. */
export function runRequestFor(skillPath: string): RunRequest {
  const settings = readSettings(vscode.Uri.file(skillPath));
  const preset = settings['whetstone.preset'];
  return {
    ...requestFor(skillPath),
    preset: preset === 'quick' || preset === 'paper' ? preset : 'standard',
    settings: [{ caps: set(readCaps().run) }],
    standing: optionsIn(skillPath, 'own'),
    workspaceSettings: optionsIn(skillPath, 'workspace'),
    purpose: 'optimize',
    trusted: vscode.workspace.isTrusted,
  };
}

/** What the person, or the workspace, set of a run's options. */
function optionsIn(skillPath: string, whose: 'own' | 'workspace'): Readonly<Record<string, unknown>> {
  const scope = vscode.Uri.file(skillPath);
  const rule = settingParts('whetstone.gate.rule', scope)[whose];
  const noRegression = settingParts('whetstone.gate.noRegression', scope)[whose];
  const preferences = settingParts('whetstone.preferences', scope)[whose];
  return set({ gate: set({ rule, noRegression }), preferences });
}

/** Without what is not set. */
function set(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
