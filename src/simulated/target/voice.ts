import type { Chance } from '../chance.js';
import type { Material } from './material.js';
import { languageNamed } from './phrasebook.js';
import type { AnswerPlan, PlannedLine } from './plan.js';

/** The sentences of one answer: fixed by its request, so that any length of it begins alike. */
export interface Voice {
  /** The sentence with this number, for as many as are asked for; empty where every one has a banned word. */
  filler(index: number): string;
  readonly greeting: string;
  readonly hedges: readonly string[];
  readonly refusal: string;
  readonly question: string;
  readonly signOff: string;
  /** What must be said: results of tools, names of the task, required words and topics. `short` leaves out what it can. */
  facts(short: boolean): readonly string[];
  /** A few words of the task without a verb. */
  phrase(index: number): string;
  valueOf(line: Extract<PlannedLine, { kind: 'label' }>): string;
  lineOf(line: PlannedLine): string;
}

const longResult = 240;
const shortResult = 90;

export function voiceOf(plan: AnswerPlan, material: Material, chance: Chance): Voice {
  const language = languageNamed(plan.language);
  const words = chance.shuffle('words', allowed(material.words, plan.banned));
  const word = (index: number): string => words[index % Math.max(1, words.length)] ?? 'it';
  const say = (template: string, index: number): string =>
    clean(fill(template, word(2 * index), word(2 * index + 1)), plan.banned);
  const fillers = fillerTemplates(plan, chance);
  const written = new Map<number, string>(); // fitting writes the same answer several times over
  const valueOf = (line: Extract<PlannedLine, { kind: 'label' }>): string => {
    const usual = line.options.length > 0 ? line.options : usualValues(line.label);
    return usual.length > 0 ? chance.pick(`label ${line.label}`, usual) : `${word(0)} ${word(1)}`;
  };
  return {
    filler: (index) => {
      const known = written.get(index) ?? firstSaid(fillers, index, say);
      written.set(index, known);
      return known;
    },
    greeting: clean(chance.pick('greeting', language.greeting), plan.banned),
    hedges: chance
      .shuffle('hedges', language.hedges)
      .map(say)
      .filter((sentence) => sentence !== ''),
    refusal: say(language.refusal, 0),
    question: say(language.question, 1),
    signOff: clean(language.signOff, plan.banned),
    facts: (short) => factsOf({ plan, material, short }),
    phrase: (index) => `${word(index)} ${word(index + 1)}`,
    valueOf,
    lineOf: (line) => (line.kind === 'fixed' ? line.text : `${line.label}: ${valueOf(line)}`),
  };
}

/** The first template from this one on that can be said at all. */
function firstSaid(
  templates: readonly string[],
  index: number,
  say: (template: string, index: number) => string,
): string {
  for (let step = 0; step < templates.length; step += 1) {
    const sentence = say(templates[(index + step) % templates.length] ?? '', index);
    if (sentence !== '') return sentence;
  }
  return '';
}

/** A verdict has a value like any label; where it has no choices it says to go ahead. */
export function verdictLine(plan: AnswerPlan, voice: Voice): string | undefined {
  if (plan.verdict === undefined) return undefined;
  const { label, options } = plan.verdict;
  const choice = fill(languageNamed(plan.language).choice, voice.phrase(0), voice.phrase(1));
  return `${label}: ${options.length === 0 ? choice : voice.valueOf(plan.verdict)}`;
}

function factsOf(parts: {
  readonly plan: AnswerPlan;
  readonly material: Material;
  readonly short: boolean;
}): readonly string[] {
  const { plan, material, short } = parts;
  const language = languageNamed(plan.language);
  const results = material.results.map(({ tool, text }) =>
    language.source.replace('{a}', tool).replace('{text}', () => excerpt(text, short)),
  );
  const names = allowed(material.names, plan.banned);
  const about =
    names.length === 0 || (short && results.length > 0)
      ? []
      : [language.about.replace('{list}', () => names.join(', '))];
  const needed = [...plan.words, ...plan.topics];
  const terms = needed.length === 0 ? [] : [language.terms.replace('{list}', () => needed.join(', '))];
  return [...results, ...terms, ...about];
}

function excerpt(text: string, short: boolean): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const whole = short ? (/^.*?[.!?](?=\s|$)/.exec(flat)?.[0] ?? flat) : flat;
  const limit = short ? shortResult : longResult;
  const cut = whole.length <= limit ? whole : whole.slice(0, limit).replace(/\s+\S*$/, '');
  return cut.replace(/[.!?]$/, '');
}

/** Without a limit it rambles; with one it mixes in sentences that come to the point. */
function fillerTemplates(plan: AnswerPlan, chance: Chance): readonly string[] {
  const language = languageNamed(plan.language);
  const limited = Object.keys(plan.most).length > 0;
  const plain = chance.shuffle('plain', language.plain);
  const rambling = chance.shuffle('ramblings', language.ramblings);
  return limited
    ? plain.flatMap((sentence, index) => [sentence, rambling[index % rambling.length] ?? sentence])
    : [...rambling, ...plain];
}

function usualValues(label: string): readonly string[] {
  if (/severity|priority|impact|risk|confidence|effort|urgency/i.test(label)) return ['high', 'medium', 'low'];
  if (/status|state/i.test(label)) return ['open', 'in progress', 'done'];
  return /owner|author|assignee|team/i.test(label) ? ['the platform team', 'the duty engineer'] : [];
}

function fill(template: string, a: string, b: string): string {
  return template
    .replaceAll('{a}', () => a)
    .replaceAll('{b}', () => b)
    .replaceAll('{A}', () => a.charAt(0).toUpperCase() + a.slice(1))
    .replaceAll('{B}', () => b.charAt(0).toUpperCase() + b.slice(1));
}

function clean(sentence: string, banned: readonly string[]): string {
  return isClean(sentence, banned) ? sentence : '';
}

function allowed(texts: readonly string[], banned: readonly string[]): readonly string[] {
  return texts.filter((text) => isClean(text, banned));
}

function isClean(text: string, banned: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return !banned.some((word) => lower.includes(word.toLowerCase()));
}
