import type { RunEvent } from '../../engine/journal/runEvents.js';
import { parseJson } from '../../parseJson.js';
import type { Artifact, ArtifactSources } from './stepArtifacts.js';

type Texts = ArtifactSources['texts'];

/** What the ends of epochs gave, under the names of the paper's trainer. */
export async function epochArtifacts(events: readonly RunEvent[], texts: Texts): Promise<readonly Artifact[]> {
  const files = await Promise.all(events.map((event) => filesOf(event, texts)));
  return files.flat();
}

async function filesOf(event: RunEvent, texts: Texts): Promise<readonly Artifact[]> {
  if (event.kind === 'epoch-compared') return comparison(event, texts);
  if (event.kind === 'slow-update') return slowUpdate(event, texts);
  return event.kind === 'meta-skill' ? metaSkill(event, texts) : [];
}

type Of<Kind extends RunEvent['kind']> = Extract<RunEvent, { kind: Kind }>;

async function comparison(event: Of<'epoch-compared'>, texts: Texts): Promise<readonly Artifact[]> {
  const pairs = await texts.get(event.textHash);
  const folder = event.stage === 'slow-update' ? 'slow_update' : 'meta_skill';
  const content: unknown = pairs === undefined ? undefined : parseJson(pairs);
  return content === undefined ? [] : [{ file: `${folderOf(folder, event)}/comparison_pairs.json`, content }];
}

async function slowUpdate(event: Of<'slow-update'>, texts: Texts): Promise<readonly Artifact[]> {
  const { epoch, step, action, reason, before, after, guidanceHash, candidateHash } = event;
  const guidance = guidanceHash === undefined ? undefined : await texts.get(guidanceHash);
  const candidate = candidateHash === undefined ? undefined : await texts.get(candidateHash);
  const scores = { current_score: before ?? null, candidate_score: after ?? null };
  const content = { epoch, step, action, reason, ...scores, slow_update_content: guidance ?? '' };
  const folder = folderOf('slow_update', event);
  return [
    { file: `${folder}/slow_result.json`, content },
    ...(candidate === undefined ? [] : [{ file: `${folder}/candidate_skill.md`, content: candidate }]),
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
