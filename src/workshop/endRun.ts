import { messageOf } from '../errors.js';
import type { RunEvent } from '../engine/runEvents.js';
import type { RunSummary } from '../engine/runSummary.js';
import type { Proposal } from '../ports/proposal.js';
import { writeArtifacts } from './artifacts/writeArtifacts.js';
import type { RunStart, SkillRun } from './skillRun.js';

/** The last event, the artifacts, the stored fold. Artifacts are for reading: a run whose cannot be written is no worse. */
export function endRun(
  { world, skill, tasks, options }: RunStart,
  run: SkillRun,
  ended: Omit<Extract<RunEvent, { kind: 'run-ended' }>, 'kind'>,
  proposal: Proposal | undefined,
): Promise<RunSummary> {
  const { redactor, context } = run;
  return run.journal.end({ kind: 'run-ended', ...ended }, async (log) => {
    try {
      const split = tasks.result.split;
      await writeArtifacts({ skill, tasks: split, redactor, texts: context.texts, options, log, proposal });
    } catch (error) {
      world.tell(`The report of the run ${log.runId} could not be written: ${messageOf(error)}`);
    }
  });
}
