import { diagnosisOf, heldOutAttempts, lastCallError } from '../../engine/journal/diagnostics.js';
import { reportText } from '../../engine/journal/report.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { stepLogs } from '../../engine/journal/stepLog.js';
import { upstreamStep } from '../../engine/journal/upstreamStep.js';
import type { Proposal } from '../../ports/proposal.js';
import type { RunLog } from '../runs/runJournal.js';
import { skillName, textAt, type Artifact, type ArtifactSources } from './artifact.js';

/** A run that has come to its end, whatever end that was. */
interface FinishedRun extends ArtifactSources {
  readonly log: RunLog;
  readonly proposal: Proposal | undefined;
}

/** What is about the run as a whole. */
export async function runArtifacts(run: FinishedRun): Promise<readonly Artifact[]> {
  const { log, skill, proposal } = run;
  const logs = stepLogs(log.events);
  const skills = await Promise.all(logs.map(({ ended }) => textAt(run, ended?.currentHash)));
  const best = await textAt(run, logs.findLast(({ ended }) => ended !== undefined)?.ended?.bestHash);
  const proposed = proposal?.documents.find((document) => document.kind === 'skill')?.candidateText;
  return [
    { file: 'config.json', content: config(run) },
    { file: 'history.json', content: logs.map((each, index) => upstreamStep(each, skills[index]?.length)) },
    { file: 'best_skill.md', content: proposed ?? best ?? skill.text },
    { file: 'current_skill.md', content: skills.findLast((text) => text !== undefined) ?? skill.text },
    { file: skillName(0), content: skill.text },
    { file: 'report.md', content: reportText({ summary: log.summary, proposal }) },
    { file: 'diagnostics.json', content: await diagnostics(run) },
  ];
}

function config({ log, skill, options }: FinishedRun): unknown {
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
    before: diagnosisOf(task, before, await answerOf(texts, before)),
    after: diagnosisOf(task, after, await answerOf(texts, after)),
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

async function answerOf(
  texts: FinishedRun['texts'],
  event: Extract<RunEvent, { kind: 'attempt' }> | undefined,
): Promise<string | undefined> {
  return event?.answerHash === undefined ? undefined : texts.get(event.answerHash);
}
