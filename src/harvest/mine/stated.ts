import { statementsOf, type Sense, type StatedWord, type Statement } from './statements.js';
import { demandsToo, demandsWords, isHeadingAlone, isOnSubjectAlone, subjectOf, type Subject } from './subject.js';

/** What a person said in a session, in the order in which they said it. */
export interface SaidWords {
  /** Their messages, as they were written. */
  readonly texts: readonly string[];
  readonly statements: readonly Statement[];
  /** The first sentence of the request: what the work is about. A criterion may name it beside what it demands. */
  readonly topic: Statement | undefined;
  /** What of it no answer can fail: that an answer names it was demanded only by a sentence that says so. */
  readonly subject: Subject;
}

export function groundOf(texts: readonly string[], request: string): SaidWords {
  const topic = statementsOf(request)[0];
  return { texts, statements: texts.flatMap(statementsOf), topic, subject: subjectOf(topic) };
}

/**
 * Whether a person said what a criterion says: every sentence of it is one of theirs, or has no word, number or name that
 * is not in one sentence of theirs, in its order and in the same sense. What they want nowhere else may be unwanted.
 */
export function isStated(criterion: string, ground: SaidWords): boolean {
  const sentences = statementsOf(criterion);
  return (
    sentences.length > 0 && sentences.every((sentence) => isVerbatim(sentence, ground) || isMeant(sentence, ground))
  );
}

function isVerbatim({ text }: Statement, { statements }: SaidWords): boolean {
  return statements.some((said) => said.isFirm && said.text === text && said.words.length > 0);
}

function isMeant(sentence: Statement, ground: SaidWords): boolean {
  const { words } = sentence;
  if (words.length === 0 || words.some(({ sense }) => sense === 'unclear')) return false;
  const isSubject = isOnSubjectAlone(sentence, ground.subject);
  return ground.statements.some(
    (said, place) =>
      standsIn(words, said, ground.topic) &&
      (!isSubject || demandsToo(sentence, said)) &&
      !isHeadingAlone(sentence, said) &&
      words.every((word) => isUncontested(word, ground, place)),
  );
}

/** In the order of the sentence; before it what the work is about may be named. */
function standsIn(words: readonly StatedWord[], said: Statement, topic: Statement | undefined): boolean {
  let from = 0;
  let found = 0;
  for (const word of words) {
    const at = word.sense === 'aside' ? undefined : placeIn(said, word, from);
    if (at === undefined) {
      if (found > 0 || word.sense === 'unwanted' || topic === undefined) return false;
      if (placeIn(topic, { ...word, sense: 'wanted' }, 0) === undefined) return false;
    } else {
      from = at;
      found += 1;
    }
  }
  return found > 0;
}

/** Nowhere is it unwanted that is wanted here; and what is unwanted was not wanted afterwards. */
function isUncontested({ form, sense }: StatedWord, { statements }: SaidWords, place: number): boolean {
  const others = sense === 'unwanted' ? statements.slice(place + 1) : statements;
  const contrary: Sense = sense === 'unwanted' ? 'wanted' : 'unwanted';
  return sense === 'aside' || !others.some((said) => placeIn(said, { form, sense: contrary }, 0) !== undefined);
}

function placeIn(said: Statement, word: Pick<StatedWord, 'form' | 'sense'>, from: number): number | undefined {
  // Most sentences have nothing of most words, and that is seen at once; frame words may stand between pieces of a run.
  if (/^[a-z]/u.test(word.form) && !said.text.includes(word.form.slice(0, shortestStem))) return undefined;
  return said.words.find((each) => each.at >= from && each.sense === word.sense && isSame(each, word.form))?.at;
}

const shortestStem = 3;

/** The same word, or another ending of it. Pieces of Chinese and Japanese may stand in longer ones. */
function isSame({ form: said, run }: StatedWord, word: string): boolean {
  if (said === word || run?.includes(word) === true) return true;
  if (said[0] !== word[0] || /[^\p{Script=Latin}]/u.test(said + word)) return false;
  let shared = 0;
  while (shared < word.length && said[shared] === word[shared]) shared += 1;
  return shared >= shortestStem && endings.has(said.slice(shared)) && endings.has(word.slice(shared));
}

const endings = new Set(['', 's', 'es', 'd', 'ed', 'ing', 'y', 'ies', 'ied', 'e', 'en', 'n', 'em']);

/** Whether a text was said to be in an answer, or to be in none. */
export function isSaidToBe(sense: 'wanted' | 'unwanted', text: string, ground: SaidWords): boolean {
  const words = statementsOf(text).flatMap((each) => each.words.map((word) => ({ ...word, sense })));
  const phrase = oneLine(text);
  const isSubject = sense === 'wanted' && words.length > 0 && isOnSubjectAlone({ text: '', words }, ground.subject);
  return ground.statements.some((said, place) => {
    if (!said.text.includes(phrase)) return false;
    if (words.length === 0) return sense === 'wanted' && isQuoted(phrase, said.text);
    if (isSubject && !isQuoted(phrase, said.text) && !demandsWords(words, said)) return false;
    return standsIn(words, said, undefined) && words.every((word) => isUncontested(word, ground, place));
  });
}

function oneLine(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ').trim();
}

/** A text of words that every sentence has is one that was named. */
function isQuoted(phrase: string, sentence: string): boolean {
  return ['“”', '""', '«»', '「」', '„“'].some(([open = '', close = '']) => sentence.includes(open + phrase + close));
}

/** Whether a length was said, in characters and in this direction. */
export function isSaidLength(direction: '≤' | '≥', limit: number, ground: SaidWords): boolean {
  const word = { form: `${direction}${limit} character`, at: 0, sense: 'wanted' as const };
  return ground.statements.some((said) => placeIn(said, word, 0) !== undefined) && isUncontested(word, ground, 0);
}
