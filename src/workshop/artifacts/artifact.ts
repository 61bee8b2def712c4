import type { RunOptions } from '../../engine/runOptions.js';
import type { SplitTasks } from '../../tasks/task.js';
import type { Proposal } from '../../ports/proposal.js';
import type { TextStore } from '../../ports/textStore.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { OpenSkill } from '../openSkill.js';
import type { RunLog } from '../runJournal.js';

/** One file that a run leaves: text as it stands, anything else as JSON. */
export interface Artifact {
  /** Relative to the folder of the run. */
  readonly file: string;
  readonly content: unknown;
}

/** A run that has come to its end, whatever end that was. */
export interface FinishedRun {
  readonly skill: OpenSkill;
  readonly tasks: SplitTasks;
  readonly redactor: Redactor;
  readonly texts: Pick<TextStore, 'get'>;
  readonly options: RunOptions;
  readonly log: RunLog;
  readonly proposal: Proposal | undefined;
}
