import type { ModelRequest, ModelRole } from '../ports/languageModel.js';

/** What a request wants back. `other` has a schema that the model only fills in. */
export type ReplyKind = 'answer' | 'reflection' | 'merge' | 'ranking' | 'draft_tasks' | 'judgement' | 'other';

const named: ReadonlySet<string> = new Set<ReplyKind>(['reflection', 'merge', 'ranking', 'draft_tasks', 'judgement']);

// Servers that cannot hold a model to a schema get its shape in the prompt instead.
const shapes: readonly { readonly kind: ReplyKind; readonly pattern: RegExp }[] = [
  { kind: 'ranking', pattern: /"selected_indices"/ },
  { kind: 'reflection', pattern: /"failure_summary"/ },
  { kind: 'judgement', pattern: /"results"[\s\S]{0,80}"pass"/ },
  { kind: 'merge', pattern: /"edits"[\s\S]{0,200}"support_count"/ },
  { kind: 'draft_tasks', pattern: /"tasks"[\s\S]{0,120}"expectations"/ },
  { kind: 'reflection', pattern: /"edits"\s*:\s*\[\s*\{\s*"op"/ },
];

/** By the name of the reply schema, else by the shape that the prompt shows; a target always answers. */
export function replyKindOf(request: Pick<ModelRequest, 'role' | 'messages' | 'replySchema'>): ReplyKind {
  if (request.role === 'target') return 'answer';
  const name = request.replySchema?.name ?? '';
  const found = kindNamed(name) ?? shapeIn(request.messages.map(({ content }) => content).join('\n'));
  if (found !== undefined) return found;
  if (request.replySchema !== undefined) return 'other';
  return request.role === 'judge' ? 'judgement' : 'reflection';
}

/** Which role a request plays that does not say so, as over HTTP. */
export function roleOf(schemaName: string | undefined, text: string): ModelRole {
  const kind = kindNamed(schemaName ?? '') ?? shapeIn(text);
  if (kind === undefined) return 'target';
  return kind === 'judgement' ? 'judge' : 'optimizer';
}

function kindNamed(name: string): ReplyKind | undefined {
  return [...named].find((known): known is ReplyKind => known === name);
}

function shapeIn(text: string): ReplyKind | undefined {
  return shapes.find(({ pattern }) => pattern.test(text))?.kind;
}
