import { jsonFile } from '../../jsonFile.js';
import { memberOf, nearestNode, parseJsonTree, type JsonNode, type JsonPath } from './jsonTree.js';

/** Replaces or adds members of the object at a path; `undefined` removes one. All other bytes stay as they are. */
export function setMembers(text: string, path: JsonPath, members: ReadonlyMap<string, unknown>): string {
  let result = text;
  for (const [key, value] of members) result = setMember(result, [...path], key, value);
  return result;
}

/** Adds items at the end of the array at a path. */
export function appendItems(text: string, path: JsonPath, values: readonly unknown[]): string {
  if (values.length === 0) return text;
  const node = nearestNode(parseJsonTree(text), path);
  if (node.kind !== 'array') throw new Error(`No array at ${path.join('.')}`);
  return insertInto(text, node, { last: node.items.at(-1), parts: values.map((value) => ({ value })) });
}

/** Adds members that are not there yet at the end of the object at a path. */
export function addMembers(text: string, path: JsonPath, members: ReadonlyMap<string, unknown>): string {
  if (members.size === 0) return text;
  const node = nearestNode(parseJsonTree(text), path);
  if (node.kind !== 'object') throw new Error(`No object at ${path.join('.')}`);
  const last = node.members.at(-1);
  const parts = [...members].map(([key, value]) => ({ key, value }));
  return insertInto(text, node, { last: last && { start: last.start, end: last.value.end }, parts });
}

/** Takes the item out of the array that holds it, with its comma. */
export function removeItem(text: string, path: JsonPath, index: number): string {
  const node = nearestNode(parseJsonTree(text), path);
  if (node.kind !== 'array') throw new Error(`No array at ${path.join('.')}`);
  return cutOut(text, node, node.items, index);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Style {
  /** One step of indentation; empty where the text is one line. */
  readonly unit: string;
  readonly lineEnd: string;
}

function setMember(text: string, path: JsonPath, key: string, value: unknown): string {
  const node = nearestNode(parseJsonTree(text), path);
  if (node.kind !== 'object') throw new Error(`No object at ${path.join('.')}`);
  const existing = memberOf(node, key);
  if (value === undefined) {
    if (existing === undefined) return text;
    const spans = node.members.map((member) => ({ start: member.start, end: member.value.end }));
    return cutOut(text, node, spans, node.members.indexOf(existing));
  }
  if (existing === undefined) return addMembers(text, path, new Map([[key, value]]));
  const { start, end } = existing.value;
  const indent = indentBefore(text, existing.start) ?? '';
  return text.slice(0, start) + printed(value, styleOf(text, node), indent) + text.slice(end);
}

function insertInto(
  text: string,
  node: JsonNode,
  {
    last,
    parts,
  }: {
    readonly last: Span | undefined;
    readonly parts: readonly { readonly key?: string; readonly value: unknown }[];
  },
): string {
  const style = styleOf(text, node);
  const own = indentOfLine(text, node.start);
  const indent = (last === undefined ? undefined : indentBefore(text, last.start)) ?? own + style.unit;
  const items = parts.map(({ key, value }) => {
    const name = key === undefined ? '' : `${jsonFile(key)}: `;
    return name + printed(value, style, indent);
  });
  const gap = style.unit === '' ? ' ' : style.lineEnd + indent;
  if (last !== undefined) {
    return text.slice(0, last.end) + items.map((item) => `,${gap}${item}`).join('') + text.slice(last.end);
  }
  const close = style.unit === '' ? '' : style.lineEnd + own;
  const body = (style.unit === '' ? '' : gap) + items.join(`,${gap}`) + close;
  return text.slice(0, node.start + 1) + body + text.slice(node.end - 1);
}

function cutOut(text: string, node: Span, spans: readonly Span[], index: number): string {
  const span = spans[index];
  if (span === undefined) return text;
  const before = spans[index - 1];
  const after = spans[index + 1];
  if (before !== undefined) return text.slice(0, before.end) + text.slice(span.end);
  if (after !== undefined) return text.slice(0, span.start) + text.slice(after.start);
  return text.slice(0, node.start + 1) + text.slice(node.end - 1);
}

/** How the text around a node is set: an object that stands on one line stays on it. */
function styleOf(text: string, node: JsonNode): Style {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const own = text.slice(node.start, node.end);
  const isEmpty = /^[[{]\s*[\]}]$/u.test(own);
  if (!own.includes('\n') && !(isEmpty && text.includes('\n'))) return { unit: '', lineEnd };
  return { unit: /\n([ \t]+)\S/u.exec(text)?.[1] ?? '  ', lineEnd };
}

function printed(value: unknown, { unit, lineEnd }: Style, indent: string): string {
  if (unit === '') return jsonFile(value);
  return jsonFile(value, unit).replaceAll('\n', lineEnd + indent);
}

/** The white space in front of a position, if nothing else stands on the line before it. */
function indentBefore(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/u.test(line) ? line : undefined;
}

function indentOfLine(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}
