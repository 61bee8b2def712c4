import { copyFile, mkdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import { findProgram, runCommand } from './osCommand.js';
import type { World } from '../world.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { sha256 } from '../../hash.js';
import type { PriceOverrides } from '../../models/prices.js';
import { storedKeyFor } from '../../keyBinding.js';
import { presetOf } from '../../models/openai/presets.js';
import type { ModelSpecs } from '../models/chooseModels.js';

/** The program that the face itself runs in; it serves as Node where there is no other. */
export interface HostProgram {
  readonly path: string;
  /** True for an editor's own binary, which is Node only when it is told so. */
  readonly electron: boolean;
  /** True where a Node of the machine's own is the better choice: an editor's is replaced with every update. */
  readonly replaceable: boolean;
}

/** The program that a night is started with, and what its environment must hold for that. */
export interface NightProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

const leastNode = { major: 20, minor: 19 };

/**
 * Node for nights without a window: the one that runs us, unless it is an editor's own, which every update replaces;
 * then a Node of the machine, and the editor's only where there is none.
 */
export async function nightProgram(world: World, host: HostProgram, signal: AbortSignal): Promise<NightProgram> {
  const own = { path: host.path, environment: host.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
  if (!host.replaceable) return own;
  const found = await findProgram('node', world.environment, world.platform);
  if (found === undefined) return own;
  const { code, output } = await runCommand(
    { program: found, arguments: ['--version'], environment: { PATH: world.environment['PATH'] } },
    signal,
  );
  return code === 0 && isNewEnough(output) ? { path: found, environment: {} } : own;
}

/** `v20.19.0` and later. */
export function isNewEnough(version: string): boolean {
  const [, major = 0, minor = 0] = (/^v?(\d+)\.(\d+)/.exec(version.trim()) ?? []).map(Number);
  return major > leastNode.major || (major === leastNode.major && minor >= leastNode.minor);
}

/** The command line and what it loads, in the order copied: the one that is started comes last. */
export const programParts: readonly string[] = [
  'errors.js',
  'translate.js',
  'croner.js',
  'yaml.js',
  'zod.js',
  'core.js',
  'cli.js',
];

/** The sandbox for programs, where it is there: a helper process, and what lies beside it. */
const sandboxParts: readonly string[] = [
  'vendor/seccomp/x64/apply-seccomp',
  'vendor/seccomp/arm64/apply-seccomp',
  'sandbox.js',
];

/**
 * Copies the command line to a place that no update of the extension touches. Each file is whole or not there at all;
 * a night that starts in between fails and says so. True where anything changed.
 */
export async function copyProgram(cli: string, copy: string): Promise<boolean> {
  const [from, to] = [path.dirname(cli), path.dirname(copy)];
  await mkdir(to, { recursive: true, mode: 0o700 });
  let changed = false;
  for (const part of sandboxParts) {
    const there = await unlessMissing(stat(path.join(from, part)));
    if (there === undefined) continue;
    await mkdir(path.join(to, path.dirname(part)), { recursive: true, mode: 0o700 });
    changed = (await copyPart(path.join(from, part), path.join(to, part))) || changed;
  }
  for (const part of programParts) changed = (await copyPart(path.join(from, part), path.join(to, part))) || changed;
  return changed;
}

/** Removes the copy; nothing happens where there is none. */
export async function removeProgram(copy: string): Promise<void> {
  await rm(path.dirname(copy), { recursive: true, force: true });
}

async function copyPart(from: string, to: string): Promise<boolean> {
  const [now, then] = await Promise.all([readFile(from), unlessMissing(readFile(to))]);
  if (then !== undefined && sha256(then) === sha256(now)) return false;
  const fresh = `${to}.new`;
  await unlessMissing(unlink(fresh));
  await copyFile(from, fresh);
  await rename(fresh, to);
  return true;
}

/** What a night needs of the person's environment; a scheduler hands over almost nothing. */
const needed: readonly string[] = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'LOCALAPPDATA',
  'LANG',
  'LC_ALL',
  'XDG_STATE_HOME',
  'WHETSTONE_HOME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'OLLAMA_HOST',
  'WHETSTONE_WORKERS',
];

/** Keys that the person stored in an editor, by scheme and host: the command line cannot ask the editor for them. */
export const keysVariable = 'WHETSTONE_KEYS';

/** The variables of the environment file: what programs need, and the keys of the chosen models alone. */
export function nightEnvironment(
  world: World,
  { models, keys: stored }: { readonly models: ModelSpecs; readonly keys: Readonly<Record<string, string>> },
  program: NightProgram,
): Readonly<Record<string, string>> {
  const { environment, home } = world;
  const names = [...needed, ...Object.values(models).flatMap((spec) => variablesOf(spec ?? ''))];
  const known = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const prices = pricesText(world.prices?.() ?? {});
  const keys = Object.keys(stored).length === 0 ? {} : { [keysVariable]: JSON.stringify(stored) };
  return { HOME: home, ...Object.fromEntries(known), ...prices, ...keys, ...program.environment };
}

/** What the person says that models cost, as the command line reads it. */
function pricesText(prices: PriceOverrides): Readonly<Record<string, string>> {
  const stated = Object.entries(prices).map(([model, { input, output }]) => `${model}=${input}/${output}`);
  return stated.length === 0 ? {} : { WHETSTONE_PRICES: stated.join(',') };
}

function variablesOf(spec: string): readonly string[] {
  if (/^https?:\/\//.test(spec)) return ['WHETSTONE_API_KEY', 'AZURE_OPENAI_API_KEY', ...azureVersions];
  const provider = spec.split('/')[0] ?? '';
  const preset = presetOf(provider);
  if (preset === undefined) return [];
  return [...preset.keyVariables, ...(preset.endpointVariables ?? []), ...(preset.id === 'azure' ? azureVersions : [])];
}

const azureVersions = [
  'AZURE_OPENAI_API_VERSION',
  'OPENAI_API_VERSION',
  'AZURE_OPENAI_AUTH_MODE',
  'AZURE_CLIENT_ID',
  'IDENTITY_ENDPOINT',
  'IDENTITY_HEADER',
];

const StoredKeys = z.record(z.string(), z.string());

/** The stored key for an address, out of the environment file. */
export async function keyFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
): Promise<string | undefined> {
  const text = environment[keysVariable];
  if (text === undefined) return undefined;
  // Not ours, or damaged: the call will say that a key is missing.
  const keys = StoredKeys.safeParse(parseJson(text)).data ?? {};
  return storedKeyFor(baseUrl, (name) => Promise.resolve(keys[name]));
}
