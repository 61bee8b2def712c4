import { skillIn } from '../../engine/candidate.js';
import * as z from 'zod';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { slowUpdateFields, upstreamHash } from '../../engine/journal/upstreamWords.js';
import { parseJson } from '../../parseJson.js';
import { attemptRows, type RowSources } from './attemptRows.js';
import type { Artifact } from './stepArtifacts.js';

type Texts = RowSources['texts'];

/** What the ends of epochs gave, under the names of the paper's trainer. */
export async function epochArtifacts(events: readonly RunEvent[], sources: RowSources): Promise<readonly Artifact[]> {
  const files = await Promise.all(events.map((event, at) => filesOf(event, events.slice(0, at), sources)));
  return files.flat();
}

async function filesOf(
  event: RunEvent,
  before: readonly RunEvent[],
  sources: RowSources,
): Promise<readonly Artifact[]> {
  if (event.kind === 'epoch-compared') return comparison(event, attemptsIn(before), sources);
  if (event.kind === 'slow-update') return slowUpdate(event, attemptsIn(before), sources);
  return event.kind === 'meta-skill' ? metaSkill(event, sources.texts) : [];
}

type Of<Kind extends RunEvent['kind']> = Extract<RunEvent, { kind: Kind }>;

function attemptsIn(events: readonly RunEvent[]): readonly Of<'attempt'>[] {
  return events.filter((event) => event.kind === 'attempt');
}

const Pairs = z.array(z.looseObject({ id: z.string(), shown: z.boolean().optional() }));

/** The tasks that were compared, those that the optimizer saw, and the attempts under both texts. */
async function comparison(
  event: Of<'epoch-compared'>,
  attempts: readonly Of<'attempt'>[],
  sources: RowSources,
): Promise<readonly Artifact[]> {
  const stored = Pairs.safeParse(parseJson((await sources.texts.get(event.textHash)) ?? ''));
  if (!stored.success) return [];
  const folder = folderOf(event.stage === 'slow-update' ? 'slow_update' : 'meta_skill', event);
  const compared = new Set(stored.data.map(({ id }) => id));
  const under = (hash: string): Promise<readonly unknown[]> => {
    const own = attempts.filter((each) => each.skillHash === hash && each.attempt === 1 && compared.has(each.taskId));
    return attemptRows(sources, [...new Map(own.map((each) => [each.taskId, each])).values()]);
  };
  return [
    { file: `${folder}/comparison_pairs.json`, content: stored.data.filter(({ shown }) => shown !== false) },
    { file: `${folder}/comparison_pairs_all.json`, content: stored.data },
    { file: `${folder}/rollout_prev/results.json`, content: await under(event.firstHash) },
    { file: `${folder}/rollout_curr/results.json`, content: await under(event.lastHash) },
  ];
}

async function slowUpdate(
  event: Of<'slow-update'>,
  attempts: readonly Of<'attempt'>[],
  sources: RowSources,
): Promise<readonly Artifact[]> {
  const { texts } = sources;
  const { epoch, step, action, reason, before, after, guidanceHash, candidateHash } = event;
  const guidance = guidanceHash === undefined ? undefined : await texts.get(guidanceHash);
  const stored = candidateHash === undefined ? undefined : await texts.get(candidateHash);
  const candidate = stored === undefined ? undefined : skillIn(stored);
  const scores = { current_score: before ?? null, candidate_score: after ?? null };
  const told = { ...scores, slow_update_content: guidance ?? '', ...(guidance === undefined ? {} : slowUpdateFields) };
  const hash = candidateHash === undefined ? {} : { candidate_hash: upstreamHash(candidateHash) };
  const content = { epoch, step, action, reason, ...told, ...hash };
  const folder = folderOf('slow_update', event);
  const result = { file: `${folder}/slow_result.json`, content };
  if (candidate === undefined) return [result];
  const tried = attempts.filter(({ stage, skillHash }) => stage === 'slow-update' && skillHash === candidateHash);
  return [
    result,
    { file: `${folder}/candidate_skill.md`, content: candidate },
    { file: `${folder}/selection_eval/results.json`, content: await attemptRows(sources, tried) },
  ];
}

async function metaSkill(event: Of<'meta-skill'>, texts: Texts): Promise<readonly Artifact[]> {
  const { epoch, step, changed, lost } = event;
  const content = {
    epoch,
    step,
    changed,
    lost: lost ?? '',
    meta_skill_content: (await texts.get(event.textHash)) ?? '',
  };
  return [{ file: `${folderOf('meta_skill', event)}/meta_skill_result.json`, content }];
}

function folderOf(name: string, { epoch }: { readonly epoch: number }): string {
  return `${name}/epoch_${String(epoch).padStart(2, '0')}`;
}
