import { candidateHashOf, filesProposed } from '../../engine/package/changedDocuments.js';
import { stepLogs } from '../../engine/journal/stepLog.js';
import type { Proposal } from '../../ports/proposal.js';
import type { TextStore } from '../../ports/stores.js';
import { WriteBehind } from '../../storage/files/writeBehind.js';
import { settledReport } from '../../wording/powerSentence.js';
import { english } from '../../wording/translate.js';
import { allRuns } from '../models/modelNotes.js';
import { powerOfRun } from '../runs/certifications/heldOutPower.js';
import type { RunJournal, RunLeavings, RunLog } from '../runs/runJournal.js';
import { keptReasons } from '../results/keptReasons.js';
import { epochArtifacts } from './epochArtifacts.js';
import { testArtifacts } from './testArtifacts.js';
import { type Artifact, type ArtifactSources, skillName, textAt, stepArtifacts } from './stepArtifacts.js';
import { diagnosisOf, heldOutAttempts, lastCallError } from '../../engine/journal/diagnostics.js';
import type { NoProposal } from '../../engine/noProposal.js';
import { boundEdits } from '../proposals/chosenPart.js';
import { reportText } from '../../engine/journal/report.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { heldOutSides, sealedAttempts } from '../../engine/journal/sideAttempts.js';
import { passRates, trainingAttempts, typeFigures } from '../../engine/journal/taskFigures.js';
import type { TypeFigures } from '../../wording/taskWords.js';
import { upstreamStep } from '../../engine/journal/upstreamStep.js';
import { upstreamSummary } from '../../engine/journal/upstreamSummary.js';
import { artifactFiles, type ArtifactPlace } from './artifactFiles.js';
import { typeById } from './attemptRows.js';

/** Writes what a run leaves. */
export interface ArtifactWriter {
  /** The rest of it, once the run has come to its end. Throws what kept any of it from being written. */
  finish(log: RunLog, proposal: Proposal | undefined, nothing?: NoProposal): Promise<void>;
  /** What the stored summary says beside its own fields. */
  sums(log: RunLog, proposal: Proposal | undefined): ReturnType<RunLeavings['sums']>;
}

/**
 * Leaves beside the journal what people and other tools look for: the report, the skill after every step, what each
 * stage gave. Made from what the journal holds, without secrets, and never read back. What a step gave is written when
 * the step is over, while the run goes on.
 */
