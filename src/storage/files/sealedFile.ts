import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { UserError } from '../../errors.js';
import { ordered, sealedJson } from './sealedJson.js';
import { durableWrite, type DurableWriteOptions } from './durableWrite.js';
import { writeInside } from './writeInside.js';
import { unlessMissing } from './fileErrors.js';
import { parseJson } from '../../parseJson.js';
import type { StateKey } from '../state/stateKey.js';

/** One kind of file: its name and version inside the file, and what its body must look like. */
export interface SealedFormat<Body> {
  readonly format: string;
  /** The newest that is read, and the one that is written where nothing else is said. */
  readonly version: number;
  readonly schema: z.ZodType<Body>;
  /** The lowest version that holds all of a body: whoever has an earlier Whetstone reads what they can. */
  versionOf?(body: Body): number;
}

/**
 * What a sealed file turned out to be. Only `verified` was written by this user, here, about this subject;
 * `made-elsewhere` may be shown and never trusted.
 */
export type SealedReading<Body> =
  | { readonly kind: 'verified'; readonly body: Body }
  | { readonly kind: 'made-elsewhere'; readonly body: Body }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'missing' };

/** What a text turned out to be. `newer` is a value here, because a list goes on where a single reader refuses. */
export type SealedTextReading<Body> = Exclude<SealedReading<Body>, { kind: 'missing' }> | { readonly kind: 'newer' };

const mostBytes = 64 * 1024 * 1024; // a clone may bring any file; reading it must not exhaust the host

const envelope = z.looseObject({
  format: z.string(),
  version: z.number().int(),
  mac: z.string().optional(),
});

/**
 * How one file is sealed. `about` names its subject (a skill, a run, a request): a sealed file that is copied to
 * another subject's place does not verify there.
 */
export interface Sealing<Body> {
  readonly key: StateKey;
  readonly format: SealedFormat<Body>;
  readonly about: string;
}

/** The text of a sealed file. Equal input gives equal bytes. */
export function seal<Body extends object>({ key, format, about }: Sealing<Body>, body: Body): string {
  const first = { format: format.format, version: format.versionOf?.(body) ?? format.version };
  const mac = key.mac(sealedText(first, about, body));
  return `${JSON.stringify({ ...first, ...Object(ordered(body)), mac }, undefined, 1)}\n`;
}

/** Takes a text for what it is; never throws on what the text holds. */
export function unseal<Body>(sealing: Sealing<Body>, text: string): SealedTextReading<Body> {
  try {
    return opened(sealing, text);
  } catch (error) {
    // Nested more deeply than the stack, or a figure that JSON cannot say: nothing that we wrote.
    if (error instanceof RangeError || error instanceof TypeError) return { kind: 'broken', reason: error.message };
    throw error;
  }
}

function opened<Body>({ key, format, about }: Sealing<Body>, text: string): SealedTextReading<Body> {
  const content = open(text);
  if (typeof content === 'string') return { kind: 'broken', reason: content };
  const { format: name, version, mac, ...rest } = content;
  if (name !== format.format) return { kind: 'broken', reason: `is “${name}”, not “${format.format}”` };
  if (version > format.version) return { kind: 'newer' };
  const parsed = format.schema.safeParse(rest);
  if (!parsed.success) return { kind: 'broken', reason: z.prettifyError(parsed.error) };
  const genuine = mac !== undefined && key.verifies(sealedText({ format: name, version }, about, rest), mac);
  return { kind: genuine ? 'verified' : 'made-elsewhere', body: parsed.data };
}

/** Reads a sealed file. Throws `store-newer` where a newer Whetstone wrote it. */
export async function readSealed<Body>(sealing: Sealing<Body>, file: string): Promise<SealedReading<Body>> {
  const text = await readBounded(file);
  if (text === undefined) return { kind: 'missing' };
  const reading = unseal(sealing, text);
  if (reading.kind === 'newer') throw newerStore(file);
  return reading;
}

/** Writes a sealed file, whole and durable, for this user's eyes alone. */
export async function writeSealed<Body extends object>(
  sealing: Sealing<Body>,
  file: string,
  body: Body,
  options: DurableWriteOptions = {},
): Promise<void> {
  await durableWrite(file, seal(sealing, body), { mode: 0o600, ...options });
}

/** The same into the workspace, never out of the real path `within`. */
export async function writeSealedInside<Body extends object>(
  within: string,
  sealing: Sealing<Body>,
  file: string,
  body: Body,
): Promise<void> {
  await writeInside(within, file, seal(sealing, body), { mode: 0o600 });
}

/** The same without a seal, for what was found without one: it reads as made elsewhere. */
export async function writeUnsealedInside<Body extends object>(
  within: string,
  { format, version }: SealedFormat<Body>,
  file: string,
  body: Body,
): Promise<void> {
  const text = `${JSON.stringify({ format, version, ...Object(ordered(body)) }, undefined, 1)}\n`;
  await writeInside(within, file, text, { mode: 0o600 });
}

/** The text of a file of sane size, or undefined where there is none. A giant counts as an empty, thus broken, file. */
export async function readBounded(file: string): Promise<string | undefined> {
  const found = await unlessMissing(stat(file));
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > mostBytes) return '';
  return unlessMissing(readFile(file, 'utf8'));
}

/** The refusal of a file whose meaning this version cannot know. */
export function newerStore(file: string): UserError {
  return new UserError(
    'store-newer',
    `${file} was written by a newer Whetstone.`,
    'Update Whetstone, or move the file away.',
  );
}

function sealedText(format: { readonly format: string; readonly version: number }, about: string, body: unknown) {
  return sealedJson([format.format, format.version, about, body]);
}

function open(text: string): z.output<typeof envelope> | string {
  const parsed = envelope.safeParse(parseJson(text));
  return parsed.success ? parsed.data : 'is not JSON with a format and a version';
}
