import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolderInside } from '../../storage/insideFolder.js';
import { runFolder } from '../../storage/runFolder.js';
import type { Artifact, FinishedRun } from './artifact.js';
import { redactedDeep } from './redactedDeep.js';
import { runArtifacts } from './runArtifacts.js';
import { stepArtifacts } from './stepArtifacts.js';

/**
 * Leaves beside the journal what people and other tools look for: the report, the skill after every step, what each
 * stage gave. Made from what the journal holds, without secrets, and never read back.
 */
export async function writeArtifacts(run: FinishedRun): Promise<void> {
  const { places } = run.skill.store;
  const folder = runFolder(places, run.log.runId);
  const clean = redactedDeep(run.redactor);
  const artifacts = [...(await runArtifacts(run)), ...(await stepArtifacts(run))];
  const folders = new Set(artifacts.map(({ file }) => path.dirname(path.join(folder, file))));
  await Promise.all([...folders].map((each) => makeFolderInside(places.workspaceState, each)));
  await Promise.all(
    artifacts.map(async (artifact) => {
      await writeFile(path.join(folder, artifact.file), await textOf(artifact, clean), { mode: 0o600 });
    }),
  );
}

async function textOf({ content }: Artifact, clean: ReturnType<typeof redactedDeep>): Promise<string> {
  const cleaned = await clean(content);
  return typeof cleaned === 'string' ? cleaned : `${JSON.stringify(cleaned, undefined, 2)}\n`;
}
