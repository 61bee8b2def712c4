import {
  canCertify,
  meetHeldOut,
  openErrorBudget,
  payCertification,
  type ErrorBudget,
  type HeldOutFacts,
} from '../../gate/statistics/errorBudget.js';
import type { Certifications, CertificationSubject, StoredCertification } from '../../engine/runContext.js';
import { usualReferenceTokens, type RunOptions } from '../../engine/runOptions.js';
import type { GateMetric } from '../../gate/verdict/verdict.js';
import { sha256 } from '../../hash.js';
import { canonicalJson } from '../../hash.js';
import {
  type BegunCertification,
  type SkillCertifications,
  skillCertifications,
} from './certifications/skillCertifications.js';
import type { SkillStore } from '../../storage/state/store.js';
import { modelNames, type RoleModels } from '../models/runModels.js';
import { chargeSharing } from '../../gate/statistics/sharedBudget.js';
import type { SplitResult } from '../../tasks/split/splitTasks.js';
import {
  certifiedElsewhere,
  heldOutFactsOf,
  namesOfSkills,
  sharingOf,
  withCertifiedTexts,
} from './certifications/sharedHeldOut.js';

/** What attempts depend on beside texts and tasks. Passes made under other ones are passes of another certification. */
export interface CertificationConditions {
  readonly target: string;
  readonly judge: string;
  readonly judgeRepeats: number;
  readonly metric: GateMetric;
  readonly mixedWeight: number;
  readonly inlineReferences: boolean;
  /** Where references are inlined, and the person says how much of them. */
  readonly referenceTokens?: number;
  /** How long target and judge may answer and think, where the person says so. */
  readonly room?: string;
}

/** The conditions that a run certifies under. */
export function conditionsOf(
  models: Pick<RoleModels, 'target' | 'judge' | 'optimizer'>,
  { gate, judge, inlineReferences, referenceTokens, answers, thinking }: RunOptions,
): CertificationConditions {
  const names = modelNames(models);
  const { metric, mixedWeight } = gate;
  const room = [answers.target, answers.judge, thinking.target, thinking.judge];
  return {
    ...(room.every((tokens) => tokens === undefined) ? {} : { room: JSON.stringify(room) }),
    target: names.target,
    judge: names.judge,
    judgeRepeats: judge.repeats,
    metric,
    mixedWeight: metric === 'mixed' ? mixedWeight : 0,
    inlineReferences,
    ...(inlineReferences && referenceTokens !== usualReferenceTokens ? { referenceTokens } : {}),
  };
}

interface CertifyingRun {
  readonly run: string;
  readonly under: CertificationConditions;
  /** What tells new held-out tasks from those that are known. */
  readonly facts?: HeldOutFacts;
  /** On the simulated model a certification proves nothing elsewhere: the demo begins afresh as often as one likes. */
  readonly simulated?: boolean;
  /** The runs that ended before they could say what came of them. Asked under the lock of the skill's runs. */
  readonly cutOff?: () => Promise<ReadonlySet<string>>;
}

/**
 * Opens certifications of a skill for a run: goes on with one that was cut off, pays for a new one otherwise. A run that
 * is resumed gets its own back, ended or not, and so does any run that of one which was killed before its end: nobody
 * was told how it ended.
 */
export function certificationsOf(
  store: SkillStore,
  { run, under, facts, simulated = false, cutOff = () => Promise.resolve(new Set()) }: CertifyingRun,
  signal: AbortSignal,
): Certifications {
  const certifications = skillCertifications(store);
  return {
    async open(subject, first) {
      let opened: OpenCertification | undefined;
      const untold = new Set([run, ...(await cutOff())]);
      await withCertifiedTexts(store, signal, async (certified) => {
        const meet = budgetOn(subject.heldOut, { facts, elsewhere: simulated ? {} : certified });
        await certifications.update((before) => {
          const met = { budget: meet(before?.budget), begun: before?.begun ?? [] };
          const next = begin(met, { name: nameOf(subject, under), run, untold, first, simulated });
          opened = next.opened;
          return next.after;
        }, signal);
      });
      if (opened === undefined) throw new Error('the certifications were not read');
      return opened.kind === 'open' ? opened : { ...opened, ...(await namesOfSkills(store, opened.budget)) };
    },
    async save(id, stored) {
      await certifications.update((before) => saved(before, id, stored), signal);
    },
  };
}

type Elsewhere = Parameters<typeof sharingOf>[0];

/** The budget of a skill on these held-out tasks: less what other skills spent on them, and with what new ones bring. */
export function budgetOn(
  heldOut: readonly string[],
  { facts, elsewhere }: { readonly facts: HeldOutFacts | undefined; readonly elsewhere: Elsewhere },
): (before: ErrorBudget | undefined) => ErrorBudget {
  const shared = sharingOf(elsewhere, heldOut, facts);
  return (before = openErrorBudget(heldOut)) =>
    meetHeldOut(chargeSharing(before, heldOut, shared), heldOut, shared.facts);
}

