import * as z from 'zod';
import {
  canCertify,
  meetHeldOut,
  openErrorBudget,
  payCertification,
  type ErrorBudget,
} from '../../gate/statistics/errorBudget.js';
import type { Certifications, CertificationSubject, StoredCertification } from '../../engine/runContext.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { GateMetric } from '../../gate/verdict/verdict.js';
import { canonicalJson, sha256 } from '../../hash.js';
import { skillRecord, type SkillRecord } from '../../storage/state/skillRecords.js';
import type { SkillStore } from '../../storage/state/store.js';
import { modelNames, type RoleModels } from '../models/runModels.js';

/** One certification that was begun: what it compared, and where it stands. */
interface Begun {
  readonly id: string;
  readonly subject: string;
  /** The run that began it. */
  readonly run?: string | undefined;
  readonly stored: StoredCertification | undefined;
}

interface CertificationRecord {
  readonly budget: ErrorBudget;
  readonly begun: readonly Begun[];
}

const schema = z.custom<CertificationRecord>(
  (value) =>
    z
      .object({
        budget: z.object({ remaining: z.number(), knownTasks: z.array(z.string()) }),
        begun: z.array(z.object({ id: z.string(), subject: z.string() })),
      })
      .safeParse(value).success,
);

/** Error budget and certifications of one skill, in user state: nights repeat, and luck must not add up. */
export function certificationRecord(store: SkillStore): SkillRecord<CertificationRecord> {
  return skillRecord(store, 'certifications', schema);
}

/** What attempts depend on beside texts and tasks. Passes made under other ones are passes of another certification. */
export interface CertificationConditions {
  readonly target: string;
  readonly judge: string;
  readonly judgeRepeats: number;
  readonly metric: GateMetric;
  readonly mixedWeight: number;
  readonly inlineReferences: boolean;
}

export function conditionsOf(
  models: Pick<RoleModels, 'target' | 'judge' | 'optimizer'>,
  { gate, judge, inlineReferences }: RunOptions,
): CertificationConditions {
  const names = modelNames(models);
  const { metric, mixedWeight } = gate;
  return {
    target: names.target,
    judge: names.judge,
    judgeRepeats: judge.repeats,
    metric,
    mixedWeight: metric === 'mixed' ? mixedWeight : 0,
    inlineReferences,
  };
}

interface CertifyingRun {
  readonly run: string;
  readonly under: CertificationConditions;
}

/**
 * Opens certifications of a skill for a run: goes on with one that was cut off, pays for a new one otherwise. A run that
 * is resumed gets its own back, ended or not.
 */
export function certificationsOf(
  store: SkillStore,
  { run, under }: CertifyingRun,
  signal: AbortSignal,
): Certifications {
  const record = certificationRecord(store);
  return {
    async open(subject, first) {
      let opened: Awaited<ReturnType<Certifications['open']>> | undefined;
      await record.update((before) => {
        const current = before ?? { budget: openErrorBudget(subject.heldOut), begun: [] };
        const met = { ...current, budget: meetHeldOut(current.budget, subject.heldOut) };
        const next = begin(met, { name: nameOf(subject, under), run, first });
        opened = next.opened;
        return next.record;
      }, signal);
      if (opened === undefined) throw new Error('the certification record was not read');
      return opened;
    },
    async save(id, stored) {
      await record.update((before) => saved(before, id, stored), signal);
    },
  };
}

function begin(
  record: CertificationRecord,
  { name, run, first }: { readonly name: string; readonly run: string; readonly first: StoredCertification },
): { readonly record: CertificationRecord; readonly opened: Awaited<ReturnType<Certifications['open']>> } {
  const open = record.begun.find((each) => each.subject === name && (!isEnded(each) || each.run === run));
  if (open !== undefined) {
    const stored = open.stored === undefined ? first : revived(open.stored);
    return { record: saved(record, open.id, stored), opened: { kind: 'open', id: open.id, stored } };
  }
  if (!canCertify(record.budget)) return { record, opened: { kind: 'budget-empty', budget: record.budget } };
  const id = sha256(`${name}:${record.budget.certifications.length}`).slice(0, 16);
  const budget = payCertification(record.budget, id) ?? record.budget;
  return {
    record: { budget, begun: [...remembered(record.begun), { id, subject: name, run, stored: first }] },
    opened: { kind: 'open', id, stored: first },
  };
}

/** Whether a certification of exactly this waits to go on. */
export async function isWaiting(
  store: SkillStore,
  subject: CertificationSubject,
  under: CertificationConditions,
): Promise<boolean> {
  const reading = await certificationRecord(store).read();
  if (reading.kind !== 'verified') return false;
  const name = nameOf(subject, under);
  return reading.body.begun.some((each) => each.subject === name && !isEnded(each));
}

function nameOf(subject: CertificationSubject, under: CertificationConditions): string {
  return sha256(canonicalJson({ ...subject, ...under }));
}

/** Ended ones serve a run that is resumed, open ones a proposal that waits; neither is worth keeping for ever. */
const mostRemembered = 20;

function remembered(begun: readonly Begun[]): readonly Begun[] {
  return begun.slice(1 - mostRemembered);
}

/** JSON knows no undefined inside a list. */
function revived(stored: StoredCertification): StoredCertification {
  const answers = Object.entries(stored.answers).map(
    ([task, [before, after]]) => [task, [before ?? undefined, after ?? undefined]] as const,
  );
  return { ...stored, answers: Object.fromEntries(answers) };
}

function isEnded({ stored }: Begun): boolean {
  return stored !== undefined && stored.state.decision.kind !== 'continue';
}

function saved(before: CertificationRecord | undefined, id: string, stored: StoredCertification): CertificationRecord {
  if (before === undefined) throw new Error('a certification is saved after it was opened');
  return { ...before, begun: before.begun.map((each) => (each.id === id ? { ...each, stored } : each)) };
}
