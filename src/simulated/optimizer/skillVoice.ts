import { blocksOf } from '../reading/blocks.js';
import { sentencesOf } from '../reading/statements.js';

/** How a skill speaks, as far as a sentence that joins it can sound like it. */
export interface SkillVoice {
  /** What the skill makes, in its own word: `review`, `summary`, `reply`; `answer` where it names nothing. */
  readonly product: string;
  /** `Name the version.` against `A note names the version.` */
  readonly mood: 'imperative' | 'descriptive';
  /** The mark of its lists. */
  readonly marker: string;
  /** Whether the points of its lists end with a full stop. */
  readonly fullStops: boolean;
  /** The longest line of a text that is wrapped by hand. */
  readonly width: number | undefined;
}

export function voiceOf(skill: string): SkillVoice {
  return {
    product: productOf(skill),
    mood: moodOf(skill),
    marker: markerOf(skill),
    fullStops: hasFullStops(skill),
    width: widthOf(skill),
  };
}

const products =
  'answer|reply|response|summary|review|report|note|letter|message|e-mail|email|post|article|memo|brief|briefing|' +
  'entry|ticket|page|recipe|translation|description|announcement|proposal|handover|recap|story|invitation';
const namedProduct = new RegExp(`\\b(?:the|an?|your|every|each|one|this) (?:\\w+ )?(${products})\\b`, 'gi');

/** The kind of text that the skill speaks of most often as the one to be written. */
function productOf(skill: string): string {
  const counts = new Map<string, number>();
  for (const [, word = ''] of skill.matchAll(namedProduct)) {
    const product = word.toLowerCase();
    counts.set(product, (counts.get(product) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'answer';
}

const imperatives =
  'add|address|always|answer|ask|avoid|be|begin|bring|call|check|choose|cite|close|commit|consult|copy|count|cover|cut|' +
  'decide|describe|do|end|explain|finish|follow|format|give|go|include|keep|lead|leave|let|limit|link|list|look|make|' +
  'mark|mention|move|name|never|note|offer|omit|open|order|pick|place|praise|prefer|put|quote|read|refer|remove|repeat|' +
  'reply|return|review|run|say|search|show|skip|sort|split|spell|start|state|stay|stick|structure|take|tell|thank|treat|' +
  'turn|use|verify|wait|work|wrap|write';
const startsImperative = new RegExp(
  `^(?:if [^,]+, |when [^,]+, |where [^,]+, |then |please )?(?:${imperatives})\\b`,
  'i',
);
const enoughImperatives = 1 / 6;

/** Whether a sentence tells the reader what to do. */
export function isImperative(sentence: string): boolean {
  return startsImperative.test(sentence);
}

function moodOf(skill: string): SkillVoice['mood'] {
  const sentences = blocksOf(skill).flatMap(({ kind, text }) =>
    kind === 'item' || kind === 'paragraph' ? sentencesOf(text) : [],
  );
  const telling = sentences.filter(isImperative).length;
  return sentences.length === 0 || telling / sentences.length >= enoughImperatives ? 'imperative' : 'descriptive';
}

function markerOf(skill: string): string {
  const markers = [...skill.matchAll(/^[^\S\n]*([-*+])\s+\S/gm)].map(([, marker = '-']) => marker);
  const count = (wanted: string): number => markers.filter((marker) => marker === wanted).length;
  return ['-', '*', '+'].reduce((best, marker) => (count(marker) > count(best) ? marker : best));
}

function hasFullStops(skill: string): boolean {
  const items = blocksOf(skill).filter(({ kind }) => kind === 'item');
  return items.length === 0 || items.filter(({ text }) => /[.!?:]$/.test(text)).length * 2 >= items.length;
}

const shortestWrap = 60; // characters; below this lines are short for other reasons

/** The width of a text in which some paragraph goes on in the next line. */
function widthOf(skill: string): number | undefined {
  const lines = skill.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').split(/\r?\n/);
  const wraps = lines.some((line, at) => line.length >= shortestWrap && isProse(line) && isProse(lines[at + 1]));
  return wraps ? Math.max(...lines.map((line) => line.length)) : undefined;
}

function isProse(line: string | undefined): boolean {
  return /^\s*\p{L}/u.test(line ?? '');
}
