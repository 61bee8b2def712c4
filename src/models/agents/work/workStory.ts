import type { WorkEvent } from '../../../ports/agentWork.js';
import { mostTokensOfACall } from '../agentEvents.js';
import { shellCommands } from '../../../shellCommands.js';
import type { AgentAtWork, ProgramEvent, ToldCall } from './agentAtWork.js';

const longestText = 20_000; // letters of one event
const mostEvents = 5_000;

type ToldOf<Kind extends ProgramEvent['kind']> = Extract<ProgramEvent, { readonly kind: Kind }>;
type How = Extract<WorkEvent, { readonly kind: 'skill' }>['how'];

interface InstalledSkill {
  readonly name: string;
  readonly isBrought: boolean;
}

/** What an agent did so far, in the form that all programs share: calls with their results, and where a skill was used. */
export class WorkStory {
  readonly #events: WorkEvent[] = [];
  readonly #open = new Map<string, ToldCall & { readonly at: number }>();
  readonly #turns = new Set<string>();
  readonly #usage = new Map<string, { readonly at: number; input: number; output: number }>();
  readonly #skills = new Set<string>();
  readonly #tells: Pick<AgentAtWork, 'tellsTurns'>;
  readonly #installed: string | undefined;
  #isDoubtful = false;
  #guessedTurns = 0;
  #isModelNext = true;
  #hasAnswered = false;

  /** `skill` is the one that is installed; `isBrought`: by the prompt itself. */
  constructor(tells: Pick<AgentAtWork, 'tellsTurns'>, prompt: string, skill?: InstalledSkill) {
    this.#tells = tells;
    this.#installed = skill?.name;
    this.#add({ kind: 'user', text: cut(prompt) });
    if (skill?.isBrought === true) this.#useSkill(skill.name, 'prompt');
  }

  take(told: ProgramEvent): void {
    switch (told.kind) {
      case 'assistant':
        return this.#say(told);
      case 'call':
        return this.#call(told);
      case 'result':
        return this.#result(told);
      case 'usage':
        return this.#count(told);
      case 'turn':
        this.#turns.add(told.id);
    }
  }

  get events(): readonly WorkEvent[] {
    return this.#events;
  }

  /** Calls to its model. */
  get turns(): number {
    return this.#tells.tellsTurns ? this.#turns.size : this.#guessedTurns;
  }

  /** What they took, as far as it is told as it goes; `isWhole` where each call told what can be. */
  get used(): { readonly inputTokens: number; readonly outputTokens: number; readonly isWhole: boolean } {
    const all = [...this.#usage.values()];
    return {
      isWhole: all.length > 0 && !this.#isDoubtful && all.every(({ input }) => input > 0),
      inputTokens: all.reduce((sum, { input }) => sum + input, 0),
      outputTokens: all.reduce((sum, { output }) => sum + output, 0),
    };
  }

  /** Whether its model has answered at all. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Whether a tool is at work, and not the model. */
  get isAtTool(): boolean {
    return this.#open.size > 0;
  }

  /** What its model said last. */
  get lastWords(): string {
    const last = this.#events.findLast((event) => event.kind === 'assistant');
    return last?.kind === 'assistant' ? last.text : '';
  }

  /** All that its model wrote and that was told, as far as it is kept. */
  get written(): string {
    const texts = this.#events.map((event) => {
      if (event.kind === 'assistant') return event.text;
      return event.kind === 'tool' ? event.input.replaceAll(/\\[nrt"]/gu, ' ') : '';
    });
    return texts.join('\n');
  }

  #add(event: WorkEvent): number {
    return this.#events.length < mostEvents ? this.#events.push(event) - 1 : mostEvents;
  }

  #useSkill(name: string, how: How): void {
    if (this.#skills.has(`${how} ${name}`)) return;
    this.#skills.add(`${how} ${name}`);
    this.#add({ kind: 'skill', name, how });
  }

  #answer(): void {
    this.#hasAnswered = true;
    if (this.#isModelNext) this.#guessedTurns += 1;
    this.#isModelNext = false;
  }

