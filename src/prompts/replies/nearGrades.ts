import { asText, entriesOf, fieldsOf, firstOf, parsedList, wrappedIn, type Fields } from './nearFields.js';

const listNames = ['results', 'grades', 'criteria', 'evaluations'];

/**
 * A grading in the form that was asked for, where what was written can mean nothing else: a list without its object, one
 * grade without its list, grades by number, words for yes and no, a pass without a score.
 */
export function asGrades(value: unknown): unknown {
  const bare = Array.isArray(value) ? entriesOf(value, isGrade) : undefined;
  if (bare !== undefined) return listed(bare);
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  const holdsList = (inner: Fields): boolean => listNames.some((name) => inner.has(name));
  const reply = holdsList(fields) ? fields : wrappedIn(fields, holdsList);
  if (reply !== undefined) return listed(parsedList(firstOf(reply, listNames) ?? reply.get('results')));
  return isGrade(value) ? listed(value) : value;
}

function listed(results: unknown): unknown {
  if (Array.isArray(results)) return numbered(results.map(asGrade));
  return isGrade(results) ? numbered([asGrade(results)]) : { results: byNumber(results) ?? results };
}

/** `{"0": {…}, "criterion_1": {…}}` */
function byNumber(value: unknown): readonly unknown[] | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined || entriesOf(value, isGrade) === undefined) return undefined;
  return [...fields].map(([name, grade]) => {
    const read = Object(asGrade(grade));
    return { ...read, index: read.index ?? indexIn(name) };
  });
}

/** Grades that all lack their number are in the order of the criteria, where there are as many of them: that is for the asker to see. */
function numbered(grades: readonly unknown[]): { readonly results: readonly unknown[]; readonly inOrder: boolean } {
  const inOrder = grades.every((grade) => fieldsOf(grade)?.get('index') === undefined);
  const results = inOrder
    ? grades.map((grade, index) => (fieldsOf(grade) ? { ...Object(grade), index } : grade))
    : grades;
  return { results, inOrder };
}

/** One grade in our words. A score that is there and no number stays as it is, and is refused. */
function asGrade(value: unknown): unknown {
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  const said = firstOf(fields, ['pass', 'passed', 'passes', 'met', 'verdict']);
  const score = rounded(numberIn(firstOf(fields, ['score', 'rating']) ?? fields.get('score')));
  const pass = verdictOf(said) ?? (said === undefined ? passAt(score) : said);
  const index = indexIn(firstOf(fields, ['index', 'criterion_index', 'criterion', 'id', 'number']));
  return {
    ...Object.fromEntries(fields),
    index: index ?? (fields.has('index') ? fields.get('index') : undefined),
    pass,
    score: score === undefined && typeof pass === 'boolean' ? Number(pass) : score,
    reason: reasonOf(fields),
  };
}

function reasonOf(fields: Fields): unknown {
  return asText(firstOf(fields, ['reason', 'explanation', 'rationale', 'comment', 'justification'])) ?? '';
}

function isGrade(value: unknown): boolean {
  const { pass, score } = Object(asGrade(value));
  return typeof pass === 'boolean' && typeof score === 'number';
}

const verdicts: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['pass', true],
  ['passed', true],
  ['false', false],
  ['no', false],
  ['fail', false],
  ['failed', false],
]);

function verdictOf(said: unknown): boolean | undefined {
  if (typeof said === 'boolean') return said;
  return typeof said === 'string' ? verdicts.get(said.trim().toLowerCase()) : undefined;
}

/** At its two ends a score says whether it is a pass; between them it does not. */
function passAt(score: unknown): boolean | undefined {
  return score === 1 ? true : score === 0 ? false : undefined;
}

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^\s*(?:0|1|0?\.\d{1,9}|[01]\.\d{1,9})\s*$/.test(value) ? Number(value) : value;
}

/** A sum of shares may end a little beyond its ends; a score further off is one on another scale. */
function rounded(score: unknown): unknown {
  if (typeof score !== 'number' || score < -rounding || score > 1 + rounding) return score;
  return Math.min(1, Math.max(0, score));
}

const rounding = 1e-6;

function indexIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const digits = typeof value === 'string' ? /^(?:criterion[\s_]*)?(\d{1,4})$/i.exec(value.trim())?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
