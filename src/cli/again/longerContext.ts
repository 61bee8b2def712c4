import { exactText } from '../../wording/shownText.js';
import { runWords } from '../commandLine.js';
import type { TypedRun } from './resumeCommand.js';

/** What `models/local/servedModel.ts` says of an Ollama whose context is too short; the tests hold both together. */
const both =
  /^(?<server>Start Ollama .+); or, for a new run, name (?<name>\S+) with \?num_ctx=(?<tokens>\d+), (?<why>which .+?\.) (?<price>.+)$/u;

interface EndedRun {
  readonly skill: string;
  /** With the models that the run asked, also where nobody typed them. */
  readonly options: TypedRun;
  /** How the run that ended goes on. */
  readonly goesOn: string;
}

/**
 * The cure of a prompt that Ollama cut, with the line of each way: once the server has a longer context the run goes on; a
 * model that is asked for one by its name is another model, so a new run begins. Undefined for any other cure.
 */
export function longerContextCure(cure: string, { skill, options, goesOn }: EndedRun): string | undefined {
  const { server, name = '', tokens = '', why, price } = both.exec(cure)?.groups ?? {};
  if (server === undefined) return undefined;
  const { model = process.env['WHETSTONE_MODEL'], target, optimizer, judge } = options;
  const longer = (spec: string | undefined): string | undefined => spec && withContext(spec, name, tokens);
  const models = { model: longer(model), target: longer(target), optimizer: longer(optimizer), judge: longer(judge) };
  const line = `“whetstone optimize ${exactText(skill)}${runWords({ ...options, ...models })}”`;
  const also = options.resume === undefined ? '' : ' with the options that this one was begun with';
  // What the name asks for counts, whatever the server is set to.
  const asked = [model, target, optimizer, judge].some((spec) => asksForContext(spec ?? '', name));
  if (asked) return `Begin a new run${also}: ${line}, ${why} ${price}`;
  return `${server}. ${goesOn} Or begin a new run${also}: ${line}, ${why} ${price}`;
}

/** The spec with that context, where it names this model of Ollama; as it is otherwise. */
function withContext(spec: string, name: string, tokens: string): string {
  const { model, options } = partsOf(spec);
  if (!isNamed(model, name)) return spec;
  options.set('num_ctx', tokens);
  return `${model}?${options.toString()}`;
}

function asksForContext(spec: string, name: string): boolean {
  const { model, options } = partsOf(spec);
  return isNamed(model, name) && options.has('num_ctx');
}

/** The model with its server, and its options: an address may hold a question mark of its own before the `#`. */
function partsOf(spec: string): { readonly model: string; readonly options: URLSearchParams } {
  const at = spec.indexOf('?', Math.max(0, spec.indexOf('#')));
  const end = at < 0 ? spec.length : at;
  return { model: spec.slice(0, end), options: new URLSearchParams(spec.slice(end)) };
}

function isNamed(model: string, name: string): boolean {
  return model === `ollama/${name}` || (/^https?:/.test(model) && model.endsWith(`#${name}`));
}
