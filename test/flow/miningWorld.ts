import { rmSync } from 'node:fs';
import path from 'node:path';
import type { HarvestedSession } from '../../src/harvest/harvested.js';
import type { UseCases } from '../../src/app/useCases.js';
import { aWorkspace, type TestWorkspace, type WorkspaceParts } from '../builders/aWorkspace.js';
import { aSession, type Said } from '../builders/someSessions.js';

export const releaseNotes = `---
name: release-notes
description: Writes release notes of the shop, with what changed for its users.
---

# Release notes

Write what changed, in plain words.
`;

type MineWish = Parameters<UseCases['mineSessions']>[0];

/** A workspace with a skill that has no tasks, and sessions in it. */
export interface MiningWorld {
  readonly workspace: TestWorkspace;
  readonly session: (id: string, said: readonly Said[], parts?: Partial<HarvestedSession>) => HarvestedSession;
  readonly wish: (sessions: readonly HarvestedSession[], more?: Partial<MineWish>) => MineWish;
}

export function aMiningWorld(parts: WorkspaceParts = {}): MiningWorld {
  const workspace = aWorkspace({ skill: releaseNotes, tasks: [], ...parts });
  rmSync(path.join(path.dirname(workspace.skillPath), 'evals'), { recursive: true });
  const { folder, skillPath } = workspace;
  return {
    workspace,
    session: (id, said, more) => aSession(id, said, { folder, realFolder: folder, ...more }),
    wish: (sessions, more) => ({
      sessions,
      targets: [{ skillPath, workspaceFolders: [folder], folders: [folder] }],
      by: 'rules',
      mostSessions: 100,
      trusted: true,
      ...more,
    }),
  };
}

export function request({ skillPath, folder }: TestWorkspace): {
  readonly skillPath: string;
  readonly workspaceFolders: readonly string[];
} {
  return { skillPath, workspaceFolders: [folder] };
}
