import { parseJson } from '../../parseJson.js';
import type { Standing } from './standing.js';
import type { Standing } from './measurementStatus.js';

/** What is known of a skill whose text is only part of what was measured. */
export interface KeptStanding {
  readonly skillPath: string;
  /** The text without what was taken: what it would be measured against. */
  readonly before: string;
  readonly afterHash: string;
  readonly standing: Extract<Standing, { readonly kind: 'unmeasured' | 'measured' }>;
}

const format = 'whetstone-standing';
const version = 1;

export function printStanding(kept: KeptStanding): string {
  return JSON.stringify({ format, version, ...kept });
}

/** Undefined where the file holds anything else. */
export function readStanding(text: string | undefined): KeptStanding | undefined {
  const value = text === undefined || text === '' ? undefined : parseJson(text);
  if (typeof value !== 'object' || value === null || !('format' in value) || !('version' in value)) return undefined;
  if (value.format !== format || value.version !== version) return undefined;
  const { format: _format, version: _version, ...kept } = value;
  return isKept(kept) ? kept : undefined;
}

function isKept(value: object): value is KeptStanding {
  const fields = new Map<string, unknown>(Object.entries(value));
  const texts = ['skillPath', 'before', 'afterHash'].every((name) => typeof fields.get(name) === 'string');
  const standing = fields.get('standing');
  return texts && typeof standing === 'object' && standing !== null && isStanding(new Map(Object.entries(standing)));
}

function isStanding(fields: ReadonlyMap<string, unknown>): boolean {
  if (fields.get('kind') === 'measured') return typeof fields.get('verdict') === 'object';
  const cause = fields.get('cause');
  const isCounted = typeof fields.get('taken') === 'number' && typeof fields.get('of') === 'number';
  return (
    fields.get('kind') === 'unmeasured' && isCounted && (cause === 'partly-accepted' || cause === 'edited-by-hand')
  );
}
