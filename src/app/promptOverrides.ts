import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { nearestName } from '../tasks/nearestName.js';
import { UserError } from '../errors.js';
import { allPrompts, promptNamed } from '../prompts/allPrompts.js';
import { environmentPrefix, validatePrompt, type PromptOverrides } from '../prompts/renderPrompt.js';
import { fromUpstream, upstreamKeys, upstreamPromptNamed } from '../prompts/upstreamPrompts.js';
import { allow, isAllowed, type ConsentRequest } from '../storage/state/consents.js';
import { unlessMissing } from '../storage/files/fileErrors.js';
import { writeInside } from '../storage/files/writeInside.js';
import { openSkill, type OpenSkill, type SkillRequest } from './openSkill.js';
import { readSkillTasks } from './tasks/skillTasks.js';
import { readTextInside } from './readText.js';
import type { PromptToAllow, World } from './world.js';

/** A prompt that people may change. */
interface PromptListing {
  readonly name: string;
  readonly about: string;
  /** True where the workspace has its own version. */
  readonly own: boolean;
}

/** For whom a version of a prompt counts: all skills of the workspace, the skill alone, or the tasks of an environment. */
export type PromptScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'skill' }
  | { readonly kind: 'environment'; readonly environment: string };

/** What a person does with the words that are said to models. */
export interface PromptUseCases {
  prompts(request: SkillRequest, signal: AbortSignal): Promise<readonly PromptListing[]>;
  /** For whom a prompt can have a version of its own, and where it has one. */
  promptScopes(
    request: SkillRequest & { readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly { readonly scope: PromptScope; readonly own: boolean }[]>;
  /** The file of the workspace's own version of a prompt, made as a copy of ours where there is none; usually for all. */
  promptFile(
    request: SkillRequest & { readonly name: string; readonly scope?: PromptScope },
    signal: AbortSignal,
  ): Promise<string>;
}

/** Wired to the workspace of the skill that a request names. */
export function createPromptUseCases(world: World): PromptUseCases {
  return {
    prompts: async (request) => listPrompts(await openSkill(world, request, 'look')),
    promptScopes: async (request) => scopesOf(await openSkill(world, request, 'look'), request.name),
    promptFile: async (request) =>
      promptFile(await openSkill(world, request, 'work'), request.name, request.scope ?? { kind: 'all' }),
  };
}

/**
 * The versions that win over ours, read afresh for every run: one run speaks with one voice. Throws for one that the
 * person was not shown yet, because a clone brings its prompts along, and they are said to a model in their name.
 */
export async function promptOverridesOf(skill: OpenSkill): Promise<PromptOverrides> {
  const own = await ownPrompts(skill);
  for (const prompt of own) if (!(await isAllowed(skill.store, consentTo(prompt)))) throw notAllowed(prompt);
  return new Map(own.map(({ name, path: shown, text }) => [name, { path: shown, text: asTemplate(shown, text) }]));
}

/** Shows the person each version that is new to them; a yes is remembered for exactly that text. */
export async function showNewPrompts(world: World, skill: OpenSkill, signal: AbortSignal): Promise<void> {
  for (const prompt of await ownPrompts(skill)) {
    if (await isAllowed(skill.store, consentTo(prompt))) continue;
    if ((await world.allowsPrompt?.(prompt, signal)) !== true) throw notAllowed(prompt);
    await allow(skill.store, consentTo(prompt), signal);
  }
}

/**
 * Every version that differs from ours, whole and with the placeholders that it needs; throws with file and line, and for
 * one that a link leads out of the workspace: it would be sent to a model. Those for
 * one skill win over those for an environment, and these over those for all.
 */
export async function ownPrompts({ places }: OpenSkill): Promise<readonly PromptToAllow[]> {
  const folder = path.join(places.sharedState, 'prompts');
  const within = places.root ?? places.sharedState;
  const promptsIn = async (below: string): Promise<readonly PromptToAllow[]> => promptsOf(folder, below, within);
  const everywhere = await promptsIn('');
  const names = (await unlessMissing(readdir(path.join(folder, 'environments')))) ?? [];
  const inEnvironments = await Promise.all(names.toSorted().map((name) => promptsIn(environmentPrefix(name))));
  const here = skillFolder(places);
  const ofSkill = here === undefined ? [] : await promptsIn(`skills/${here}/`);
  const forSkill = ofSkill.map((prompt) => ({ ...prompt, name: prompt.name.slice(`skills/${here}/`.length) }));
  const won = new Set(forSkill.map(({ name }) => name));
  const others = [...everywhere, ...inEnvironments.flat()];
  return [...others.filter(({ name }) => !won.has(path.posix.basename(name))), ...forSkill];
}

/** Where a skill's own prompts lie below `skills/`; undefined for one that lies in no folder of a workspace. */
function skillFolder({ root, documentPath }: OpenSkill['places']): string | undefined {
  const folder = path.posix.dirname(documentPath);
  return root === undefined || folder === '.' ? undefined : folder;
}

/** The versions in one folder below the prompts, each named with the folder before it. */
async function promptsOf(prompts: string, below: string, within: string): Promise<readonly PromptToAllow[]> {
  const folder = path.join(prompts, below);
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  const names = entries.flatMap((entry) => (entry.isDirectory() || !entry.name.endsWith('.md') ? [] : [entry.name]));
  const found = await Promise.all(names.toSorted().map((name) => ownPrompt(path.join(folder, name), below, within)));
  const own = found.filter((prompt) => prompt !== undefined);
  const twice = own.find(({ name }, index) => own.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined)
    throw new UserError(
      'prompt-malformed',
      `${twice.path}: another file in the same folder takes the place of the same prompt.`,
      'Keep one of the two.',
    );
  return own;
}

/** Every prompt there is, and whether the workspace has its own version of it. */
async function listPrompts({ places }: OpenSkill): Promise<readonly PromptListing[]> {
  const files = (await unlessMissing(readdir(path.join(places.sharedState, 'prompts')))) ?? [];
  return allPrompts.map(({ template: { name }, about }) => ({ name, about, own: files.includes(`${name}.md`) }));
}

/** All skills, this one where it lies in a folder, and each environment that its tasks are attempted in. */
async function scopesOf(
  skill: OpenSkill,
  name: string,
): Promise<readonly { readonly scope: PromptScope; readonly own: boolean }[]> {
  const tasks = await readSkillTasks(skill);
  const declared = [...(tasks?.read.environments.keys() ?? [])]; // their tasks may be brought at the start of a run
  const environments = [...new Set([...declared, ...(tasks?.read.tasks ?? []).map(({ environment }) => environment)])];
  const scopes: readonly PromptScope[] = [
    { kind: 'all' },
    ...(skillFolder(skill.places) === undefined ? [] : [{ kind: 'skill' } as const]),
    ...environments
      .filter((environment) => canBeFolder.test(environment))
      .toSorted()
      .map((environment) => ({ kind: 'environment', environment }) as const),
  ];
  return Promise.all(
    scopes.map(async (scope) => {
      const found = await unlessMissing(stat(fileFor(skill.places, name, scope)));
      return { scope, own: found !== undefined };
    }),
  );
}

const canBeFolder = /^[\w-][\w .-]*$/u;

function fileFor(places: OpenSkill['places'], name: string, scope: PromptScope): string {
  return path.join(places.sharedState, 'prompts', belowFor(places, scope), `${name}.md`);
}

function belowFor(places: OpenSkill['places'], scope: PromptScope): string {
  switch (scope.kind) {
    case 'all':
      return '';
    case 'skill':
      return `skills/${skillFolder(places) ?? ''}`;
    case 'environment':
      return environmentPrefix(scope.environment);
  }
}

/** The file of the workspace's own version of a prompt; a copy of ours where there is none yet. */
async function promptFile({ places }: OpenSkill, name: string, scope: PromptScope): Promise<string> {
  const shipped = promptNamed(name);
  if (shipped === undefined) throw unknownPrompt(name, name);
  const file = fileFor(places, name, scope);
  if ((await unlessMissing(stat(file))) === undefined) {
    await writeInside(places.sharedState, file, shipped.template.text, { mode: 0o644 });
  }
  return file;
}

async function ownPrompt(file: string, below: string, within: string): Promise<PromptToAllow | undefined> {
  const fileName = path.basename(file);
  const base = fileName.slice(0, -'.md'.length);
  const shown = `.whetstone/prompts/${below}${fileName}`;
  const upstream = upstreamPromptNamed(base);
  const shipped = upstream?.template ?? promptNamed(base)?.template;
  if (shipped === undefined) throw unknownPrompt(shown, base);
  const text = await readTextInside(await realpath(within), file, 'prompt-malformed');
  if (text === undefined || text === shipped.text) return undefined;
  validatePrompt({ path: shown, text: asTemplate(shown, text) }, shipped.placeholders);
  return { name: `${below}${upstream?.countsAs ?? base}`, path: shown, file, text, shipped: shipped.text };
}

/** A file under one of SkillOpt's names says what to do; the data is put behind it. */
function asTemplate(shown: string, text: string): string {
  const upstream = upstreamPromptNamed(path.posix.basename(shown, '.md'));
  return upstream === undefined ? text : fromUpstream(text, upstream.template);
}

function consentTo({ name, text }: PromptToAllow): ConsentRequest {
  return { what: `prompt ${name}`, content: text };
}

function unknownPrompt(shown: string, name: string): UserError {
  const names = [...allPrompts.map(({ template }) => template.name), ...upstreamKeys];
  const near = nearestName(name, names);
  return new UserError(
    'prompt-malformed',
    `${shown}: there is no prompt named “${name}”.${near === undefined ? '' : ` Did you mean “${near}”?`}`,
    `The prompts are: ${names.join(', ')}.`,
  );
}

function notAllowed({ path: shown }: PromptToAllow): UserError {
  return new UserError(
    'prompt-not-allowed',
    `${shown} takes the place of a prompt of Whetstone, and you have not allowed that text yet.`,
    'Look at it, then allow it (on the command line with --allow-prompts), or delete it.',
  );
}
