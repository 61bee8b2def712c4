import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isLayer, mergeLayers, withLayer, type Layer } from '../../engine/optionLayers.js';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { isInside } from '../../isInside.js';

/** The name under which a file of options says which others it stands on. */
export const baseKey = '_base_';

const mostFiles = 32; // a team has one or two; more is a mistake, or a trap

interface ConfigOf {
  readonly file: string;
  readonly config: Layer;
}

/** Where files of options may lie, and how one is read; undefined where there is none. */
interface BaseSource {
  readonly root: string;
  readonly read: (root: string, file: string) => Promise<Layer | undefined>;
}

/**
 * What a file of options says together with those that it names under `_base_`: a path or a list of them, relative to the
 * file, the later one stronger, and the file itself the strongest. They lie inside the workspace, so that what holds a
 * workspace's word holds theirs. One that names none is given as it stands.
 */
export async function withBases({ file, config }: ConfigOf, source: BaseSource): Promise<Layer> {
  if (!(baseKey in config)) return config;
  const root = (await unlessMissing(realpath(source.root))) ?? source.root;
  const real = (await unlessMissing(realpath(file))) ?? file;
  return joined({ file: real, config }, { ...source, root, above: [real], count: { files: 1 } });
}

interface Reading extends BaseSource {
  /** The files that led here, the outermost first. */
  readonly above: readonly string[];
  readonly count: { files: number };
}

async function joined({ file, config }: ConfigOf, reading: Reading): Promise<Layer> {
  const { [baseKey]: said, ...own } = config;
  let under: Layer = {};
  for (const name of namesOf(said, file)) under = over(under, await baseNamed(name, file, reading));
  return over(under, own);
}

function namesOf(said: unknown, file: string): readonly string[] {
  const names: readonly unknown[] = said === undefined ? [] : Array.isArray(said) ? said : [said];
  const texts = names.filter((name) => typeof name === 'string' && name !== '');
  if (texts.some((name) => String(name).includes('\0')))
    throw wrong(
      `${file}: ${baseKey} names a path with a zero character, which no file has.`,
      'Correct the path, or remove it.',
    );
  if (texts.length === names.length) return texts.map(String);
  throw wrong(`${file}: ${baseKey} takes a path or a list of paths.`, `Write for example ${baseKey}: ../team.yaml.`);
}

async function baseNamed(name: string, from: string, reading: Reading): Promise<Layer> {
  const { root, above, count } = reading;
  if (path.isAbsolute(name) || path.win32.isAbsolute(name))
    throw wrong(`${from}: ${baseKey} names “${name}”, which is not relative.`, 'Give it relative to this file.');
  const wanted = path.resolve(path.dirname(from), name);
  const real = isInside(root, wanted) ? ((await unlessMissing(realpath(wanted))) ?? wanted) : undefined;
  if (real === undefined || !isInside(root, real))
    throw wrong(
      `${from}: ${baseKey} names “${name}”, which lies outside the workspace, so it is not read.`,
      'Copy what you want of it into the workspace.',
    );
  if (above.includes(real))
    throw wrong(`${from}: ${baseKey} names “${name}”, which leads back to itself.`, 'Remove one of the two.');
  count.files += 1;
  if (count.files > mostFiles)
    throw wrong(`${from}: ${baseKey} leads to more than ${mostFiles} files.`, 'Join some of them.');
  const config = await reading.read(root, real);
  if (config === undefined)
    throw wrong(`${from}: ${baseKey} names “${name}”, and there is no such file.`, 'Correct the path, or remove it.');
  return joined({ file: real, config }, { ...reading, above: [...above, real] });
}

/** The stronger file over the weaker one, for all skills and for each by itself. */
function over(weaker: Layer, stronger: Layer): Layer {
  const { skills: weakSkills = {}, ...weak } = weaker;
  const { skills: strongSkills = {}, ...strong } = stronger;
  const skills = skillsOver(weakSkills, strongSkills);
  return { ...withLayer(nested(weak), nested(strong)), ...(Object.keys(skills).length === 0 ? {} : { skills }) };
}

function skillsOver(weaker: unknown, stronger: unknown): Layer {
  const [weak, strong] = [weaker, stronger].map((each) => (isLayer(each) ? each : {}));
  const names = [...new Set([...Object.keys(weak ?? {}), ...Object.keys(strong ?? {})])];
  return Object.fromEntries(names.map((name) => [name, withLayer(partOf(weak?.[name]), partOf(strong?.[name]))]));
}

function partOf(part: unknown): Layer {
  return isLayer(part) ? nested(part) : {};
}

const dotted = /^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)+$/;

/** `choice.measures: …` as people write it who read the name of the option: the same as the nested form. */
export function nested(layer: Layer): Layer {
  return Object.entries(layer).reduce<Layer>((under, [name, value]) => {
    const names = dotted.test(name) ? name.split('.') : [name];
    const [first = name, ...rest] = names;
    const inner = rest.reduceRight<unknown>((within, each) => ({ [each]: within }), value);
    return mergeLayers(under, { [first]: inner });
  }, {});
}

function wrong(what: string, cure: string): UserError {
  return new UserError('options-malformed', what, cure);
}
