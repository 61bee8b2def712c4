import { messageOf } from '../../errors.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { Proposal } from '../../ports/proposal.js';
import { keepArtifacts, type ArtifactWriter } from '../artifacts/writeArtifacts.js';
import type { RunJournal } from './runJournal.js';
import type { RunStart, SkillRun } from './skillRun.js';
import type { World } from '../world.js';

/** What is needed to end a run: where it is written down, and where what it leaves. */
export interface RunToEnd {
  readonly world: World;
  readonly journal: RunJournal;
  readonly artifacts: ArtifactWriter;
}

/** Writes down what the run leaves from now on. */
export function toEnd({ world, skill, tasks, options }: RunStart, { journal, context, redactor }: SkillRun): RunToEnd {
  const sources = { skill, tasks: tasks.result.split, texts: context.texts, options, redactor };
  return { world, journal, artifacts: keepArtifacts(sources, journal) };
}

/** The last event, the artifacts, the stored fold. Artifacts are for reading: a run whose cannot be written is no worse. */
export function endRun(
  { world, journal, artifacts }: RunToEnd,
  ended: Omit<Extract<RunEvent, { kind: 'run-ended' }>, 'kind'>,
  proposal: Proposal | undefined,
): Promise<RunSummary> {
  return journal.end({ kind: 'run-ended', ...ended }, async (log) => {
    try {
      await artifacts.finish(log, proposal);
    } catch (error) {
      world.tell(`The report of the run ${log.runId} could not be written: ${messageOf(error)}`);
    }
  });
}
