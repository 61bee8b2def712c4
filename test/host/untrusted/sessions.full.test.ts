import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createUseCases } from '../../../src/app/useCases.js';
import { answering } from '../answering.js';
import { thisWindow } from '../thisWindow.js';

/** All that looks at a folder or a file, listened to while a command works. */
const looks = ['lstat', 'open', 'opendir', 'readFile', 'readdir', 'realpath', 'stat'] as const;

describe('past sessions in a window that the person does not trust', () => {
  const usual = process.env['CLAUDE_CONFIG_DIR'];
  let claude = '';

  before(() => {
    assert.equal(vscode.workspace.isTrusted, false);
    claude = mkdtempSync(path.join(os.tmpdir(), 'whetstone-home-'));
    process.env['CLAUDE_CONFIG_DIR'] = claude;
    mkdirSync(path.join(claude, 'projects/here'), { recursive: true });
    writeFileSync(path.join(claude, 'projects/here/s.jsonl'), '{}\n');
  });
  after(() => {
    if (usual === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = usual;
    rmSync(claude, { recursive: true, force: true });
  });

  for (const name of ['chooseSessions', 'showUsage', 'showSessions', 'mineSessions'])
    it(`“${name}” asks nothing, and looks at nothing in the home`, async () => {
      const skillPath = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'skills/a/SKILL.md');
      const { result, seen } = await listened(() =>
        answering({}, () => vscode.commands.executeCommand(`whetstone.${name}`, skillPath)),
      );
      assert.match(result.errors.join('\n'), /not trusted/u);
      assert.deepEqual([result.warnings, result.messages, result.rows], [[], [], []]);
      assert.deepEqual(seen, []);
    });

  it('are looked at where a workspace is trusted: who listens here would hear it', async () => {
    const { seen } = await listened(() =>
      createUseCases(thisWindow('simulated')).sessionSources(new AbortController().signal),
    );
    assert.ok(seen.some((file) => file.startsWith(claude)));
  });

  /** What of the home was looked at meanwhile. */
  async function listened<Result>(
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly seen: readonly string[] }> {
    const seen: string[] = [];
    const usually = looks.map((name) => [name, fs[name]] as const);
    const listening = usually.map(([name, look]) => [
      name,
      (...given: readonly unknown[]): unknown => {
        if (String(given[0]).startsWith(claude)) seen.push(String(given[0]));
        return Reflect.apply(look, fs, given);
      },
    ]);
    Object.assign(fs, Object.fromEntries(listening));
    try {
      return { result: await work(), seen };
    } finally {
      Object.assign(fs, Object.fromEntries(usually));
    }
  }
});
