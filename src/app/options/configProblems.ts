import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';
import { nearestName } from '../../tasks/nearestName.js';
import { mergeLayers, type Layer } from '../../engine/optionLayers.js';
import { resolveOptions, wrongOption } from '../../engine/runOptions.js';
import { messageOf } from '../../errors.js';
import { isSafeYaml } from '../../skill/document/safeYaml.js';
import { baseKey, nested } from './configBases.js';

/** Something that is wrong in `.whetstone/config.yaml`, and where. */
export interface ConfigProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** False where a run would begin all the same. */
  readonly stopsRuns: boolean;
}

const longestLookedAt = 256 * 1024; // as long as the file may be

/** What is wrong in the text of a config file, each where it stands; `skills` are the paths of the workspace's skills. */
export function configProblems(text: string, skills: readonly string[]): readonly ConfigProblem[] {
  if (!isSafeYaml(text, longestLookedAt)) return [at([0, 0], 'The file is too long, or nested too deeply.')];
  const document = parseDocument(text);
  if (document.errors.length > 0)
    return document.errors.map(({ pos, message }) => at(pos, message.split(/:?\n/)[0] ?? message));
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) return [at(contents.range ?? [0, 0], 'The file is not a list of options.')];
  return problemsIn(contents, skills);
}

function problemsIn(contents: YAMLMap, skills: readonly string[]): readonly ConfigProblem[] {
  const everywhere = contents.items.filter((pair) => nameOf(pair) !== 'skills' && nameOf(pair) !== baseKey);
  const isBased = contents.items.some((pair) => nameOf(pair) === baseKey);
  const parts = contents.items.find((pair) => nameOf(pair) === 'skills')?.value;
  return [
    ...optionProblems(everywhere, isBased ? undefined : {}),
    ...(isMap(parts) ? skillProblems(parts, isBased ? undefined : layerOf(everywhere), skills) : []),
  ];
}

function skillProblems(parts: YAMLMap, under: Layer | undefined, skills: readonly string[]): readonly ConfigProblem[] {
  return parts.items.flatMap((pair) => {
    const unknown = unknownSkill(pair, skills);
    const own = isMap(pair.value) ? optionProblems(pair.value.items, under) : [];
    return [...(unknown === undefined ? [] : [unknown]), ...own];
  });
}

function unknownSkill(pair: Pair, skills: readonly string[]): ConfigProblem | undefined {
  const name = nameOf(pair);
  const known = skills.flatMap((skill) => [skill, `${skill}/SKILL.md`]);
  if (skills.length === 0 || known.includes(name)) return undefined;
  const near = nearestName(name, skills);
  const hint = near === undefined ? '' : ` Did you mean “${near}”?`;
  return { ...at(rangeOf(pair.key), `There is no skill “${name}” in this workspace.${hint}`), stopsRuns: false };
}

/**
 * First what is wrong with each option by itself; where nothing is, what they say together, over what is known to stand
 * below them: undefined where other files do.
 */
function optionProblems(pairs: readonly Pair[], under: Layer | undefined): readonly ConfigProblem[] {
  const leaves = pairs.flatMap(leavesOf);
  const single = leaves.flatMap(({ layer, range }) => {
    const message = wrongOption(layer);
    return message === undefined ? [] : [at(range, message)];
  });
  if (single.length > 0 || under === undefined) return single;
  try {
    resolveOptions('standard', [under, layerOf(pairs)]);
    return [];
  } catch (error) {
    const message = messageOf(error);
    const place = leaves.find(({ name }) => message.includes(`“${name}”`)) ?? leaves[0];
    return [at(place?.range ?? [0, 0], message)];
  }
}

interface Leaf {
  readonly name: string;
  readonly layer: Layer;
  readonly range: Range;
}

type Range = readonly [start: number, end: number, ...rest: readonly number[]];

/** Each option of a part by itself; a part with nothing below it counts as one. */
function leavesOf(pair: Pair): readonly Leaf[] {
  const part = nameOf(pair);
  if (!isMap(pair.value)) return [{ name: part, layer: layerOf([pair]), range: rangeOf(pair.key) }];
  return pair.value.items.map((inner) => ({
    name: `${part}.${nameOf(inner)}`,
    layer: nested({ [part]: layerOf([inner]) }),
    range: rangeOf(inner.key),
  }));
}

function layerOf(pairs: readonly Pair[]): Layer {
  return pairs.reduce<Layer>((under, pair) => mergeLayers(under, nested({ [nameOf(pair)]: plain(pair.value) })), {});
}

function plain(value: unknown): unknown {
  if (isMap(value)) return layerOf(value.items);
  const json: unknown =
    value instanceof Object && 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
  return json;
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function rangeOf(node: unknown): Range {
  return isScalar(node) && node.range ? node.range : [0, 0];
}

function at([start, end]: Range, message: string): ConfigProblem {
  return { start, end, message, stopsRuns: true };
}
