import type { Stage } from './runEvents.js';
import type { StepAction } from './upstreamWords.js';

/** What a slow update came to: as a step, or there was nothing to write. */
export type SlowUpdateAction = StepAction | 'no_content';

/** What a journal holds of the ends of epochs. */
export type EpochEvent =
  /** The first skill of an epoch against its last, on training tasks. */
  | {
      readonly kind: 'epoch-compared';
      /** The stage that asked for it. */
      readonly stage: Stage;
      readonly epoch: number;
      readonly step: number;
      readonly firstHash: string;
      readonly lastHash: string;
      readonly improved: number;
      readonly regressed: number;
      readonly persistentFail: number;
      readonly stableSuccess: number;
      /** Tasks without a score on one side. */
      readonly leftOut: number;
      /** Names a list of all pairs. */
      readonly textHash: string;
    }
  | {
      readonly kind: 'slow-update';
      readonly epoch: number;
      readonly step: number;
      readonly action: SlowUpdateAction;
      readonly reason: string;
      readonly guidanceHash: string | undefined;
      readonly candidateHash: string | undefined;
      readonly currentHash: string;
      readonly bestHash: string;
      /** Over the held-out tasks that both texts were tried on. */
      readonly before: number | undefined;
      readonly after: number | undefined;
    }
  /** The optimizer's notes after an epoch; `lost` says why they could not be revised. */
  | {
      readonly kind: 'meta-skill';
      readonly epoch: number;
      readonly step: number;
      readonly textHash: string;
      readonly changed: boolean;
      readonly lost?: string | undefined;
    };
