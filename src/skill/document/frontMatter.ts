import { isMap, isScalar, parseDocument, type Pair } from 'yaml';
import type { Span } from './span.js';
import { eachLine, isBlank } from './lines.js';
import { readFieldsByLine, type FrontMatterField } from './frontMatterLines.js';
import { isSafeYaml } from './safeYaml.js';

export interface FrontMatterProblem {
  readonly message: string;
  readonly span: Span;
}

/** The block between two `---` at the very start. Spans point into the whole text. */
export interface FrontMatter {
  /** From the opening `---` to the end of the closing one, without its line break. */
  readonly span: Span;
  /** Where the body begins: after the closing line. */
  readonly next: number;
  readonly yaml: Span;
  readonly closed: boolean;
  readonly fields: readonly FrontMatterField[];
  /** Undefined where it is missing, blank or not a plain value; so is `description`. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** What is wrong with it as YAML. The fields are read as well as can be all the same. */
  readonly problems: readonly FrontMatterProblem[];
}

/**
 * The front matter, or undefined where there is none. Never throws: an unclosed block whose second line reads like a field
 * counts, up to its first blank line or heading, so that it is protected and can be reported.
 */
export function readFrontMatter(text: string, from: number): FrontMatter | undefined {
  const found = findBlock(text, from);
  if (found === undefined) return undefined;
  const yaml = text.slice(found.yaml.start, found.yaml.end);
  const { fields, problems } = readYaml(yaml);
  const unclosed = found.closed ? [] : [{ message: 'The front matter has no closing “---” line.', span: found.span }];
  return {
    ...found,
    name: valueOf(fields, 'name'),
    description: valueOf(fields, 'description'),
    fields: fields.map((field) => ({
      ...field,
      keySpan: moved(field.keySpan, found.yaml.start),
      valueSpan: moved(field.valueSpan, found.yaml.start),
    })),
    problems: [...unclosed, ...problems.map(({ message, span }) => ({ message, span: moved(span, found.yaml.start) }))],
  };
}

/** The value of a field; undefined where it is missing, blank, or not a plain value. */
function valueOf(fields: readonly FrontMatterField[], key: string): string | undefined {
  const value = fields.find((field) => field.key === key)?.value;
  return value === undefined || isBlank(value) ? undefined : value;
}

type Block = Pick<FrontMatter, 'span' | 'next' | 'yaml' | 'closed'>;

function findBlock(text: string, from: number): Block | undefined {
  let opener = false;
  let yamlStart = from;
  for (const line of eachLine(text, from)) {
    const isFence = /^---[ \t]*$/.test(text.slice(line.start, Math.min(line.end, line.start + 200)));
    if (!opener) {
      if (!isFence) return undefined;
      opener = true;
      yamlStart = line.next;
    } else if (isFence) {
      const span = { start: from, end: line.end };
      return { span, next: line.next, yaml: { start: yamlStart, end: line.start }, closed: true };
    }
  }
  return opener ? findUnclosed(text, from, yamlStart) : undefined;
}

function findUnclosed(text: string, from: number, yamlStart: number): Block | undefined {
  let end = yamlStart;
  let next = yamlStart;
  for (const line of eachLine(text, yamlStart)) {
    const content = text.slice(line.start, line.end);
    if (line.start === yamlStart && !/^[A-Za-z_][\w.-]*[ \t]*:/.test(content)) return undefined;
    if (isBlank(content) || content.startsWith('#')) break;
    ({ end, next } = line);
  }
  if (end === yamlStart) return undefined;
  return { span: { start: from, end }, next, yaml: { start: yamlStart, end: next }, closed: false };
}

type Read = Pick<FrontMatter, 'fields' | 'problems'>;

function readYaml(yaml: string): Read {
  if (!isSafeYaml(yaml, longestYaml)) {
    const problem = {
      message: 'The front matter is too long or too deeply nested.',
      span: { start: 0, end: yaml.length },
    };
    return { fields: readFieldsByLine(yaml), problems: [problem] };
  }
  try {
    return readTameYaml(yaml);
  } catch (error) {
    const message = `The front matter is not YAML: ${error instanceof Error ? error.message : String(error)}`;
    return { fields: readFieldsByLine(yaml), problems: [{ message, span: { start: 0, end: yaml.length } }] };
  }
}

function readTameYaml(yaml: string): Read {
  const parsed = parseDocument(yaml, { prettyErrors: false, uniqueKeys: false });
  const problems = parsed.errors.map(({ message, pos }) => ({
    message: `The front matter is not valid YAML: ${message}.`,
    span: { start: pos[0], end: Math.min(yaml.length, pos[1]) },
  }));
  if (problems.length > 0) return { fields: readFieldsByLine(yaml), problems };
  if (parsed.contents === null) return { fields: [], problems: [] };
  if (!isMap(parsed.contents)) {
    const message = 'The front matter is not a list of fields like “name: value”.';
    return { fields: [], problems: [{ message, span: { start: 0, end: yaml.length } }] };
  }
  const fields = parsed.contents.items.flatMap((pair) => readField(pair as Pair) ?? []);
  return { fields, problems: findDuplicates(fields) };
}

function readField({ key, value }: Pair): FrontMatterField | undefined {
  if (!isScalar(key) || !key.range) return undefined;
  const keySpan = { start: key.range[0], end: key.range[1] };
  const range = rangeOf(value);
  return {
    key: String(key.value),
    value: isScalar(value) ? scalarText(value.value, value.source) : undefined,
    keySpan,
    valueSpan: range === undefined ? { start: keySpan.end, end: keySpan.end } : range,
  };
}

function rangeOf(node: unknown): Span | undefined {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  if (!Array.isArray(range)) return undefined;
  const [start, end]: readonly unknown[] = range;
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined;
}

/** Text as written where it is a number or a date: `version: 1.10` is not 1.1. */
function scalarText(value: unknown, source: string | undefined): string {
  if (typeof value === 'string') return value.trim();
  return value === null || value === undefined ? '' : (source ?? JSON.stringify(value));
}

function findDuplicates(fields: readonly FrontMatterField[]): readonly FrontMatterProblem[] {
  return fields
    .filter((field, index) => fields.findIndex(({ key }) => key === field.key) < index)
    .map(({ key, keySpan }) => ({ message: `The front matter has more than one field “${key}”.`, span: keySpan }));
}

const longestYaml = 16_384; // sixteen times the longest description

function moved(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}
