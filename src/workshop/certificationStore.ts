import * as z from 'zod';
import { canCertify, meetHeldOut, openErrorBudget, payCertification, type ErrorBudget } from '../gate/errorBudget.js';
import type { Certifications, CertificationSubject, StoredCertification } from '../engine/runContext.js';
import { hashOf } from '../storage/hash.js';
import { canonicalJson } from '../storage/canonicalJson.js';
import { skillRecord, type SkillRecord } from '../storage/skillRecords.js';
import type { SkillStore } from '../storage/store.js';

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

/**
 * Opens certifications of a skill for a run: goes on with one that was cut off, pays for a new one otherwise. A run that
 * is resumed gets its own back, ended or not.
 */
export function certificationsOf(store: SkillStore, runId: string, signal: AbortSignal): Certifications {
  const record = certificationRecord(store);
  return {
    async open(subject) {
      let opened: Awaited<ReturnType<Certifications['open']>> | undefined;
      await record.update((before) => {
        const current = before ?? { budget: openErrorBudget(subject.heldOut), begun: [] };
        const met = { ...current, budget: meetHeldOut(current.budget, subject.heldOut) };
        const next = begin(met, subject, runId);
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
  subject: CertificationSubject,
  run: string,
): { readonly record: CertificationRecord; readonly opened: Awaited<ReturnType<Certifications['open']>> } {
  const name = hashOf(canonicalJson(subject));
  const open = record.begun.find((each) => each.subject === name && (!isEnded(each) || each.run === run));
  if (open !== undefined) return { record, opened: { kind: 'open', id: open.id, stored: revived(open.stored) } };
  if (!canCertify(record.budget)) return { record, opened: { kind: 'budget-empty', budget: record.budget } };
  const id = hashOf(`${name}:${record.budget.certifications.length}`).slice(0, 16);
  const budget = payCertification(record.budget, id) ?? record.budget;
  return {
    record: { budget, begun: [...record.begun, { id, subject: name, run, stored: undefined }] },
    opened: { kind: 'open', id, stored: undefined },
  };
}

/** JSON knows no undefined inside a list. */
function revived(stored: StoredCertification | undefined): StoredCertification | undefined {
  if (stored === undefined) return undefined;
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
