import type { RunEvent, Stage } from '../../src/engine/journal/runEvents.js';
import { RunOptions } from '../../src/engine/runOptions.js';

type Of<Kind extends RunEvent['kind']> = Extract<RunEvent, { kind: Kind }>;

/** How a run of the skill `dates` begins, with 8 training and 10 held-out tasks. */
export function aRunStarted(parts: Partial<Of<'run-started'>> = {}): Of<'run-started'> {
  return {
    kind: 'run-started',
    purpose: 'optimize',
    skillKey: '',
    skillName: 'dates',
    skillPath: '',
    baseHash: '',
    options: RunOptions.parse({}),
    models: { target: 'm', optimizer: 'm', judge: 'm', simulated: false },
    tasks: { training: 8, heldOut: 10, sealed: 0, setAside: 0 },
    inputs: { tasks: '', prompts: '', rejected: '' },
    ...parts,
  };
}

/** A call of the target that was answered. */
export function aCall(parts: Partial<Of<'call'>> = {}): Of<'call'> {
  return {
    kind: 'call',
    role: 'target',
    tokens: 100,
    usd: 0.01,
    exact: true,
    ms: 1,
    cached: false,
    error: undefined,
    ...parts,
  };
}

/** An attempt at a task under a text, with its score. */
export function anAttemptAt(
  stage: Stage,
  step: number,
  { of: skillHash, at: taskId, hard }: { readonly of: string; readonly at: string; readonly hard: number },
): Of<'attempt'> {
  return {
    kind: 'attempt',
    stage,
    step,
    skillHash,
    taskId,
    attempt: 1,
    outcome: { kind: 'scored', hard, soft: hard },
    answerHash: undefined,
    tokens: 0,
    latencyMs: 0,
    cached: false,
    checks: [],
  };
}
