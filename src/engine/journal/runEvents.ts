import type { GateMetric, Verdict } from '../../gate/verdict/verdict.js';
import type { ModelErrorKind } from '../../errors.js';
import type { HeldOutTasks } from '../../gate/power/knownAttempts.js';
import type { ModelRole } from '../../ports/languageModel.js';
import type { Proposal } from '../../ports/proposal.js';
import type { FailurePattern } from '../patch.js';
import type { RunOptions } from '../runOptions.js';
import type { AttemptEvent } from './attemptEvent.js';
import type { StepAction } from './upstreamWords.js';
import type { ScoredOn } from './scoredOn.js';
import type { EpochEvent } from './epochEvents.js';
import type { FrontEvent } from './frontEvents.js';
import type { AskedAbout, StepEvent } from './stepEvents.js';

/** Why a run was started. */
export type RunPurpose = 'optimize' | 'consolidate' | 'night' | 'measure' | 'evaluate';

/** The stages that a step is made of, in their order. */
export const stagesOfSteps = ['rollout', 'reflect', 'aggregate', 'select', 'update', 'evaluate', 'front'] as const;

/** All stages of a run, in the order in which it comes to them. */
export const stagesInOrder = [
  'baseline',
  ...stagesOfSteps,
  'slow-update',
  'meta-skill',
  'attribute',
  'certify',
  'sealed',
] as const;

export type Stage = (typeof stagesInOrder)[number];

/** What a run was made from beside the skill and the options, as hashes: a run goes on only from the same. */
export interface RunInputs {
  /** The tasks and the side of each. */
  readonly tasks: string;
  /** The person's own versions of our prompts. */
  readonly prompts: string;
  /** The edits that earlier runs rejected, as a stored text. */
  readonly rejected: string;
  /** The optimizer's notes that the run began with, as a stored text; missing in runs without any. */
  readonly metaSkill?: string | undefined;
  /** The text that the last night began with, as a stored text; missing where none is compared. */
  readonly earlier?: string | undefined;
  /** What environments brought as tasks, as a stored text; not stored where it holds a secret, missing where none did. */
  readonly items?: string | undefined;
  /** The documents beside SKILL.md that the run may edit; missing where there are none. */
  readonly files?: string | undefined;
}

/** How a run ended; `waiting`: for answers that somebody else is to give, and then it goes on. */
export type RunOutcome = 'proposed' | 'nothing' | 'cancelled' | 'failed' | 'cap' | 'waiting' | 'given-up';

/** What a journal holds: hashes instead of text, one object for each observation. */
export type RunEvent =
  | {
      readonly kind: 'run-started';
      readonly purpose: RunPurpose;
      readonly skillKey: string;
      readonly skillName: string;
      readonly skillPath: string;
      readonly baseHash: string;
      readonly options: RunOptions;
      /** The caps among them that the person set, where they set any. */
      readonly ownCaps?: RunOptions['caps'];
      readonly models: Proposal['models'];
      readonly tasks: {
        readonly training: number;
        readonly heldOut: number;
        readonly sealed: number;
        readonly setAside: number;
      };
      readonly inputs: RunInputs;
      /** Missing in runs of earlier versions, and with very many tasks: what they attempted is not known task by task. */
      readonly heldOut?: HeldOutTasks | undefined;
    }
  /** A run that was cut off goes on. It is made again from its stored replies, so what came before counts as spend only. */
  | { readonly kind: 'run-resumed' }
  /** `planned`: how many attempts or calls the stage will make at most. */
  | { readonly kind: 'stage'; readonly stage: Stage; readonly step: number; readonly planned: number }
  | AttemptEvent
  | {
      readonly kind: 'call';
      readonly role: ModelRole;
      readonly tokens: number;
      readonly usd: number | undefined;
      readonly exact: boolean;
      readonly ms: number;
      readonly cached: boolean;
      /** `aborted`: nobody wanted the answer any more; what it may have cost is booked. */
      readonly error: ModelErrorKind | 'aborted' | undefined;
      /**
       * How many calls these are, where they were booked and the process was killed before it wrote them down; none where
       * nothing left this machine, because no server was there to take it.
       */
      readonly calls?: number | undefined;
      /** What it was made for, where that is not the stage that the run is in: an attempt made ahead. */
      readonly of?: { readonly stage: Stage; readonly step: number } | undefined;
      /** Who made it, where it was made on a queue, and why it failed there. */
      readonly worker?: string | undefined;
      readonly why?: string | undefined;
    }
  /** A reply of the optimizer as it was written, whether or not it could be read. */
  | {
      readonly kind: 'optimizer-replied';
      readonly step: number;
      readonly about: AskedAbout;
      readonly textHash: string;
      readonly readable: boolean;
    }
  | {
      readonly kind: 'patches';
      readonly step: number;
      readonly patches: readonly {
        readonly source: string;
        /** Whose it is, where the source is an environment. */
        readonly environment?: string | undefined;
        readonly size: number;
        readonly edits: number;
        readonly batch?: number | undefined;
        readonly textHash: string;
      }[];
      readonly failures: readonly FailurePattern[];
      /** Analyst calls that gave nothing, with the reason. */
      readonly lost: readonly string[];
    }
  | {
      readonly kind: 'merged';
      readonly step: number;
      readonly edits: number;
      readonly textHash: string;
      readonly fallback: string | undefined;
      /** Names what the optimizer said of its merges, where it said anything. */
      readonly reasoningHash?: string | undefined;
    }
  | {
      readonly kind: 'selected';
      readonly step: number;
      readonly edits: number;
      readonly budget: number;
      readonly textHash: string;
      readonly fallback: string | undefined;
      /** Names the reply that ranked the edits, where one did. */
      readonly rankingHash?: string | undefined;
    }
  | {
      readonly kind: 'applied';
      readonly step: number;
      readonly applied: number;
      readonly unmatched: number;
      readonly refused: number;
      readonly candidateHash: string;
      readonly reportHash: string;
    }
  | {
      readonly kind: 'step-ended';
      readonly step: number;
      readonly epoch: number;
      readonly action: StepAction;
      readonly metric: GateMetric;
      readonly trainingScore: number | undefined;
      /** Over the held-out tasks that the text was tried on, which `scoredOn` counts; of the texts after the step. */
      readonly candidateScore: number | undefined;
      readonly currentScore: number | undefined;
      readonly bestScore: number | undefined;
      /** The skill as it was. */
      readonly originalScore?: number | undefined;
      /** Missing in runs of earlier versions, which also mixed the tasks of two texts. */
      readonly scoredOn?: ScoredOn | undefined;
      readonly bestHash: string;
      /** The skill that the run goes on with. */
      readonly currentHash: string;
      readonly reason: string;
    }
  | EpochEvent
  | FrontEvent
  | StepEvent
  | {
      readonly kind: 'worths';
      readonly blocks: number;
      readonly kept: readonly string[];
      readonly dropped: readonly string[];
    }
  | { readonly kind: 'certification'; readonly pass: number; readonly decision: string }
  | { readonly kind: 'sealed'; readonly before: number; readonly after: number; readonly n: number }
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly proposalId: string | undefined }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'run-ended'; readonly outcome: RunOutcome; readonly reason: string };

/** Called for each event of a run while it goes on; a journal stores it, a view shows it. */
export type RecordEvent = (event: RunEvent) => void;
