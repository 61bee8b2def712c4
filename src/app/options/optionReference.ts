import * as z from 'zod';
import { optionBounds } from '../../engine/optionBounds.js';
import { isLayer, type Layer } from '../../engine/optionLayers.js';
import { presetNames, resolveOptions, RunOptions } from '../../engine/runOptions.js';
import { upstreamNames } from '../../engine/wrongValue.js';

/** One option of a run, as its schema has it. */
export interface OptionEntry {
  /** Its whole name, such as `train.epochs`. */
  readonly name: string;
  readonly about: string;
  /** What it takes, in words. */
  readonly takes: string;
  /** What can be written, where that can be listed. */
  readonly values: readonly string[];
  /** What counts where nobody says anything, as it is written; undefined where there is nothing to write. */
  readonly usual: string | undefined;
  /** Where a preset says otherwise: its name and its value. */
  readonly presets: readonly (readonly [preset: string, value: string])[];
  /** How SkillOpt and skillrl name it. */
  readonly upstream: readonly string[];
  readonly schema: Layer;
}

/** Every option of a run, in the order of the schema that the options are read by. */
export function optionReference(): readonly OptionEntry[] {
  const schema: Layer = z.toJSONSchema(RunOptions, { io: 'input', target: 'draft-7' });
  return Object.entries(propertiesOf(schema)).flatMap(([part, below]) => {
    const names = Object.entries(propertiesOf(below));
    return names.length === 0 ? [entryOf(part, below)] : names.map(([name, leaf]) => entryOf(`${part}.${name}`, leaf));
  });
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isLayer(schema) ? schema['properties'] : undefined;
  return isLayer(properties) ? properties : {};
}

function entryOf(name: string, found: unknown): OptionEntry {
  const { description, ...said } = isLayer(found) ? found : {};
  const schema = withBound(name, said);
  const usual = valueAt(RunOptions.parse({}), name);
  return {
    name,
    about: typeof description === 'string' ? description : '',
    takes: takesOf(schema),
    values: valuesOf(schema),
    usual: usual === undefined ? undefined : written(usual),
    presets: presetNames.flatMap((preset) => {
      const value = valueAt(resolveOptions(preset, []), name);
      return written(value) === written(usual) ? [] : [[preset, written(value)] as const];
    }),
    upstream: Object.entries(upstreamNames).flatMap(([theirs, ours]) => (ours === name ? [theirs] : [])),
    schema: { ...schema, ...(typeof description === 'string' ? { description } : {}) },
  };
}

/** The schema is without upper bounds, because runs that are stored are read by it; what is written today is held to them. */
function withBound(name: string, schema: Layer): Layer {
  const most = optionBounds[name];
  if (most === undefined) return schema;
  const { anyOf } = schema;
  if (Array.isArray(anyOf))
    return { ...schema, anyOf: anyOf.map((each) => withBound(name, isLayer(each) ? each : {})) };
  return schema['type'] === 'integer' || schema['type'] === 'number' ? { ...schema, maximum: most } : schema;
}

function takesOf(schema: Layer): string {
  const { type, anyOf, items } = schema;
  if (Array.isArray(anyOf)) return anyOf.map((each) => takesOf(isLayer(each) ? each : {})).join(', or ');
  if (type === 'array') return `a list of ${takesOf(isLayer(items) ? items : {})}`;
  const values = valuesOf(schema);
  if (values.length > 0) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'integer') return `a whole number ${rangeOf(schema)}`.trim();
  if (type === 'number') return `a number ${rangeOf(schema)}`.trim();
  return 'text';
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Layer): string {
  const from = typeof exclusiveMinimum === 'number' ? `above ${exclusiveMinimum}` : '';
  const least =
    typeof minimum === 'number' && Number.isSafeInteger(minimum + 1) && minimum > -1e15 ? `from ${minimum}` : from;
  const most = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? `to ${grouped(maximum)}` : '';
  return [least, most].filter((part) => part !== '').join(' ');
}

function grouped(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: value >= 10_000 });
}

function valuesOf({ type, enum: values, const: only }: Layer): readonly string[] {
  if (Array.isArray(values)) return values.map(String);
  if (typeof only === 'string') return [only];
  return type === 'boolean' ? ['true', 'false'] : [];
}

function valueAt(options: Layer, name: string): unknown {
  return name.split('.').reduce<unknown>((level, part) => (isLayer(level) ? level[part] : undefined), options);
}

/** As it stands in a file. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return value === '' ? "''" : String(value);
}
