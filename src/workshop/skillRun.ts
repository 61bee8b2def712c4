import type { RunContext } from '../engine/runContext.js';
import type { RunPurpose } from '../engine/runEvents.js';
import type { RunOptions } from '../engine/runOptions.js';
import { createRedactor } from '../redaction/redactor.js';
import { busyError, tryLock, type HeldLock } from '../storage/lock.js';
import { runLock } from '../storage/skillLocks.js';
import { openLedger, type OpenLedger } from '../storage/spendLedger.js';
import type { OpenSkill } from './openSkill.js';
import { runContextFor } from './runContextFor.js';
import { startRunJournal, type RunJournal } from './runJournal.js';
import { modelNames, runModels, type RoleModels } from './runModels.js';
import type { SkillTasks } from './skillTasks.js';
import type { RunObserver } from './workshop.js';
import type { World } from './world.js';

/** A run that has begun: locked, written down, with its models composed. */
export interface SkillRun {
  readonly context: RunContext;
  readonly journal: RunJournal;
  readonly names: ReturnType<typeof modelNames>;
  readonly models: RoleModels;
  /** Aborted by the person, or because another process took the lock over. */
  readonly signal: AbortSignal;
}

export interface RunStart {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
  readonly purpose: RunPurpose;
  readonly observe: RunObserver;
}

/** Does `work` as the only run of this skill on this machine, and leaves no lock and no open file behind. */
export async function withSkillRun<T>(
  start: RunStart,
  signal: AbortSignal,
  work: (run: SkillRun) => Promise<T>,
): Promise<T> {
  const { skill, world } = start;
  const what = start.purpose === 'night' ? 'a nightly run' : 'a run';
  const attempt = await tryLock(runLock(skill.store, what), signal);
  if (attempt.kind === 'busy') throw busyError(what, attempt.holder);
  const ledger = openLedger(skill.store);
  try {
    const bare = await world.models(signal);
    const both = AbortSignal.any([signal, attempt.lock.lost]);
    return await work(await begin(start, { bare, ledger, lock: attempt.lock }, both));
  } finally {
    await ledger.close();
    await attempt.lock.release();
  }
}

async function begin(
  { world, skill, tasks, options, purpose, observe }: RunStart,
  parts: { readonly bare: RoleModels; readonly ledger: OpenLedger; readonly lock: HeldLock },
  signal: AbortSignal,
): Promise<SkillRun> {
  const journal = await startRunJournal(skill.store, parts.lock, observe);
  const redactor = createRedactor({ key: skill.store.key.mac('redaction') });
  const models = runModels(parts.bare, {
    world,
    store: skill.store,
    ledger: parts.ledger,
    redactor,
    runId: journal.runId,
    options,
    record: journal.record,
  });
  const names = modelNames(parts.bare);
  const { split } = tasks.result;
  journal.record({
    kind: 'run-started',
    purpose,
    skillKey: skill.places.skillKey,
    skillName: skill.name,
    skillPath: skill.places.documentPath,
    baseHash: skill.hash,
    options,
    models: names,
    tasks: {
      training: split.training.length,
      heldOut: split.heldOut.length,
      sealed: split.sealed.length,
      setAside: split.setAside.length,
    },
  });
  const context = await runContextFor({ world, skill, tasks, options, models, record: journal.record }, signal);
  return { context, journal, names, models, signal };
}