  /** Pieces that come one after the other are one text. */
  #say({ text }: ToldOf<'assistant'>): void {
    this.#answer();
    const last = this.#events.at(-1);
    if (last?.kind !== 'assistant') this.#add({ kind: 'assistant', text: cut(text) });
    else this.#events[this.#events.length - 1] = { kind: 'assistant', text: cut(last.text + text) };
  }

  #call(told: ToldCall): void {
    this.#answer();
    if (this.#open.has(told.id)) return; // told when it began and once more
    const command = told.command === undefined ? {} : { command: cut(told.command) };
    const at = this.#add({ kind: 'tool', name: told.name, input: cut(inputOf(told)), output: '', ...command });
    this.#open.set(told.id, { ...told, at });
  }

  #result(told: ToldOf<'result'>): void {
    const called = this.#open.get(told.id);
    if (called === undefined) return;
    this.#open.delete(told.id);
    this.#isModelNext ||= this.#open.size === 0;
    const event = this.#events[called.at];
    const ok = told.ok === undefined ? {} : { ok: told.ok };
    if (event?.kind === 'tool') this.#events[called.at] = { ...event, output: cut(told.output), ...ok };
    const used = skillUsedBy(called, told, this.#installed);
    if (used !== undefined) this.#useSkill(used.name, used.how);
  }

  #count({ id, ...told }: ToldOf<'usage'>): void {
    const [inputTokens, outputTokens] = [possible(told.inputTokens), possible(told.outputTokens)];
    this.#isDoubtful ||= inputTokens !== told.inputTokens || outputTokens !== told.outputTokens;
    const known = this.#usage.get(id) ?? {
      at: this.#add({ kind: 'usage', inputTokens, outputTokens }),
      input: 0,
      output: 0,
    };
    known.input = Math.max(known.input, inputTokens);
    known.output += outputTokens;
    this.#usage.set(id, known);
    if (this.#events[known.at]?.kind !== 'usage') return;
    this.#events[known.at] = { kind: 'usage', inputTokens: known.input, outputTokens: known.output };
  }
}

/** A figure that no call can have taken is as good as none. */
function possible(tokens: number): number {
  return Number.isInteger(tokens) && tokens > 0 && tokens <= mostTokensOfACall ? tokens : 0;
}

function inputOf({ input }: ToldCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}

/** By its tool, or by reading its file with any other. A call that failed used nothing, nor is it used by who writes it. */
function skillUsedBy(
  call: ToldCall,
  { ok, output }: ToldOf<'result'>,
  installed: string | undefined,
): { readonly name: string; readonly how: How } | undefined {
  if (ok === false) return undefined;
  if (call.skill !== undefined) return { name: call.skill.replace(/^\//u, ''), how: 'tool' };
  if (/write|edit|create|patch|replace|file_change/iu.test(call.name)) return undefined;
  if (call.command !== undefined) return skillReadBy(call.command, output, installed);
  const name = skillFile.exec(inputOf(call))?.[2];
  return name === undefined || (ok === undefined && missing.test(output)) ? undefined : { name, how: 'read' };
}

const skillFile = /([^\s"'`=<>]*?)([^\s/\\"'`=<>]+)[/\\]+SKILL\.md/u;
const missing = /no such file|not found|cannot find/iu;

/**
 * A line that names the file and only says so, or finds nothing there, read nothing: what came out has the skill's own first
 * lines, or is something at all where the skill is installed and the path is that of a folder of skills.
 */
function skillReadBy(
  line: string,
  output: string,
  installed: string | undefined,
): { readonly name: string; readonly how: How } | undefined {
  for (const command of shellCommands(line).commands) {
    const [, folder = '', name] = skillFile.exec(command) ?? [];
    if (name === undefined) continue;
    const isThere = name === installed && /^$|^\.\/$|(?:^|[/\\])skills[/\\]+$/u.test(folder);
    const isSomething = output.trim() !== '' && !missing.test(output);
    const named = [...output.matchAll(/\bname:\s*["']?([^\s"'\\]+)/gu)].some(([, each]) => each === name);
    if ((isThere && isSomething) || named) return { name, how: 'read' };
  }
  return undefined;
}

/** Its beginning and its end, where it is long. */
function cut(text: string): string {
  if (text.length <= longestText) return text;
  const end = longestText / 4;
  const left = text.length - longestText;
  return [text.slice(0, longestText - end), `… ${left} letters are left out …`, text.slice(-end)].join('\n');
}
