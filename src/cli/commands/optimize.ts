import type { Command } from 'commander';
import { totalSpend } from '../../engine/runSummary.js';
import type { Proposal } from '../../ports/proposal.js';
import type { OptimizeResult } from '../../workshop/workshop.js';
import { runRequest, withRunOptions, type Face, type RunCommandOptions } from '../commandLine.js';
import { createProgress } from '../progressLine.js';
import { resultText } from '../resultText.js';

/** `whetstone optimize <skill>`: trains a skill and stages a proposal. */
export function addOptimize(program: Command, face: Face): void {
  withRunOptions(program.command('optimize').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('train a skill on its tasks and stage the edits that held-out tasks prove better; edits no file')
    .action(async (skill: string, options: RunCommandOptions) => {
      await runOptimize(face, skill, options);
    });
}

/** Runs and reports; exit code 0 whether or not something was proposed, for both are answers. */
export async function runOptimize(face: Face, skill: string, options: RunCommandOptions): Promise<OptimizeResult> {
  const { terminal } = face;
  const progress = createProgress(terminal);
  const workshop = face.open(options);
  const request = { ...runRequest(face, skill, options), purpose: 'optimize' as const };
  const quiet = options.json === true;
  const result = await workshop
    .optimize(request, (_event, summary) => (quiet ? undefined : progress.show(summary)), face.signal)
    .finally(() => (quiet ? undefined : progress.clear()));
  terminal.out(
    quiet ? `${JSON.stringify(optimizeJson(result), undefined, 2)}\n` : `${resultText(result, skill, terminal)}\n`,
  );
  return result;
}

/** What `--json` prints: stable names for scripts. */
export function optimizeJson({
  runId,
  summary,
  proposal,
  proposalFile,
  nothing,
}: OptimizeResult): Readonly<Record<string, unknown>> {
  const { calls, tokens, usd, cachedCalls } = totalSpend(summary);
  const shared = { skill: summary.skillName, run: runId, calls, cachedCalls, tokens, usd: usd ?? null };
  if (proposal === undefined) {
    const verdict = { kind: 'nothing', cause: nothing?.cause, reason: nothing?.reason };
    return { ...shared, verdict, before: null, after: null, edits: [], tasks: [], proposal: null };
  }
  return { ...shared, ...proposalJson(proposal), proposal: proposalFile ?? null };
}

/** A proposal for scripts, without the texts before and after. */
export function proposalJson(proposal: Proposal): Readonly<Record<string, unknown>> {
  const { verdict } = proposal;
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  return {
    verdict,
    before: figures?.before ?? null,
    after: figures?.after ?? null,
    edits: proposal.documents.flatMap((document) =>
      document.edits.map(({ id, edit, worth, lessonsFrom }) => ({
        id,
        ...edit,
        worth,
        lessonsFrom,
        document: document.path,
      })),
    ),
    leftOut: proposal.leftOut,
    tasks: proposal.comparisons,
    sealed: proposal.sealed ?? null,
    models: proposal.models,
  };
}
