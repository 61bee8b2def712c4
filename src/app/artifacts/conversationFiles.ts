import { sha256 } from '../../hash.js';
import { parseJson } from '../../parseJson.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { Artifact, ArtifactSources } from './stepArtifacts.js';

type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;

/**
 * What was said and done in each training attempt of a step, where the paper's trainer has it. An attempt that was a
 * question and an answer is told from those. One that the world prevented has nothing to tell.
 */
export async function conversationFiles(
  sources: Pick<ArtifactSources, 'tasks' | 'texts'>,
  attempts: readonly AttemptEvent[],
): Promise<readonly Artifact[]> {
  const folders = fileNames(attempts.map(({ taskId }) => taskId));
  const files = attempts.map(async (event): Promise<readonly Artifact[]> => {
    const content = await conversationIn(sources, event);
    const folder = folders.get(event.taskId);
    if (content === undefined || folder === undefined) return [];
    const further = event.attempt === 1 ? '' : `attempt_${String(event.attempt).padStart(4, '0')}/`;
    return [{ file: `rollout/predictions/${folder}/${further}conversation.json`, content }];
  });
  return (await Promise.all(files)).flat();
}

async function conversationIn(
  { tasks, texts }: Pick<ArtifactSources, 'tasks' | 'texts'>,
  { taskId, answerHash, conversationHash }: AttemptEvent,
): Promise<unknown> {
  const kept = conversationHash === undefined ? undefined : await texts.get(conversationHash);
  if (kept !== undefined) return parseJson(kept);
  const answer = answerHash === undefined ? undefined : await texts.get(answerHash);
  if (answer === undefined) return undefined;
  const prompt = tasks.training.find(({ id }) => id === taskId)?.prompt;
  return [...(prompt === undefined ? [] : [{ role: 'user', content: prompt }]), { role: 'assistant', content: answer }];
}

/** A name of a file or folder for each id. One that a file system would refuse, or take for another, ends with its hash. */
export function fileNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const different = [...new Set(ids)];
  const folded = different.map((id) => id.toLowerCase());
  return new Map(
    different.map((id) => {
      const isAlone = folded.filter((other) => other === id.toLowerCase()).length === 1;
      const name = id.replaceAll(/[^\w.-]+/g, '_').slice(0, mostCharacters);
      const isPlain = isAlone && name === id && /^\w/.test(id) && !id.endsWith('.') && !reserved.test(id);
      return [id, isPlain ? id : `_${name}-${sha256(id).slice(0, 12)}`];
    }),
  );
}

const mostCharacters = 60;
/** Names of devices on Windows, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
