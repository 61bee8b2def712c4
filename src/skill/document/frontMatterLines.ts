import { eachLine, type Line } from './lines.js';
import type { Span } from './span.js';

/** One field of the front matter. `value` is undefined where it is a list or a map. */
export interface FrontMatterField {
  readonly key: string;
  readonly value: string | undefined;
  readonly keySpan: Span;
  readonly valueSpan: Span;
}

/**
 * The fields of front matter that is not valid YAML, line by line: `key: value`, with the indented lines below it. The
 * common mistake is a colon in a description that is not quoted, and then this reads what was meant.
 */
export function readFieldsByLine(yaml: string): readonly FrontMatterField[] {
  const fields: FrontMatterField[] = [];
  for (const line of eachLine(yaml)) {
    const content = yaml.slice(line.start, line.end);
    const match = /^([A-Za-z_][\w.-]*)[ \t]*:(?=[ \t]|$)/.exec(content);
    if (match !== null) fields.push(openField(line, match[1] ?? '', match[0].length, content));
    else if (/^[ \t]/.test(content)) continueField(fields, line, content);
  }
  return fields;
}

function openField(line: Line, key: string, after: number, content: string): FrontMatterField {
  const raw = content.slice(after);
  const start = line.start + after + (raw.length - raw.trimStart().length);
  const value = unquoted(raw.trim());
  return {
    key,
    value: /^[>|][+-]?$/.test(value) ? '' : value,
    keySpan: { start: line.start, end: line.start + key.length },
    valueSpan: { start, end: Math.max(start, line.start + content.trimEnd().length) },
  };
}

function continueField(fields: FrontMatterField[], line: Line, content: string): void {
  const last = fields.pop();
  if (last === undefined) return;
  const value = `${last.value ?? ''} ${content.trim()}`.trim();
  const end = content.trim() === '' ? last.valueSpan.end : line.start + content.trimEnd().length;
  fields.push({ ...last, value, valueSpan: { ...last.valueSpan, end } });
}

function unquoted(value: string): string {
  const quote = value.charAt(0);
  const isQuoted = (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
