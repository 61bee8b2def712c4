import type { ModelIdentity, ModelRequest, ModelRole } from '../ports/languageModel.js';

/**
 * How long an answer may become, in tokens, thinking included: at the first try, and at the one further try that is made
 * where thinking left no answer, or where a reply was cut.
 */
export interface AnswerRoom {
  readonly first: number;
  /** Never less than the first; the same where no more room is to be given. */
  readonly second: number;
  /** What of it thinking may take, where the person says so. */
  readonly thinking?: number | undefined;
}

/** What a person says about the answers of each role. */
export interface RoomOptions {
  readonly answers: Readonly<Partial<Record<ModelRole | 'rewrite', number | undefined>>> & { readonly more: number };
  readonly thinking: Readonly<Partial<Record<ModelRole, number | undefined>>>;
}

const nothingSaid: RoomOptions = { answers: { more: 4 }, thinking: {} };

/** Long enough for a report, for a few edits with their reasons, and for a sentence on each criterion. */
export function usualAnswer(role: ModelRole, criteria = 1): number {
  switch (role) {
    case 'target':
      return 4_096;
    case 'optimizer':
      return 16_384;
    case 'judge':
      return 512 + criteria * 160;
  }
}

interface RoomQuestion {
  readonly role: ModelRole;
  readonly identity: Pick<ModelIdentity, 'options'>;
  /** How many criteria a judge is asked about. */
  readonly criteria?: number | undefined;
  /** What is usual for the question, where that is not what is usual for the role. */
  readonly usual?: number | undefined;
}

/** The person's own limit comes first, then the one in the model's address, which is for thinking as well; then ours. */
export function answerRoom(
  { role, identity, criteria, usual = usualAnswer(role, criteria) }: RoomQuestion,
  { answers, thinking }: RoomOptions = nothingSaid,
): AnswerRoom {
  const budget = thinking[role];
  const own = answers[role];
  const inAddress = own === undefined ? limitInAddress(identity) : undefined;
  const first = inAddress ?? (own ?? usual) + (budget ?? 0);
  return { first, second: first * answers.more, ...(budget === undefined ? {} : { thinking: budget }) };
}

/** Long enough for any skill within its size, and for thinking about it. */
const usualRewrite = 64_000;

/** The same for a reply that holds a whole skill. A second try has no more: a skill that takes it would be far too long. */
export function rewriteRoom(
  { identity }: Pick<RoomQuestion, 'identity'>,
  { answers, thinking }: RoomOptions,
): AnswerRoom {
  const own = { ...answers, optimizer: answers.rewrite, more: 1 };
  return answerRoom({ role: 'optimizer', identity, usual: usualRewrite }, { answers: own, thinking });
}

/**
 * The most calls that one question takes, repeats of failed calls aside: a second one has more room, or asks for the
 * form of the reply once more. An attempt with tools has one second try in all its rounds.
 */
export function mostAsks(role: ModelRole, { answers }: Pick<RoomOptions, 'answers'>): number {
  return role === 'target' && answers.more === 1 ? 1 : 2;
}

/** What of a request says how long its answer may be. */
export function roomRequest(
  { first, second, thinking }: AnswerRoom,
  isSecond = false,
): Pick<ModelRequest, 'maxOutputTokens' | 'thinkingTokens'> {
  return {
    maxOutputTokens: isSecond ? second : first,
    ...(thinking === undefined ? {} : { thinkingTokens: thinking }),
  };
}

/** The names under which servers take the longest answer. */
const limitNames = ['max_completion_tokens', 'max_tokens'] as const;

function limitInAddress({ options = '' }: Pick<ModelIdentity, 'options'>): number | undefined {
  const given = new URLSearchParams(options);
  const stated = limitNames.map((name) => Number(given.get(name) ?? Number.NaN));
  return stated.find((limit) => Number.isSafeInteger(limit) && limit > 0);
}
