import type { Chance } from '../chance.js';
import type { AnswerPlan, PlannedSection } from './plan.js';
import { verdictLine, type Voice } from './voice.js';

/** How much of an answer is written: sentences beyond the necessary ones, and what is left out to make it fit. */
export interface Size {
  readonly fillers: number;
  /** 0 writes all; each step up leaves out more: pleasantries, questions, hedges, then facts. */
  readonly tightness: number;
}

/** The tightest an answer gets. */
export const tightest = 5;

const paragraphSentences = 5;

export interface Parts {
  readonly plan: AnswerPlan;
  readonly voice: Voice;
  readonly chance: Chance;
}

/** The answer as text of this size: opening, preface, labels, body, list, verdict, closing; tags around it. */
export function layOut({ plan, voice, chance }: Parts, size: Size): string {
  const sections = orderedSections(plan, chance);
  const blocks = [
    plan.opening === undefined ? '' : voice.lineOf(plan.opening),
    preface(plan, voice, size),
    plan.labels
      .filter((label) => !isPlaced(plan, label.label))
      .map((label) => voice.lineOf(label))
      .join('\n'),
    ...body({ plan, voice, chance }, sections, size),
    list(plan, voice, size),
    ...plan.tags.filter((tag) => !tag.whole).map(({ name }) => `<${name}>${voice.phrase(0)}</${name}>`),
    verdictLine(plan, voice) ?? '',
    outro(plan, voice, size),
    plan.closing === undefined ? '' : voice.lineOf(plan.closing),
  ].filter((block) => block !== '');
  const compact = size.tightness > 0 || plan.most.lines !== undefined || plan.most.paragraphs !== undefined;
  return wrapped(plan, blocks.join(compact ? '\n' : '\n\n'));
}

/** A label that opens or closes the answer is not written a second time. */
function isPlaced({ opening, closing }: AnswerPlan, label: string): boolean {
  return [opening, closing].some((line) => line?.kind === 'label' && line.label.toLowerCase() === label.toLowerCase());
}

/** The answer between the tags that go around all of it. */
export function wrapped(plan: AnswerPlan, text: string): string {
  return plan.tags.filter((tag) => tag.whole).reduce((inside, { name }) => `<${name}>\n${inside}\n</${name}>`, text);
}

/** Everything that is said before the matter. */
export function preface(plan: AnswerPlan, voice: Voice, { tightness }: Size): string {
  const polite = plan.pleasantries && tightness < 2;
  const hedging = plan.hedges && tightness < 4;
  return [
    plan.refuses && tightness < 4 ? voice.refusal : '',
    polite ? voice.greeting : '',
    ...(hedging ? voice.hedges.slice(0, tightness === 0 ? undefined : 1) : []),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function outro(plan: AnswerPlan, voice: Voice, { tightness }: Size): string {
  return [plan.asksBack && tightness < 3 ? voice.question : '', plan.pleasantries && tightness < 2 ? voice.signOff : '']
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function body(parts: Parts, sections: readonly PlannedSection[], size: Size): readonly string[] {
  const { plan, voice } = parts;
  const facts = size.tightness >= tightest ? neededFacts(plan, voice) : voice.facts(size.tightness > 0);
  const fillers = Array.from({ length: size.fillers }, (_, index) => voice.filler(index)).filter((text) => text !== '');
  if (sections.length > 0) return inSections(sections, { facts, fillers, voice });
  const sentences = [...facts, ...fillers];
  if (sentences.length === 0) return isBare(plan) ? [voice.filler(0)] : [];
  if (plan.most.paragraphs !== undefined || plan.most.lines !== undefined) return [sentences.join(' ')];
  return chunks(sentences, paragraphSentences).map((chunk) => chunk.join(' '));
}

/** At the tightest only what was asked for stays: required words and topics. */
function neededFacts(plan: AnswerPlan, voice: Voice): readonly string[] {
  return plan.words.length + plan.topics.length > 0 ? voice.facts(true) : [];
}

function isBare(plan: AnswerPlan): boolean {
  return (
    plan.labels.length === 0 &&
    plan.items === undefined &&
    plan.verdict === undefined &&
    plan.opening === undefined &&
    plan.closing === undefined
  );
}

function inSections(
  sections: readonly PlannedSection[],
  {
    facts,
    fillers,
    voice,
  }: { readonly facts: readonly string[]; readonly fillers: readonly string[]; readonly voice: Voice },
): readonly string[] {
  return sections.map(({ heading, mentions }, at) => {
    const own = [
      ...(mentions.length === 0 ? [] : [`${capitalised(mentions.join(', '))}.`]),
      ...(at === 0 ? facts : []),
      ...fillers.filter((_, index) => index % sections.length === at),
    ];
    return `## ${heading}\n${own.length === 0 ? `${capitalised(voice.phrase(at))}.` : own.join(' ')}`;
  });
}

/** Sections named in one sentence keep their order; the groups come in any order, unless an order was asked for. */
function orderedSections(plan: AnswerPlan, chance: Chance): readonly PlannedSection[] {
  const groups = chance.shuffle('sections', [...new Set(plan.sections.map((section) => section.group))]);
  const shuffled = groups.flatMap((group) => plan.sections.filter((section) => section.group === group));
  const wanted = plan.order.map((name) => name.toLowerCase());
  const placed = shuffled.filter((section) => wanted.includes(section.heading.toLowerCase()));
  placed.sort((a, b) => wanted.indexOf(a.heading.toLowerCase()) - wanted.indexOf(b.heading.toLowerCase()));
  const others = shuffled.filter((section) => !placed.includes(section));
  return [...placed, ...others];
}

function list(plan: AnswerPlan, voice: Voice, { tightness }: Size): string {
  if (plan.items === undefined) return '';
  const { marker, least, most } = plan.items;
  const count = Math.min(most, Math.max(least, 3));
  return Array.from({ length: count }, (_, index) => {
    const text = tightness > 0 ? capitalised(voice.phrase(index)) : voice.filler(index + 40).replace(/[.。]$/, '');
    return `${marker === 'number' ? `${index + 1}.` : '-'} ${text === '' ? voice.phrase(index) : text}`;
  }).join('\n');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function chunks(sentences: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(sentences.length / size) }, (_, index) =>
    sentences.slice(index * size, (index + 1) * size),
  );
}
