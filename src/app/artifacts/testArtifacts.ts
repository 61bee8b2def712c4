import type { RunEvent } from '../../engine/journal/runEvents.js';
import { sealedAttempts } from '../../engine/journal/sideAttempts.js';
import { typeBuckets } from '../../engine/journal/taskFigures.js';
import { meansOf } from '../../engine/journal/upstreamSummary.js';
import { attemptRows, typeById, type RowSources } from './attemptRows.js';
import type { Artifact } from './stepArtifacts.js';

/**
 * The sealed tasks one by one, under the skill as it was and under the one that is proposed, where the paper's trainer
 * has them. They decide nothing, and nothing reads them back: of their answers no reason and no reference is told.
 */
export async function testArtifacts(
  sources: RowSources,
  events: readonly RunEvent[],
  baseHash: string,
): Promise<readonly Artifact[]> {
  const { before, after } = sealedAttempts(events, baseHash);
  const sides = [
    { folder: 'test_eval_baseline', attempts: before },
    { folder: 'test_eval_best', attempts: after },
  ].filter(({ attempts }) => attempts.length > 0);
  const made = sides.map(async ({ folder, attempts }) => [
    { file: `${folder}/results.json`, content: await attemptRows(sources, attempts) },
    { file: `${folder}/summary.json`, content: meansOf(attempts) },
    { file: `${folder}/buckets.json`, content: typeBuckets(attempts, typeById(sources)) },
  ]);
  return (await Promise.all(made)).flat();
}
