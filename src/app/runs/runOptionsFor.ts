import type { RunPurpose } from '../../engine/journal/runEvents.js';
import { UserError } from '../../errors.js';
import { refuseBeyondBounds } from '../../engine/optionBounds.js';
import {
  consolidateDefaults,
  correctOption,
  resolveOptions,
  type PresetName,
  type RunOptions,
} from '../../engine/runOptions.js';
import { optionNotes } from '../../wording/preflight/optionNotes.js';
import type { OpenSkill } from '../openSkill.js';
import { holdPreferences, writtenPreferences, type SaidPreferences } from '../preferences.js';
import type { PreferencesToAllow } from '../world.js';
import { handoffDefaults } from '../handoff/rounds.js';
import { withoutLoosening } from './gateOfWorkspace.js';
import { configLayersOf, workspaceConfigOf, type ConfigLayers, type Layer } from './workspaceConfig.js';

/** What decides the options of a run beside the workspace's file, as a face knows it. */
export interface OptionRequest {
  readonly preset: PresetName;
  /** What the person says for this run, weakest first, as nested objects: stronger than everything else. */
  readonly settings: readonly Layer[];
  /** What the person set once for all their windows: a workspace may make its gate stricter. */
  readonly standing?: Layer | undefined;
  /** What the settings of the workspace say, which come along with it as its files do. */
  readonly workspaceSettings?: Layer | undefined;
  readonly purpose?: RunPurpose | undefined;
  /** True where somebody answers by hand: other options are usual then. */
  readonly byHand?: boolean | undefined;
}

/** The options of a run, and what of the workspace's word they leave out. */
export interface ResolvedOptions {
  readonly options: RunOptions;
  /** The caps among them that the person set: a workspace's hold a run too, and are no yes to it. */
  readonly ownCaps: RunOptions['caps'];
  /** What was left out, as sentences. */
  readonly notes: readonly string[];
  /** Preferences of the workspace that the person was not shown yet; the options are without them. */
  readonly unallowed: readonly PreferencesToAllow[];
  /** The options as they would be with them. */
  readonly asWritten: RunOptions;
}

/**
 * The options of a run: default, preset, what the person set, the workspace's file, the skill's part of it, the
 * workspace's settings, and what the person says for this run. A workspace loosens no gate and wishes nothing unseen.
 * `config` stands in for what the file says now about anything but preferences.
 */
export async function runOptionsFor(
  skill: OpenSkill,
  request: OptionRequest,
  config?: Layer,
): Promise<ResolvedOptions> {
  const today = configLayersOf(await workspaceConfigOf(skill), skill);
  const { everywhere, here } = config === undefined ? today : configLayersOf(config, skill);
  const defaults = request.purpose !== undefined && isConsolidation(request.purpose) ? [consolidateDefaults] : [];
  const under = [
    ...(request.byHand === true ? [handoffDefaults] : []),
    ...defaults,
    withoutPreferences(request.standing ?? {}),
  ];
  const over = request.settings.map(withoutPreferences);
  const own = resolveOptions(request.preset, [...under, ...over]);
  const held = [
    { source: configName, layer: withoutPreferences(everywhere) },
    { source: configName, layer: withoutPreferences(here) },
    { source: settingsName, layer: withoutPreferences(request.workspaceSettings ?? {}) },
  ].map((layer) => withoutLoosening(layer, own));
  const options = resolveHeld(request.preset, { under, held, over });
  const written = await writtenPreferences(skill);
  const wishes = { ranked: rankedPreferences(request, today), beside: written.preferences };
  const { text, asWritten, unallowed } = await holdPreferences(skill, wishes);
  const resolved = { ...options, preferences: text };
  refuseBeyondBounds(resolved);
  const said = [...under, ...held.map(({ layer }) => layer), ...over];
  const consolidates = request.purpose !== undefined && isConsolidation(request.purpose);
  const spoken = { slowUpdate: turnsOn(said, 'slowUpdate'), metaSkill: turnsOn(said, 'metaSkill'), consolidates };
  const notes = [
    ...new Set([...held.flatMap((each) => each.notes), ...written.notes, ...optionNotes(options, spoken)]),
  ];
  return { options: resolved, ownCaps: own.caps, notes, unallowed, asWritten: { ...options, preferences: asWritten } };
}

interface OptionLayers {
  readonly under: readonly Layer[];
  readonly held: readonly { readonly layer: Layer }[];
  readonly over: readonly Layer[];
}

/** The person's own options are right by themselves: what is wrong with them together stands in the workspace. */
function resolveHeld(preset: PresetName, { under, held, over }: OptionLayers): RunOptions {
  const upTo = (count: number): RunOptions =>
    resolveOptions(preset, [...under, ...held.slice(0, count).map(({ layer }) => layer), ...over]);
  try {
    upTo(2);
  } catch (error) {
    if (!(error instanceof UserError) || error.cure !== correctOption) throw error;
    throw new UserError(
      error.code,
      error.message,
      'Correct it in .whetstone/config.yaml, or in the file that its _base_ names, and run again.',
      { cause: error },
    );
  }
  return upTo(held.length);
}

/** Whether a run is one gated epoch that may evolve the memory file, rather than epochs on the skill alone. */
export function isConsolidation(purpose: RunPurpose): boolean {
  return purpose === 'night' || purpose === 'consolidate';
}

/** Whether one of the layers says so by name; a preset may have it on too. */
function turnsOn(layers: readonly Layer[], name: string): boolean {
  return layers.some((layer) => {
    const group = layer[name];
    return typeof group === 'object' && group !== null && 'on' in group && group.on === true;
  });
}

const configName = '.whetstone/config.yaml';
const settingsName = 'The settings of this workspace';

/** The strongest first, as with every option. */
function rankedPreferences(request: OptionRequest, { everywhere, here }: ConfigLayers): SaidPreferences['ranked'] {
  const own = request.settings.toReversed().flatMap((layer) => wishOf(layer) ?? []);
  const ofWorkspace = [
    { source: 'the settings of this workspace', text: wishOf(request.workspaceSettings) },
    { source: configName, text: wishOf(here) ?? wishOf(everywhere) },
  ];
  const [inSettings = [], inConfig = []] = ofWorkspace.map(({ source, text }) =>
    text === undefined ? [] : [{ source, text }],
  );
  const standing = wishOf(request.standing) ?? '';
  return [
    ...own.slice(0, 1).map((text) => ({ own: text })),
    ...inSettings,
    ...(standing === '' ? [] : [{ own: standing }]),
    ...inConfig,
  ];
}

function wishOf(layer: Layer | undefined): string | undefined {
  const wish = layer?.['preferences'];
  return typeof wish === 'string' ? wish : undefined;
}

/** What is no text stays, for the reading of the options to refuse it. */
function withoutPreferences(layer: Layer): Layer {
  if (wishOf(layer) === undefined) return layer;
  const { preferences: _said, ...rest } = layer;
  return rest;
}