export function keepArtifacts(
  sources: ArtifactSources & ArtifactPlace,
  journal: Pick<RunJournal, 'runId' | 'log' | 'watch'>,
): ArtifactWriter {
  const files = artifactFiles(sources, journal.runId);
  /** Of each step that is on disk how many evaluations it has: its candidate may be tried again later. */
  const written = new Map<number, number>();
  const afterwards = new WriteBehind();
  let failure: { readonly error: unknown } | undefined;
  const later = (work: () => Promise<void>): void =>
    afterwards.add(() =>
      work().catch((error: unknown) => {
        failure ??= { error };
      }),
    );

  const writeSteps = async (log: RunLog, texts: ArtifactSources['texts']): Promise<void> => {
    const open = [...stepLogs(log.events).entries()].filter(
      ([, { step, evaluations }]) => written.get(step) !== evaluations.length,
    );
    for (const [, { step, evaluations }] of open) written.set(step, evaluations.length);
    const made = open.map(([index, step]) => stepArtifacts({ ...sources, texts }, step, index + 1));
    await files.write((await Promise.all(made)).flat());
  };
  journal.watch((event) => {
    if (event.kind !== 'step-ended') return;
    const log = journal.log();
    later(() => writeSteps(log, readOnce(sources.texts)));
  });
  // A run that goes on into the same folder is known by it.
  later(() => files.writeOut([{ file: 'config.json', content: config({ ...sources, log: journal.log() }) }]));
  return {
    sums: (log, proposal) => sumsOf(sources, log, proposal),
    async finish(log, proposal, nothing) {
      const texts = readOnce(sources.texts);
      await afterwards.settled();
      await writeSteps(log, texts);
      await files.write(await runArtifacts({ ...sources, texts, log, proposal, nothing }));
      await files.writeOut([{ file: 'summary.json', content: { ...sumsOf(sources, log, proposal), ...log.summary } }]);
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** The same text is named by many attempts. */
function readOnce(texts: Pick<TextStore, 'get'>): Pick<TextStore, 'get'> {
  const known = new Map<string, Promise<string | undefined>>();
  return {
    get: (hash) => {
      const found = known.get(hash) ?? texts.get(hash);
      known.set(hash, found);
      return found;
    },
  };
}

/** A run that has come to its end, whatever end that was. */
interface FinishedRun extends ArtifactSources {
  readonly log: RunLog;
  readonly proposal: Proposal | undefined;
  readonly nothing: NoProposal | undefined;
}

/** What is about the run as a whole. */
async function runArtifacts(run: FinishedRun): Promise<readonly Artifact[]> {
  const { log, skill, proposal } = run;
  const logs = stepLogs(log.events);
  const skills = await Promise.all(logs.map(({ ended }) => textAt(run, ended?.currentHash)));
  const events = log.events.map(({ event }) => event);
  const last = events.findLast((event) => event.kind === 'step-ended' || event.kind === 'slow-update');
  const [best, current] = [await textAt(run, last?.bestHash), await textAt(run, last?.currentHash)];
  const proposed = candidateTextOf(proposal);
  const bound = proposal?.documents.flatMap(boundEdits) ?? [];
  const summary = { ...log.summary, byType: byTypeOf(run, events, proposal) };
  const rates = passRates(events, typeById(run));
  const settled = settledReport(powerOfRun(await allRuns(skill), summary), english);
  const about = { summary, proposal, bound, nothing: run.nothing, passRates: rates, settled };
  return [
    { file: 'config.json', content: config(run) },
    { file: 'history.json', content: logs.map((each, index) => upstreamStep(each, skills[index]?.length)) },
    { file: 'best_skill.md', content: proposed ?? best ?? skill.text },
    ...fileArtifacts(proposal),
    { file: 'current_skill.md', content: current ?? skill.text },
    ...(await epochArtifacts(events, run)),
    ...(await testArtifacts(run, events, skill.hash)),
    { file: skillName(0), content: skill.text },
    { file: 'report.md', content: reportText(about) },
    { file: 'diagnostics.json', content: await diagnostics(run) },
  ];
}

/** Under the names of the paper's trainer, and by type of task. */
function sumsOf(
  sources: ArtifactSources,
  log: RunLog,
  proposal: Proposal | undefined,
): ReturnType<RunLeavings['sums']> {
  const events = log.events.map(({ event }) => event);
  const { options, skill } = sources;
  const byType = byTypeOf(sources, events, proposal);
  const upstream = upstreamSummary({ events, summary: log.summary, options, baseHash: skill.hash });
  return { ...upstream, ...(byType.length === 0 ? {} : { byType }) };
}

function byTypeOf(
  sources: ArtifactSources,
  events: readonly RunEvent[],
  proposal: Proposal | undefined,
): readonly TypeFigures[] {
  const { hash, text } = sources.skill;
  const sides = {
    training: trainingAttempts(events),
    heldOut: heldOutSides(events, hash, proposal === undefined ? undefined : candidateHashOf(proposal, text)),
    sealed: sealedAttempts(events, hash),
  };
  return typeFigures(sides, typeById(sources));
}

/** The files beside SKILL.md that are proposed to be changed. */
function fileArtifacts(proposal: Proposal | undefined): readonly Artifact[] {
  const files = proposal === undefined ? {} : filesProposed(proposal, 'candidateText');
  return Object.entries(files).map(([name, content]) => ({ file: `best_files/${name}`, content }));
}

function candidateTextOf(proposal: Proposal | undefined): string | undefined {
  return proposal?.documents.find((document) => document.kind === 'skill')?.candidateText;
}

function config({ log, skill, options }: Pick<FinishedRun, 'log' | 'skill' | 'options'>): unknown {
  const { runId, purpose, models, tasks } = log.summary;
  return { run: runId, purpose, skill: skill.name, skill_path: skill.places.documentPath, models, tasks, options };
}

async function diagnostics({
  log,
  tasks,
  skill,
  proposal,
  texts,
}: FinishedRun): Promise<Readonly<Record<string, unknown>>> {
  const events = log.events.map(({ event }) => event);
  const rows = heldOutAttempts(events, tasks.heldOut, skill.hash).map(async ({ task, before, after }) => ({
    id: task.id,
    checks: task.checks.map(({ check }) => check),
    expectations: task.expectations.length,
    before: diagnosisOf(task, before, await saidIn(texts, before)),
    after: diagnosisOf(task, after, await saidIn(texts, after)),
  }));
  const reply = events.findLast((event) => event.kind === 'optimizer-replied');
  return {
    format: 'whetstone-diagnostics',
    version: 1,
    outcome: log.summary.outcome,
    reason: log.summary.reason,
    verdict: proposal?.verdict ?? null,
    sealed: log.summary.sealed ?? null,
    invalid_attempts: log.summary.invalidAttempts,
    last_call_error: lastCallError(events) ?? null,
    last_optimizer_reply:
      reply === undefined
        ? null
        : {
            about: reply.about,
            step: reply.step,
            readable: reply.readable,
            text: (await texts.get(reply.textHash)) ?? null,
          },
    held_out: await Promise.all(rows),
  };
}

/** The answer of an attempt, and what was said about it. */
async function saidIn(
  texts: FinishedRun['texts'],
  event: Extract<RunEvent, { kind: 'attempt' }> | undefined,
): Promise<Parameters<typeof diagnosisOf>[2]> {
  const answer = event?.answerHash === undefined ? undefined : await texts.get(event.answerHash);
  return { answer, reasons: await keptReasons(texts, event?.reasonsHash) };
}
