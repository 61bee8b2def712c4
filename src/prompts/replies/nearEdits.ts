import { asText, entriesOf, fieldsOf, firstOf, parsedList, spelled, wrappedIn, type Fields } from './nearFields.js';

/**
 * A reply with edits in the form that was asked for, where what was written can mean nothing else: a list without its
 * object, one edit without its list, an object around it, edits by number, one reason for all of them. An empty list by
 * itself is left to be asked for again: it may be the end of anything.
 */
export function asEditReply(value: unknown): unknown {
  if (Array.isArray(value)) return bareList(value);
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  if (!fields.has('edits') && isEdit(value)) return { edits: [value] };
  const reply = fields.has('edits') ? fields : wrappedIn(fields, (inner) => inner.has('edits'));
  if (reply === undefined) return value;
  const edits = listOf(reply.get('edits'));
  const reason = firstOf(reply, reasonNames);
  return { ...Object.fromEntries(reply), edits: Array.isArray(edits) ? edits.map(reasoned(reason)) : edits };
}

/** Not where one of them holds edits of its own: which were meant could not be told. */
function bareList(value: readonly unknown[]): unknown {
  const edits = entriesOf(value, isEdit);
  const isPlain = edits?.every((edit) => fieldsOf(edit)?.has('edits') !== true) ?? false;
  return isPlain ? { edits } : value;
}

function listOf(edits: unknown): unknown {
  const value = parsedList(edits);
  if (Array.isArray(value)) return value;
  if (isEdit(value)) return [value];
  const inner = fieldsOf(value);
  return inner?.has('edits') === true && inner.size === 1 ? inner.get('edits') : (entriesOf(value, isEdit) ?? value);
}

/** Gives an edit without a reason the one that stands beside the list. */
function reasoned(reason: unknown): (edit: unknown) => unknown {
  return (edit) => {
    const fields = typeof reason === 'string' ? fieldsOf(edit) : undefined;
    if (fields === undefined || firstOf(fields, reasonNames) !== undefined) return edit;
    return { ...Object.fromEntries(fields), rationale: reason };
  };
}

const opNames = ['op', 'operation', 'action', 'type', 'edit_type', 'kind'];
const oldNames = ['old', 'old_text', 'find', 'search', 'original', 'original_text'];
const newNames = ['new', 'new_text', 'replacement', 'replace_with'];
const anchorNames = ['anchor', 'target', 'anchor_text', 'target_text', ...oldNames];
const contentNames = ['content', 'text', 'new_content', ...newNames];
const reasonNames = ['rationale', 'reason', 'explanation', 'why', 'justification'];
const taskNames = ['tasks', 'task', 'task_ids', 'task_id'];

/** Every word for a kind of edit that can mean only one. */
const ops: ReadonlyMap<string, string> = new Map([
  ['append', 'append'],
  ['add', 'append'],
  ['insert_after', 'insert_after'],
  ['add_after', 'insert_after'],
  ['replace', 'replace'],
  ['substitute', 'replace'],
  ['delete', 'delete'],
  ['remove', 'delete'],
]);

/**
 * One edit in our words, where it can be told what it is. What names no kind of edit that we know, or two, keeps the word
 * that it has, and is refused for it.
 */
export function asEdit(value: unknown): unknown {
  const given = fieldsOf(value);
  if (given === undefined) return value;
  const fields = keyedByOp(given) ?? wrappedIn(given, (inner) => inner.has('op') && !given.has('op')) ?? given;
  const op = opOf(fields);
  const content = onlyText(fields, op === 'replace' ? [...contentNames, 'replace'] : contentNames);
  const anchor = onlyText(fields, anchorNames);
  return {
    ...Object.fromEntries(fields),
    op,
    content,
    // What is to go away stands only once in the edit, whatever it is called.
    anchor: op === 'delete' ? (anchor ?? content) : anchor,
    rationale: textOr(firstOf(fields, reasonNames)),
    tasks: tasksIn(firstOf(fields, taskNames)),
    support_count: countIn(firstOf(fields, ['support_count', 'support'])),
  };
}

/** The text under these names; all of them, which is no text, where they differ: which is meant cannot be told. */
function onlyText(fields: Fields, names: readonly string[]): unknown {
  const given = names.map((name) => asText(firstOf(fields, [name]))).filter((text) => text !== undefined);
  const different = new Set(given.map((text) => (typeof text === 'string' ? text.trim() : text)));
  return different.size > 1 ? given : given[0];
}

function isEdit(value: unknown): boolean {
  const { op, content, anchor } = Object(asEdit(value));
  return [...ops.values()].includes(String(op)) && [content, anchor].some((text) => typeof text === 'string');
}

function opOf(fields: Fields): unknown {
  const said = opNames.map((name) => fields.get(name)).filter((name) => typeof name === 'string');
  const known = new Set(said.flatMap((name) => ops.get(spelled(name)) ?? []));
  if (said.some((name) => spelled(name) === 'add') && onlyText(fields, anchorNames) !== undefined)
    return 'add with a place'; // before it, after it, or at the end
  if (known.size === 1) return [...known][0];
  if (said.length > 0) return known.size > 1 ? said.join(' or ') : said[0];
  const isPair = firstOf(fields, oldNames) !== undefined && !fields.has('anchor');
  return isPair && [...newNames, 'replace'].some((name) => typeof fields.get(name) === 'string')
    ? 'replace'
    : undefined;
}

/** `{"replace": {"anchor": …, "content": …}}` */
function keyedByOp(fields: Fields): Fields | undefined {
  const [[name = '', value] = []] = fields.size === 1 ? fields : [];
  const inner = ops.has(name) ? fieldsOf(value) : undefined;
  return inner === undefined || inner.has('op') ? undefined : new Map([...inner, ['op', name]]);
}

function textOr(value: unknown): string {
  const text = asText(value);
  return typeof text === 'string' ? text : '';
}

/** Ids in a list, or in one text; what is none names no task. */
function tasksIn(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  return list.flatMap((id) => (typeof id === 'string' || typeof id === 'number' ? [String(id).trim()] : []));
}

function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined;
}
