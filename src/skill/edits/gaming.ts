import type { Edit } from './edit.js';
import { shown } from './findAnchor.js';
import { findGradingTalk } from './gradingTalk.js';
import { newRuns, runsOf } from './sharedWords.js';

/** What an optimizer could copy instead of learning. */
export interface GamingEvidence {
  /** Sources of the regular expressions that answers are checked with. */
  readonly regexSources: readonly string[];
  /** Texts that open criteria demand word for word; a source that is nothing but one of them is no secret. */
  readonly stated?: readonly string[];
  readonly references: readonly string[];
  readonly taskTexts: readonly {
    readonly taskId: string;
    readonly prompt: string;
    /** Empty where the task has none; so is `reference`. */
    readonly context: string;
    readonly reference: string;
  }[];
}

const sharedWords = 8; // fewer are shared by any two texts on one subject
const longReference = 12; // characters; a shorter answer is also an ordinary word or number

/**
 * Why an edit games its tasks, in a sentence, or undefined where it is lawful: it contains the source of a regular
 * expression, a reference answer, eight or more consecutive words of one task, or talks about how tasks are graded.
 * Thresholds, names, headings and required words are what a task asks for, and are lawful. What a replaced passage
 * contained before does not count.
 */
export function findGaming(edit: Edit, evidence: GamingEvidence): string | undefined {
  if (edit.op === 'delete') return undefined;
  const { content } = edit;
  const known = edit.op === 'replace' ? edit.anchor : '';
  return findGivenAway(content, known, evidence) ?? findNewGradingTalk(content, known);
}

/** What of its tasks a text holds, in a sentence: a pattern, a reference answer, their words. What is `known` does not count. */
export function findGivenAway(text: string, known: string, evidence: GamingEvidence): string | undefined {
  return (
    findRegexSource(text, known, evidence) ??
    findReference(text, known, evidence.references) ??
    findTaskWords(text, known, evidence)
  );
}

function findRegexSource(
  content: string,
  known: string,
  { regexSources, stated = [] }: GamingEvidence,
): string | undefined {
  const text = withSingleBackslashes(content);
  for (const source of regexSources) {
    const core = regexCore(source);
    if (stated.some((demanded) => demanded.includes(core))) continue;
    if (isPattern(core) && text.includes(core) && !known.includes(core)) {
      return `The edit contains the pattern that answers are checked with: ${shown(core)}.`;
    }
  }
  return undefined;
}

/** Without delimiters, inline flags and anchors: what a copy of it would still have. */
function regexCore(source: string): string {
  const inner = /^\/(.+)\/[a-z]*$/s.exec(source.trim())?.[1] ?? source.trim();
  const bare = inner.replace(/^\(\?[a-z]+\)/, '').replace(/^\^/, '');
  return withSingleBackslashes(bare.endsWith('\\$') ? bare : bare.replace(/\$$/, ''));
}

/** Plain words are what an answer must contain, and lawful; only what no person would write as prose is a pattern. */
function isPattern(core: string): boolean {
  return core.length > 2 && /\\[a-zA-Z.()[\]{}*+?|]|[*+}\])]\??$|\.[*+]|\[[^[\]]*\][*+?{]|\(\?|\|/.test(core);
}

function withSingleBackslashes(text: string): string {
  return text.replaceAll('\\\\', '\\');
}

function findReference(content: string, known: string, references: readonly string[]): string | undefined {
  const text = plain(content);
  const before = plain(known);
  for (const reference of references) {
    const answer = plain(reference);
    if (answer === '' || !text.includes(answer) || containsWord(before, answer)) continue;
    const isGiven = width(answer) >= longReference ? containsWord(text, answer) : isQuotedAnswer(content, answer);
    if (isGiven) return `The edit contains the reference answer ${shown(reference)}.`;
  }
  return undefined;
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** A character of a script without spaces says as much as two letters. */
function width(text: string): number {
  return (
    text.length + (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)
  );
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!joins(text, at) && !joins(text, at + word.length)) return true;
  }
  return false;
}

/** True where the letters or digits on both sides of this place belong to one word. */
function joins(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)];
  const isLetter = /[\p{L}\p{N}]/u;
  const isSpaced = /[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  return [before, after].every((character) => isLetter.test(character) && isSpaced.test(character));
}

const answerWord =
  /\b(?:answers?|repl(?:y|ies)|responds?|response|outputs?|returns?|results? (?:is|are)|solution|conclude|print|say|writes?)\b|答案|回答|答え|antworte?|réponse|répond\w*|respuesta|responde/u;
const quoted = /["“”'‘’«»「」`]/u;
const alternative = /^[\s"“”'’»」`]*(?:,|\/|\||or\b|and\b|oder\b|ou\b|或|、)\s*["“'‘«「`]/u;
const alternativeBefore = /["”'’»」`]\s*(?:,|\/|\||,? ?or|,? ?and|oder|ou|或|、)\s*["“'‘«「`]?$/u;

/** A short answer counts only where it is a whole code block, or stands in quotes as the one thing to answer. */
function isQuotedAnswer(content: string, answer: string): boolean {
  const blocks = content.matchAll(/^[ \t]*(?:```|~~~)[^\n]*\n([\s\S]*?)\n[ \t]*(?:```|~~~)/gm);
  if (Array.from(blocks).some(([, body]) => plain(body ?? '') === answer)) return true;
  const text = plain(content);
  for (let at = text.indexOf(answer); at >= 0; at = text.indexOf(answer, at + 1)) {
    const before = text.slice(Math.max(0, at - 60), at);
    const after = text.slice(at + answer.length, at + answer.length + 20);
    const isQuoted = quoted.test(before.slice(-1)) && quoted.test(after.slice(0, 1));
    const isOneOfSeveral = alternative.test(after.slice(1)) || alternativeBefore.test(before);
    const sentence = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('。')) + 1);
    if (isQuoted && !isOneOfSeveral && answerWord.test(sentence)) return true;
  }
  return false;
}

function findTaskWords(content: string, known: string, evidence: GamingEvidence): string | undefined {
  const said = newRuns(content, known, sharedWords);
  if (said.size === 0) return undefined;
  const theirs = runsOfTasks(evidence);
  for (const run of said) if (theirs.has(run)) return `The edit repeats the words of one task: ${shown(run)}.`;
  return undefined;
}

const runsOfEvidence = new WeakMap<GamingEvidence, ReadonlySet<string>>();

/** Of all texts of the tasks, read once: every edit of a run is held against them. */
function runsOfTasks(evidence: GamingEvidence): ReadonlySet<string> {
  const known = runsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const runs = new Set<string>();
  for (const { prompt, context, reference } of evidence.taskTexts)
    for (const text of [prompt, context, reference]) for (const run of runsOf(text, sharedWords)) runs.add(run);
  runsOfEvidence.set(evidence, runs);
  return runs;
}

function findNewGradingTalk(content: string, known: string): string | undefined {
  const found = findGradingTalk(content);
  if (found === undefined || findGradingTalk(known) === found) return undefined;
  return `The edit speaks about how answers are graded: ${shown(found)}.`;
}
