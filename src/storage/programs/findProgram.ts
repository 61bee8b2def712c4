import path from 'node:path';
import { mayRun } from '../../mayRun.js';
import type { FoundProgram } from '../../ports/agentPrograms.js';
import { foldersOfPath, lieOutside, searchedFolders } from '../../searchedFolders.js';
import { behindShim, namesIn } from './agentPrograms.js';

interface Where {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Nothing in these folders is run. */
  readonly workspace: readonly string[];
}

export type ProgramSearch =
  | { readonly kind: 'found'; readonly program: FoundProgram }
  | { readonly kind: 'in-workspace'; readonly path: string }
  | { readonly kind: 'missing' };

/** A program that the person names by its path or by a name on the PATH; never one of the workspace. */
export async function findProgram(named: string, { environment, workspace }: Where): Promise<ProgramSearch> {
  const folders = await searchedFolders(foldersOfPath(environment), workspace);
  const places = path.isAbsolute(named)
    ? [named]
    : foldersOfPath(environment)
        .filter((folder) => path.isAbsolute(folder))
        .flatMap((folder) => namesIn(folder, [named]));
  let inWorkspace: string | undefined;
  for (const place of places) {
    if (!(await mayRun(place))) continue;
    const found = /\.cmd$/iu.test(place) ? await behindShim(place, folders) : { command: place, before: [] };
    if (found === undefined) continue;
    if (await lieOutside([place, found.command, ...found.before], workspace))
      return { kind: 'found', program: { path: place, ...found } };
    inWorkspace ??= place;
  }
  return inWorkspace === undefined ? { kind: 'missing' } : { kind: 'in-workspace', path: inWorkspace };
}
