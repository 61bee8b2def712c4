import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stepLogs } from '../../engine/journal/stepLog.js';
import type { Proposal } from '../../ports/proposal.js';
import type { TextStore } from '../../ports/stores.js';
import type { Redactor } from '../../redaction/redactor.js';
import { WriteBehind } from '../../storage/files/writeBehind.js';
import { makeFolderInside } from '../../storage/files/insideFolder.js';
import { runFolder } from '../../storage/runs/runFolder.js';
import type { RunJournal, RunLog } from '../runs/runJournal.js';
import type { Artifact, ArtifactSources } from './artifact.js';
import { redactedDeep } from './redactedDeep.js';
import { runArtifacts } from './runArtifacts.js';
import { stepArtifacts } from './stepArtifacts.js';

/** Writes what a run leaves. */
export interface ArtifactWriter {
  /** The rest of it, once the run has come to its end. Throws what kept any of it from being written. */
  finish(log: RunLog, proposal: Proposal | undefined): Promise<void>;
}

/**
 * Leaves beside the journal what people and other tools look for: the report, the skill after every step, what each
 * stage gave. Made from what the journal holds, without secrets, and never read back. What a step gave is written when
 * the step is over, while the run goes on.
 */
export function keepArtifacts(
  sources: ArtifactSources & { readonly redactor: Redactor },
  journal: Pick<RunJournal, 'runId' | 'log' | 'watch'>,
): ArtifactWriter {
  const { places } = sources.skill.store;
  const folder = runFolder(places, journal.runId);
  const written = new Set<number>();
  const afterwards = new WriteBehind();
  let failure: { readonly error: unknown } | undefined;

  const write = async (artifacts: readonly Artifact[]): Promise<void> => {
    const clean = redactedDeep(sources.redactor);
    await makeFolderInside(places.workspaceState, folder);
    const folders = new Set(artifacts.map(({ file }) => path.dirname(path.join(folder, file))));
    await Promise.all([...folders].map((each) => mkdir(each, { recursive: true, mode: 0o700 })));
    await Promise.all(
      artifacts.map(async (artifact) => {
        await writeFile(path.join(folder, artifact.file), await textOf(artifact, clean), { mode: 0o600 });
      }),
    );
  };
  const writeSteps = async (log: RunLog, texts: ArtifactSources['texts']): Promise<void> => {
    const open = [...stepLogs(log.events).entries()].filter(([, { step }]) => !written.has(step));
    for (const [, { step }] of open) written.add(step);
    const made = open.map(([index, step]) => stepArtifacts({ ...sources, texts }, step, index + 1));
    await write((await Promise.all(made)).flat());
  };
  journal.watch((event) => {
    if (event.kind !== 'step-ended') return;
    const log = journal.log();
    afterwards.add(() =>
      writeSteps(log, readOnce(sources.texts)).catch((error: unknown) => {
        failure ??= { error };
      }),
    );
  });
  return {
    async finish(log, proposal) {
      const texts = readOnce(sources.texts);
      await afterwards.settled();
      await writeSteps(log, texts);
      await write(await runArtifacts({ ...sources, texts, log, proposal }));
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** The same text is named by many attempts. */
function readOnce(texts: Pick<TextStore, 'get'>): Pick<TextStore, 'get'> {
  const known = new Map<string, Promise<string | undefined>>();
  return {
    get: (hash) => {
      const found = known.get(hash) ?? texts.get(hash);
      known.set(hash, found);
      return found;
    },
  };
}

async function textOf({ content }: Artifact, clean: ReturnType<typeof redactedDeep>): Promise<string> {
  const cleaned = await clean(content);
  return typeof cleaned === 'string' ? cleaned : `${JSON.stringify(cleaned, undefined, 2)}\n`;
}
