import { MalformedCheckError } from '../check.js';
import { translateRegex, type TranslatedRegex } from '../regex/translateRegex.js';
import { keywords } from './keywords.js';

/** A JSON schema of which every keyword is known, with its references and expressions resolved. */
export interface CompiledSchema {
  readonly root: SchemaNode;
  /** By the reference that names it. */
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  /** Translated expressions, by their sources. */
  readonly expressions: ReadonlyMap<string, TranslatedRegex>;
}

export type SchemaNode = boolean | Readonly<Record<string, unknown>>;

/**
 * Reads the subset of JSON schema that can be validated here in bounded time. A keyword it does not know is refused:
 * ignoring it would pass answers that its author meant to fail.
 */
export function compileSchema(schema: unknown): CompiledSchema {
  const expressions = new Map<string, TranslatedRegex>();
  const definitions = new Map<string, SchemaNode>();
  const root = readNode(schema, ['schema']);
  for (const holder of ['$defs', 'definitions']) {
    const named = typeof root === 'object' ? root[holder] : undefined;
    for (const [name, node] of entriesOf(named))
      definitions.set(`#/${holder}/${name}`, readNode(node, ['schema', holder, name]));
  }
  definitions.set('#', root);
  inspect(root, { path: ['schema'], definitions, expressions });
  return { root, definitions, expressions };
}

interface Inspection {
  readonly path: readonly (string | number)[];
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  readonly expressions: Map<string, TranslatedRegex>;
}

const deepestSchema = 50;

function inspect(node: SchemaNode, inspection: Inspection): void {
  if (typeof node === 'boolean') return;
  if (inspection.path.length > deepestSchema)
    throw new MalformedCheckError('the schema is nested too deeply.', ['schema']);
  for (const [keyword, value] of Object.entries(node)) {
    const at: Inspection = { ...inspection, path: [...inspection.path, keyword] };
    const known = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (known === undefined) throw new MalformedCheckError(`the keyword “${keyword}” is not supported.`, at.path);
    const parsed = known.argument.safeParse(value);
    if (!parsed.success) {
      throw new MalformedCheckError(`“${keyword}”: ${parsed.error.issues[0]?.message ?? 'not understood'}.`, at.path);
    }
    inspectArgument(known.holds, value, at);
  }
}

function inspectArgument(holds: string, value: unknown, at: Inspection): void {
  const below = (node: unknown, step: string | number): void => {
    const path = [...at.path, step];
    inspect(readNode(node, path), { ...at, path });
  };
  if (holds === 'schema') inspect(readNode(value, at.path), at);
  else if (holds === 'schemas' && Array.isArray(value)) value.forEach(below);
  else if (holds === 'named schemas') for (const [name, node] of entriesOf(value)) below(node, name);
  else if (holds === 'expression') translate(String(value), at);
  else if (holds === 'reference' && !at.definitions.has(String(value))) {
    throw new MalformedCheckError(`“${String(value)}” refers to nothing in this schema.`, at.path);
  }
}

function translate(source: string, { expressions, path }: Inspection): void {
  const translation = translateRegex(source, '');
  if (translation.kind === 'refused') throw new MalformedCheckError(`${translation.reason}.`, path);
  expressions.set(source, translation.regex);
}

function readNode(value: unknown, path: readonly (string | number)[]): SchemaNode {
  if (typeof value === 'boolean') return value;
  if (isObject(value)) return value;
  throw new MalformedCheckError('a schema is an object, true or false.', path);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}
