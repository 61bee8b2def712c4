import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createUseCases } from '../../../src/app/useCases.js';
import { thisWindow } from '../thisWindow.js';

/** Where Claude Code keeps its sessions during a suite. */
interface ClaudeHome {
  readonly folder: string;
}

/** A folder of its own for the suite that calls this; afterwards nothing of it may be read, and all is as it was. */
export function aClaudeHome(): ClaudeHome {
  const usual = process.env['CLAUDE_CONFIG_DIR'];
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-claude-'));
    process.env['CLAUDE_CONFIG_DIR'] = folder;
  });
  after(async () => {
    await createUseCases(thisWindow('simulated')).allowSessions('claude-code', false, new AbortController().signal);
    if (usual === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = usual;
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
  };
}

/** A session of a person in the open folder, who was given the same answer each time. */
export function sessionLines(sessionId: string, said: readonly string[], answer = 'Good morning.'): string {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  const common = { cwd: workspace?.uri.fsPath ?? assert.fail(), sessionId, timestamp, turnOrigin: 'human' };
  const entries = said.flatMap((content, at) => [
    { ...common, type: 'user', uuid: `${sessionId}u${at}`, message: { content } },
    {
      ...common,
      type: 'assistant',
      uuid: `${sessionId}a${at}`,
      message: { id: `m${at}`, content: [{ type: 'text', text: answer }] },
    },
  ]);
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