/** What the next certification on these held-out tasks would find; nothing is written. */
export async function budgetAhead(
  store: SkillStore,
  tasks: SplitResult,
  { simulated }: { readonly simulated: boolean },
): Promise<ErrorBudget> {
  const heldOut = tasks.split.heldOut.map(({ contentHash }) => contentHash);
  const elsewhere = simulated ? {} : await certifiedElsewhere(store);
  const reading = await skillCertifications(store).read();
  const before = reading.kind === 'verified' ? reading.body.budget : undefined;
  return budgetOn(heldOut, { facts: heldOutFactsOf(tasks), elsewhere })(before);
}

type OpenCertification = Awaited<ReturnType<Certifications['open']>>;

interface Beginning {
  readonly name: string;
  readonly run: string;
  readonly untold: ReadonlySet<string>;
  readonly first: StoredCertification;
  readonly simulated: boolean;
}

function begin(
  before: SkillCertifications,
  { name, run, untold, first, simulated }: Beginning,
): { readonly after: SkillCertifications; readonly opened: OpenCertification } {
  const open = before.begun.find((each) => goesOn(each, name, untold));
  if (open !== undefined) {
    const stored = open.stored === undefined ? first : revived(open.stored);
    return {
      after: saved(before, open.id, stored),
      opened: { kind: 'open', id: open.id, stored, run: open.storedFor },
    };
  }
  if (!canCertify(before.budget)) return { after: before, opened: { kind: 'budget-empty', budget: before.budget } };
  const id = sha256(`${name}:${before.budget.certifications.length}`).slice(0, 16);
  const budget = payCertification(before.budget, id, { simulated }) ?? before.budget;
  return {
    after: { budget, begun: [...remembered(before.begun), { id, subject: name, run, storedFor: run, stored: first }] },
    opened: { kind: 'open', id, stored: first, run },
  };
}

/** Whether a certification of exactly this waits to go on; one of a run that nobody was told the end of does too. */
export async function isWaiting(
  store: SkillStore,
  subject: CertificationSubject,
  under: CertificationConditions,
  untold: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const reading = await skillCertifications(store).read();
  if (reading.kind !== 'verified') return false;
  const name = nameOf(subject, under);
  return reading.body.begun.some((each) => goesOn(each, name, untold));
}

function goesOn(each: BegunCertification, name: string, untold: ReadonlySet<string>): boolean {
  return each.subject === name && (!isEnded(each) || untold.has(each.run ?? ''));
}

function nameOf(subject: CertificationSubject, under: CertificationConditions): string {
  return sha256(canonicalJson({ ...subject, ...under }));
}

/** Ended ones serve a run that is resumed, open ones a proposal that waits; neither is worth keeping for ever. */
const mostRemembered = 20;

function remembered(begun: readonly BegunCertification[]): readonly BegunCertification[] {
  return begun.slice(1 - mostRemembered);
}

/** JSON knows no undefined inside a list. */
function revived(stored: StoredCertification): StoredCertification {
  const answers = Object.entries(stored.answers).map(
    ([task, [before, after]]) => [task, [before ?? undefined, after ?? undefined]] as const,
  );
  return { ...stored, answers: Object.fromEntries(answers) };
}

function isEnded({ stored }: BegunCertification): boolean {
  return stored !== undefined && stored.state.decision.kind !== 'continue';
}

function saved(before: SkillCertifications | undefined, id: string, stored: StoredCertification): SkillCertifications {
  if (before === undefined) throw new Error('a certification is saved after it was opened');
  return { ...before, begun: before.begun.map((each) => (each.id === id ? { ...each, stored } : each)) };
}

/** Certifications that do not keep their caller waiting for the disk after every pass. */
interface WriteBehindCertifications extends Certifications {
  /** Resolves when the last pass is stored; throws what went wrong with one of them. */
  settled(): Promise<void>;
}

/**
 * Stores passes beside the work that goes on, in their order. To open one is still waited for: it is paid for before the
 * first attempt. A crash may lose the last pass and costs nothing, for its replies are stored and give it again.
 */
export function writeBehindCertifications(certifications: Certifications): WriteBehindCertifications {
  let saving = Promise.resolve();
  return {
    async open(subject, first) {
      await saving;
      return certifications.open(subject, first);
    },
    save(id, stored) {
      saving = saving.then(() => certifications.save(id, stored));
      saving.catch(() => undefined); // told to whoever waits for it to settle
      return Promise.resolve();
    },
    settled: () => saving,
  };
}
