import { parseJson } from '../../parseJson.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { Verdict } from '../gate/verdict/verdict.js';
import type { Ground } from './explainHunks.js';
import type { LostEdit } from './rebase.js';
import type { MeasuredText } from './measurementStatus.js';

/** What a review has to remember beside the text of the proposal, so that a reload or another window goes on with it. */
export interface ReviewRecord {
  readonly skillPath: string;
  /** The file that is reviewed: the skill itself, or the memory file that goes with it. */
  readonly file: string;
  readonly proposalId: string;
  readonly documentPath: string;
  readonly ground: Ground;
  /** The file as the proposal last followed it. */
  readonly real: string;
  /** True where the proposal was put onto another text than it was made from. */
  readonly rebased: boolean;
  readonly lost: readonly LostEdit[];
  /** Hashes of the file before and after each accept: going back from one to the other is an undo, not a change. */
  readonly accepts: readonly (readonly [string, string])[];
  readonly measured: MeasuredText | undefined;
}

const format = 'whetstone-review';
const version = 1;
const mostAccepts = 200;

export function printRecord(record: ReviewRecord): string {
  return JSON.stringify({ format, version, ...record, accepts: record.accepts.slice(-mostAccepts) });
}

/** The record, or undefined where the file holds anything else: a review that cannot be read is begun anew. */
export function readRecord(text: string): ReviewRecord | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['format'] !== format || value['version'] !== version) return undefined;
  const { format: _format, version: _version, ...record } = value;
  return isRecord(record) ? record : undefined;
}

const shape: Readonly<Record<keyof ReviewRecord, (value: unknown) => boolean>> = {
  skillPath: isText,
  file: isText,
  proposalId: isText,
  documentPath: isText,
  ground: isGround,
  real: isText,
  rebased: (value) => typeof value === 'boolean',
  lost: (value) => isListOf(value, isLost),
  accepts: (value) => isListOf(value, isPair),
  measured: (value) => value === undefined || isMeasured(value),
};

function isRecord(value: object): value is ReviewRecord {
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(shape).every(([name, holds]) => holds(fields.get(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOf(value: unknown, holds: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function isGround(value: unknown): boolean {
  return isObject(value) && isText(value['base']) && isText(value['proposed']);
}

function isLost(value: unknown): boolean {
  return isObject(value) && isText(value['id']) && isText(value['reason']);
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}

const verdictKinds: readonly Verdict['kind'][] = ['accepted', 'rejected', 'inconclusive', 'unmeasured'];

function isMeasured(value: unknown): boolean {
  if (!isObject(value) || !isText(value['hash']) || !isObject(value['verdict'])) return false;
  const { kind, reason, figures } = value['verdict'];
  const isKnown = verdictKinds.some((known) => known === kind) && isText(reason);
  return isKnown && (kind !== 'accepted' || isObject(figures));
}
