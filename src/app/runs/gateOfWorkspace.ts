import type { RunOptions } from '../../engine/runOptions.js';
import type { Layer } from './workspaceConfig.js';

/** A layer of options that came along with the workspace, and where it stands. */
export interface WorkspaceLayer {
  readonly source: string;
  readonly layer: Layer;
}

/** The layer without what would loosen the gate, and a sentence about each of those. */
export interface HeldLayer {
  readonly layer: Layer;
  readonly notes: readonly string[];
}

/** From the loosest to the strictest. */
const rules: readonly RunOptions['gate']['rule'][] = ['off', 'strict', 'confident'];

/**
 * Files of a workspace may make the gate stricter than the person has it, never looser: a clone would decide for its
 * reader what counts as better. `own` are the options without the workspace's word. What is malformed is left for the
 * reading of the options to refuse.
 */
export function withoutLoosening(
  { source, layer }: WorkspaceLayer,
  own: Pick<RunOptions, 'gate' | 'edits' | 'agent'>,
): HeldLayer {
  const code = withoutCode({ source, layer }, own.edits);
  const work = withoutMoreWork({ source, layer: code.layer }, own.agent);
  const gate = withoutLooserGate({ source, layer: work.layer }, own.gate);
  return { layer: gate.layer, notes: [...code.notes, ...work.notes, ...gate.notes] };
}

/** What an agent's attempt may take is set aside at once: a clone would decide what its reader spends. */
function withoutMoreWork({ source, layer }: WorkspaceLayer, own: RunOptions['agent']): HeldLayer {
  const { agent } = layer;
  if (typeof agent !== 'object' || agent === null) return { layer, notes: [] };
  const said = new Map<string, unknown>(Object.entries(agent));
  const notes: string[] = [];
  for (const [name, most] of Object.entries(own)) {
    const wanted = said.get(name);
    if (typeof wanted !== 'number' || wanted <= most) continue;
    said.delete(name);
    notes.push(
      `${source} would let an agent take more in an attempt (agent.${name}: ${wanted}), which only you can allow; ${most} is kept.`,
    );
  }
  return { layer: { ...layer, agent: Object.fromEntries(said) }, notes };
}

/** Code that agents run changes only where the person allows it: a clone would allow it to itself. */
function withoutCode({ source, layer }: WorkspaceLayer, own: RunOptions['edits']): HeldLayer {
  const { edits } = layer;
  if (typeof edits !== 'object' || edits === null || own.code) return { layer, notes: [] };
  const said = new Map<string, unknown>(Object.entries(edits));
  if (said.get('code') !== true) return { layer, notes: [] };
  said.delete('code');
  const note = `${source} would let edits change the code that agents run (edits.code: true), which only you can allow; false is kept.`;
  return { layer: { ...layer, edits: Object.fromEntries(said) }, notes: [note] };
}

function withoutLooserGate({ source, layer }: WorkspaceLayer, own: RunOptions['gate']): HeldLayer {
  const { gate } = layer;
  if (typeof gate !== 'object' || gate === null) return { layer, notes: [] };
  const said = new Map<string, unknown>(Object.entries(gate));
  const notes: string[] = [];
  const rule = rules.findIndex((name) => name === said.get('rule'));
  if (rule >= 0 && rule < rules.indexOf(own.rule)) {
    notes.push(kept(source, `gate.rule: ${rules[rule]}`, own.rule));
    said.delete('rule');
  }
  if (said.get('noRegression') === false && own.noRegression) {
    notes.push(kept(source, 'gate.noRegression: false', 'true'));
    said.delete('noRegression');
  }
  return { layer: { ...layer, gate: Object.fromEntries(said) }, notes };
}

function kept(source: string, said: string, own: string): string {
  return `${source} would loosen the gate (${said}), which only you can do; ${own} is kept.`;
}
