import type { Stage } from './runEvents.js';

/** How an attempt came out. `invalid` is never a score. */
export type AttemptOutcome =
  /** `givenHard`: what an environment gave for it, where that was a share; such an attempt has not passed. */
  | {
      readonly kind: 'scored';
      readonly hard: number;
      readonly soft: number;
      readonly givenHard?: number | undefined;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/** What a journal holds of one attempt at one task. */
export interface AttemptEvent {
  readonly kind: 'attempt';
  readonly stage: Stage;
  readonly step: number;
  readonly skillHash: string;
  /** Of the memory file that was read beside the skill; undefined where none was. */
  readonly memoryHash?: string | undefined;
  readonly taskId: string;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  readonly answerHash: string | undefined;
  readonly tokens: number;
  readonly latencyMs: number;
  readonly cached: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly pass: boolean;
    /** Names the criterion where the judge model graded it; missing in runs of earlier versions. */
    readonly asked?: string | undefined;
    /** Set where there was nothing to ask about, and it counted for nothing; missing in runs of earlier versions. */
    readonly notAsked?: true | undefined;
  }[];
  /** Names the prompt that the judge model was asked with, where it graded any of them. */
  readonly judgePrompt?: string | undefined;
  /** Names the reasons of all checks, where a judge or a program gave some that nobody could find out again. */
  readonly reasonsHash?: string | undefined;
  /** Names what was said and done in a training attempt, where that is more than a question and an answer. */
  readonly conversationHash?: string | undefined;
  /** Names what an agent did and changed, where one worked on the task; never of a sealed task. */
  readonly workHash?: string | undefined;
  /** How many turns the agent took, where that is not one. */
  readonly turns?: number | undefined;
  /** Whether an agent used the skill that it was offered; missing where there was none to decide on. */
  readonly usedSkill?: boolean | undefined;
  /** Names what the environment said beside its scores; never of a sealed task. */
  readonly extrasHash?: string | undefined;
}
