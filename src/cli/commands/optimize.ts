import path from 'node:path';
import type { Command } from 'commander';
import { AnswersAwaited, UserError } from '../../errors.js';
import { totalSpend } from '../../engine/journal/runSummary.js';
import { updateFields } from '../../engine/journal/upstreamWords.js';
import { upstreamJson } from '../upstreamJson.js';
import { isAtStake } from '../../wording/preflightLines.js';
import { roundsLines } from '../../wording/amounts.js';
import { exactText } from '../../wording/shownText.js';
import { verdictReport } from '../../wording/verdictReport.js';
import type { Proposal } from '../../ports/proposal.js';
import type { OptimizeResult } from '../../app/runs/optimize.js';
import type { Preflight } from '../../app/runs/preflight.js';
import { modelWords, runRequest, runWords, skillRequest, withRunOptions, type CliContext } from '../commandLine.js';
import { resumeCommand, withResumeCommand, type TypedRun } from '../again/resumeCommand.js';
import { openToSpend } from '../askCosts.js';
import { confirmSpend, tellSize } from '../confirmSpend.js';
import type { UseCases } from '../../app/useCases.js';
import { firstPaceText } from '../progress/firstPaceText.js';
import { createProgress } from '../progress/progressLine.js';
import { preflightText, settledText } from '../preflightText.js';
import { resultText } from '../resultText.js';
import { handedText } from '../statusText.js';
import { draftsLine } from '../taskText.js';
import { oneLine } from '../terminal.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** `whetstone optimize <skill>`: trains a skill and stages a proposal. */
export function addOptimize(program: Command, face: CliContext): void {
  withRunOptions(program.command('optimize').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('train a skill on its tasks and propose edits, measured on held-out tasks; edits no file')
    .option('--resume [run]', 'go on with a run that was cut off, as it was begun; what it asked is not paid for again')
    .option('--out <folder>', 'leave the artifacts of the run in this folder as well: empty, or not there yet')
    .option('--yes', 'begin without asking, whatever it may cost')
    .option('--consolidate', 'one gated epoch over all training tasks, as a night makes it')
    .option('--dry-run', 'say what a run would do, find and cost at most, and stop')
    .action(async (skill: string, options: OptimizeOptions) => {
      if (options.dryRun === true) await printPreflight(face, skill, options);
      else await runOptimize(face, skill, options);
    });
}

interface OptimizeOptions extends TypedRun {
  readonly yes?: boolean;
  readonly out?: string;
  readonly dryRun?: boolean;
}

/** Spends nothing and writes no proposal. */
async function printPreflight(face: CliContext, skill: string, typed: OptimizeOptions): Promise<void> {
  const { terminal } = face;
  const options = await withModelsOfRun(face, skill, typed);
  const request = { ...runRequest(face, skill, options), purpose: purposeOf(options), resume: resumeOf(options) };
  const preflight = await face.open(options).preflight(request, face.signal);
  const json = { ...preflight, usd: preflight.usd ?? null };
  if (options.json === true) terminal.json(json);
  else terminal.out(`${preflightText(preflight)}\n`);
}

/** The run that goes on; the newest one where none is named. */
function resumeOf({ resume }: OptimizeOptions): { readonly run: string | undefined } | undefined {
  return resume === undefined ? undefined : { run: resume === true ? undefined : resume };
}

function purposeOf({ consolidate }: OptimizeOptions): 'optimize' | 'consolidate' {
  return consolidate === true ? 'consolidate' : 'optimize';
}

/**
 * Runs and reports; exit code 0 whether or not something was proposed, for both are answers. A model that gave none is
 * not one, and neither is a cap that left nothing to measure.
 */
export async function runOptimize(face: CliContext, skill: string, typed: OptimizeOptions): Promise<OptimizeResult> {
  const { terminal } = face;
  const progress = createProgress(terminal);
  const options = await withModelsOfRun(face, skill, typed);
  const useCases = await openToSpend(face, options, skillRequest(face, skill, options));
  const resume = resumeOf(options);
  const out = options.out === undefined ? undefined : path.resolve(face.cwd, options.out);
  const request = { ...runRequest(face, skill, options), purpose: purposeOf(options), resume, out };
  const quiet = options.json === true;
  if (resume === undefined) await offerToResume(face, skill, options);
  const size = await confirmRun(face, useCases, request, options);
  const paceOf = firstPaceText(size, {
    skill,
    models: modelWords(typed),
    resume: resumeCommand(skill, typed),
    mayBeQuick: resume === undefined && typed.consolidate !== true && typed.preset !== 'quick',
  });
  let began: string | undefined;
  const observe: typeof progress.show = (event, summary) => {
    began = summary.runId;
    if (quiet) return;
    const told = paceOf(event, summary.updatedAt);
    if (told !== undefined) progress.say(told);
    progress.show(event, summary);
  };
  const result = await useCases
    .optimize(request, observe, face.signal)
    .finally(() => (quiet ? undefined : progress.clear()))
    .catch((error: unknown) => {
      if (quiet && error instanceof AnswersAwaited) terminal.json(waitingJson(error));
      if (began === undefined) throw error;
      if (face.signal.aborted) terminal.err(`What was answered is kept: ${resumeCommand(skill, typed)} goes on.\n`);
      throw withResumeCommand(error, { skill, typed, options });
    });
  const again = { models: modelWords(options), run: runWords(options), drafts: size.tasks.drafts };
  tellResult(face, result, { skill, typed, again });
  return result;
}

interface ToldTo {
  readonly skill: string;
  readonly typed: OptimizeOptions;
  readonly again: Parameters<typeof resultText>[3];
}

function tellResult({ terminal, exit }: CliContext, result: OptimizeResult, { skill, typed, again }: ToldTo): void {
  const hasFailed = result.noProposal?.cause === 'backend-failed';
  if (typed.json === true) terminal.json(optimizeJson(result));
  else terminal.out(`${resultText(result, skill, terminal, again)}\n${goesOnText(result, skill, typed)}`);
  if (hasFailed || result.noProposal?.unmeasured === true) exit(1);
}

/** How a run that came to nothing for a reason outside of the skill is gone on with. */
function goesOnText({ noProposal }: OptimizeResult, skill: string, typed: OptimizeOptions): string {
  if (noProposal?.cause === 'backend-failed') return `${resumeCommand(skill, typed)} goes on where it stopped.\n`;
  if (noProposal?.cause !== 'cap') return '';
  return 'Run it again with a higher cap: what was answered is kept and not paid again.\n';
}

/** A run that goes on asks the models that it was begun on, where nobody names any. */
async function withModelsOfRun(face: CliContext, skill: string, options: OptimizeOptions): Promise<OptimizeOptions> {
  const { resume } = options;
  if (resume === undefined || namesModel(options)) return options;
  const request = { ...skillRequest(face, skill, options), run: resume === true ? undefined : resume };
  const { names, specs } = await face.open(options).modelsToResume(request);
  if (specs !== undefined) return { ...options, ...specs };
  const distinct = [...new Set([names.target, names.optimizer, names.judge].map(shownModel))].join(', ');
  const model = names.target.split('/').slice(1).join('/');
  throw new UserError(
    'model-not-chosen',
    `No model is chosen, and this run was begun on ${distinct}.`,
    `Run “whetstone optimize ${exactText(skill)} --resume --model https://host/v1#${model}” with its address, or name the model as before.`,
  );
}

function namesModel({ model, target, optimizer, judge }: OptimizeOptions): boolean {
  return [model, target, optimizer, judge, process.env['WHETSTONE_MODEL']].some((spec) => spec !== undefined);
}

/** What `--json` prints of a run that waits. */
export function waitingJson({ runId, waiting, folder }: AnswersAwaited): Readonly<Record<string, unknown>> {
  return { run: runId, verdict: { kind: 'waiting' }, waiting, folder };
}

/** Nobody is asked about a server that is not there. Of a run that goes on, what is left is at stake. What nobody is asked about is told all the same. */
async function confirmRun(
  face: CliContext,
  useCases: UseCases,
  request: Parameters<UseCases['optimize']>[0],
  options: OptimizeOptions,
): Promise<Preflight> {
  const size = await useCases.preflight(request, face.signal);
  await useCases.reachModels(face.signal);
  if (size.powerless !== undefined) face.terminal.err(`${size.powerless}\n`);
  const waiting = { name: size.skillName, drafts: size.tasks.drafts, skill: size.skillPath };
  for (const line of [...draftsLine(waiting), ...settledText(size)]) face.terminal.err(`${line}\n`);
  for (const line of roundsLines(size)) face.terminal.err(`${line}\n`);
  if (isAtStake(size)) await confirmSpend(face, size, options);
  else if (options.json !== true) tellSize(face, size);
  return size;
}

/** A run that was cut off is offered, not taken up: the person may want another one. */
async function offerToResume(face: CliContext, skill: string, options: OptimizeOptions): Promise<void> {
  const { unfinished, handed = [] } = await face
    .open(options)
    .overview(skillRequest(face, skill, options), face.signal);
  for (const each of handed.filter(({ run }) => run !== undefined)) {
    const goesOn = `“whetstone optimize ${exactText(skill)} --resume ${each.run ?? ''}” goes on with that run, and this begins another one.`;
    face.terminal.err(`${oneLine(handedText(each))}; ${goesOn}\n`);
  }
  const [run] = unfinished;
  if (run === undefined) return;
  const began = new Date(run.startedAt).toLocaleString();
  face.terminal.err(
    `The run of ${began} was cut off; “whetstone optimize ${exactText(skill)} --resume” goes on with it.\n`,
  );
}

/** What `--json` prints: stable names for scripts. */
export function optimizeJson(result: OptimizeResult): Readonly<Record<string, unknown>> {
  const { runId, summary, proposal, proposalFile, noProposal: nothing, action } = result;
  const said = { skill: summary.skillName, action, run: runId, skillUse: summary.skillUse ?? null };
  const shared = { ...said, ...spendJson(summary), ...upstreamJson(result) };
  if (proposal === undefined) return { ...shared, ...nothingJson(nothing) };
  return { ...shared, ...proposalJson(proposal), proposal: proposalFile ?? null };
}

/** What was asked and paid. */
export function spendJson(summary: OptimizeResult['summary']): Readonly<Record<string, unknown>> {
  const { calls, tokens, usd, cachedCalls, failedCalls } = totalSpend(summary);
  return { calls, cachedCalls, failedCalls, tokens, usd: usd ?? null };
}

function nothingJson(nothing: OptimizeResult['noProposal']): Readonly<Record<string, unknown>> {
  return {
    verdict: { kind: 'nothing', cause: nothing?.cause, reason: nothing?.reason },
    before: null,
    after: null,
    edits: [],
    tasks: [],
    proposal: null,
    baseline: nothing?.baseline ?? null,
    tried: (nothing?.tried ?? []).map(({ edit, why }) => ({ ...edit, why })),
    undescribed: nothing?.undescribed ?? null,
  };
}

/** A proposal for scripts, without the texts before and after. */
export function proposalJson(proposal: Proposal): Readonly<Record<string, unknown>> {
  const verdict = verdictReport(proposal.verdict, proposal.sealed, proposal.models);
  return {
    verdict,
    before: verdict.before,
    after: verdict.after,
    edits: proposal.documents.flatMap((document) =>
      document.edits.map(({ id, edit, worth, lessonsFrom, source, environment }) => ({
        id,
        ...edit,
        ...updateFields(edit),
        worth,
        source,
        ...(environment === undefined ? {} : { environment }),
        lessonsFrom,
        document: document.path,
      })),
    ),
    leftOut: proposal.leftOut,
    dropped: proposal.dropped ?? [],
    tasks: proposal.comparisons,
    sealed: proposal.sealed ?? null,
    models: proposal.models,
    ...(proposal.candidates === undefined ? {} : { candidates: candidatesJson(proposal.candidates) }),
  };
}

/** The candidates without their texts. */
function candidatesJson({ rule, original, proposed, others }: NonNullable<Proposal['candidates']>) {
  return {
    rule,
    original,
    proposed,
    others: others.map(({ candidateText: _text, evidence, ...other }) => ({
      ...other,
      verdict: evidence?.verdict ?? null,
    })),
  };
}
