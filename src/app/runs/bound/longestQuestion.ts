import { criteriaOf } from '../../../checks/criteria.js';
import { mostAnswerCharacters } from '../../../engine/stages/evidence.js';
import { answerRoom } from '../../../prompts/answerRoom.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import type { Task } from '../../../tasks/task.js';
import { shownToOptimizer, type RunBoundInput } from './attemptBound.js';
import { notesTokens, type Comparisons } from './epochBound.js';

const frame = 700; // tokens of our own words around a question, and the task's own contract
const history = 450; // of earlier steps and edits that were refused
const beside = 40; // titles and fences of an attempt
const usualReason = 40; // of a judge, for each criterion
const usualTrajectory = 400; // of one attempt
const mostDiff = 600; // of what an agent changed

/** What the optimizer is asked about. */
interface ShownTasks {
  readonly training: readonly Task[];
  /** Training tasks of a batch, those that are made or recalled counted. */
  readonly batch: number;
  readonly compared: Comparisons;
  /** The most tokens of trajectories that one question shows. */
  readonly trajectories: number;
}

/**
 * About the tokens of the longest question to the optimizer: all attempts that one shows have failed, and each is as long
 * as the target may write it and as is shown of it. That is how a run begins which has something to learn. A question at
 * the end of an epoch shows each compared task once, for what passes under both texts is only named, and what changed is
 * shown under both.
 */
export function longestQuestion(input: RunBoundInput, shown: ShownTasks): number {
  const { options } = input;
  const { train, reflect } = options;
  const { training, batch, compared, trajectories } = shown;
  const attempts = training.map((task) => attemptTokens(input, task)).sort((a, b) => b - a);
  const failures = sumOfLongest(attempts, Math.min(reflect.minibatchSize, batch));
  const contrasted = train.attempts > 1 ? 2 * sumOfLongest(attempts, Math.min(reflect.contrastTasks, batch)) : 0;
  const turns = Math.min(trajectories, Math.min(reflect.minibatchSize, batch) * usualTrajectory);
  const steps = train.epochs > 1 || training.length > train.batchSize ? history : 0;
  const atEnd = compared.epochs.most > 0 ? sumOfLongest(attempts, compared.tasks) : 0;
  const about = shownToOptimizer(input).usual + frame + steps + Math.ceil(notesTokens(options) / charactersOfToken);
  return Math.ceil(about + Math.max(Math.max(failures, contrasted) + turns, atEnd));
}

const charactersOfToken = 4;

/** So many of the longest; what is made beside them is like the longest. */
function sumOfLongest(sorted: readonly number[], many: number): number {
  const [longest = 0] = sorted;
  const known = sorted.slice(0, many);
  return known.reduce((sum, tokens) => sum + tokens, 0) + (many - known.length) * longest;
}

/** One failed attempt as the optimizer is shown it. */
function attemptTokens({ options, models }: RunBoundInput, task: Task): number {
  const words = [task.prompt, task.context ?? ''].filter((part) => part !== '').join('\n\n');
  const tokens = countTokens(words);
  // An answer is in the script of its task, and some scripts take a token for each character.
  const ofCharacter = Math.max(1 / charactersOfToken, words === '' ? 0 : tokens / words.length);
  const { second } = answerRoom({ role: 'target', identity: models.target.identity }, options);
  const answer = Math.min(second, mostAnswerCharacters * ofCharacter);
  const changed = task.environment === 'agent' ? mostDiff : 0;
  return tokens + answer + failedTokens(task) + changed + beside;
}

/** Every open criterion failed, and the judge said why. */
function failedTokens(task: Task): number {
  const found = criteriaOf(task);
  if (found.kind === 'malformed') return 0;
  return found.criteria
    .filter(({ hidden }) => !hidden)
    .map(({ criterion, evaluation }) => countTokens(criterion) + (evaluation.by === 'judge' ? usualReason : 0))
    .reduce((sum, each) => sum + each, 0);
}
