import type { CountedRequest } from '../../harvest/mine/intents.js';
import type { FilesNeeded } from '../../harvest/mine/needsFiles.js';
import type { SkillChoice } from '../../harvest/mine/skillFor.js';
import type { AgentTask } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';

/** A request with the skill that it belongs to, and what it is attempted in. */
export interface AssignedRequest {
  readonly request: CountedRequest;
  readonly skill: OpenSkill;
  readonly how: SkillChoice['how'];
  /** In how many sessions this very request was made. */
  readonly sessions: number;
  /** The repository of the session as it was, where the request needs files. */
  readonly fixture: Exclude<AgentTask['fixture'], string> | undefined;
}

/** A request about files that are not known, or gone. */
export interface NotReplayable {
  readonly asked: string;
  readonly source: string;
  readonly why: 'no-commit' | 'gone' | 'elsewhere' | 'not-asked';
  /** How it is known that it was about files. */
  readonly files: FilesNeeded;
}
