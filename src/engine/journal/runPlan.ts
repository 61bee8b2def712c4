import { keepsFront } from '../front/choiceOptions.js';
import type { RunOptions } from '../runOptions.js';
import type { RunEvent, RunPurpose, Stage } from './runEvents.js';

export type Phase = 'baseline' | 'training' | 'attribute' | 'certify' | 'sealed';

/** A phase with the attempts that it is expected to take, and how often it is expected to be gone through. */
export interface PlannedPhase {
  readonly phase: Phase;
  readonly attempts: number;
  readonly rounds: number;
}

/** What a run is expected to take. */
export interface RunPlan {
  readonly phases: readonly PlannedPhase[];
  /** What each stage of a step takes, in the order of a step. */
  readonly step: readonly (readonly [Stage, number])[];
}

const [usualSteps, usualPasses, usualEdits, usuallyAttributed] = [2, 2, 3, 80];

/** By the options of the run and the number of its tasks. */
export function planOf({ options, tasks, purpose }: RunStartEvent): RunPlan {
  const { training, sealed } = tasks;
  const { gate } = options;
  const heldOut = gate.rule === 'off' ? 0 : tasks.heldOut;
  const certified = gate.rule === 'confident' ? heldOut : 0;
  const { batchSize, accumulation } = options.train;
  const batch = Math.max(1, Math.min(batchSize * accumulation, training));
  const fronted = keepsFront(options);
  const step = fronted ? frontStepOf(options, batch, training) : stepOf(options, batch, heldOut);
  const steps = stepsOf(options, purpose, Math.ceil(training / batch));
  const attributed = Math.min(usualEdits * training, usuallyAttributed);
  const phases: readonly PlannedPhase[] = [
    { phase: 'baseline', attempts: fronted ? 0 : heldOut, rounds: 1 },
    { phase: 'training', attempts: steps * sum(step.map(([, weight]) => weight)), rounds: steps },
    { phase: 'attribute', attempts: gate.attribution && heldOut > 0 ? attributed : 0, rounds: 1 },
    { phase: 'certify', attempts: usualPasses * 2 * certified, rounds: usualPasses },
    { phase: 'sealed', attempts: certified > 0 ? 2 * sealed : 0, rounds: 1 },
  ];
  return { step, phases: phases.flatMap((phase) => phaseFor(purpose, phase)) };
}

type RunStartEvent = Extract<RunEvent, { kind: 'run-started' }>;

function stepOf({ train, reflect }: RunOptions, batch: number, heldOut: number): RunPlan['step'] {
  return [
    ['rollout', batch * train.attempts],
    ['reflect', Math.ceil(batch / reflect.minibatchSize) * 2],
    ['aggregate', 1],
    ['select', 1],
    ['evaluate', Math.max(0.5, heldOut)],
  ];
}

/** Every candidate is tried on all training tasks, and the next step learns from those attempts. */
function frontStepOf(options: RunOptions, batch: number, training: number): RunPlan['step'] {
  const learns = stepOf(options, batch, 0).filter(([stage]) => stage !== 'rollout' && stage !== 'evaluate');
  return [...learns, ['front', Math.max(1, training * options.train.attempts)]];
}

/** An evaluation is its baseline alone, a measurement its certification, whatever they take. */
function phaseFor(purpose: RunPurpose, planned: PlannedPhase): readonly PlannedPhase[] {
  const { phase, attempts } = planned;
  if (purpose === 'evaluate') return phase === 'baseline' ? [{ ...planned, attempts: Math.max(1, attempts) }] : [];
  if (purpose !== 'measure') return [planned];
  if (phase === 'certify') return [{ ...planned, attempts: Math.max(1, attempts) }];
  return phase === 'sealed' ? [planned] : [];
}

/** Most runs end long before their last epoch. */
function stepsOf({ train }: RunOptions, purpose: RunPurpose, batches: number): number {
  return purpose === 'optimize' ? Math.max(1, Math.min(train.epochs * batches, usualSteps)) : 1;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
