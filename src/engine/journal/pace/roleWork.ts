import type { ModelRole } from '../../../ports/languageModel.js';

/** Calls of each role, with what they sent and received or are to. */
export type RoleWork = Readonly<Record<ModelRole, { readonly calls: number; readonly tokens: number }>>;

export const noWork: RoleWork = {
  target: { calls: 0, tokens: 0 },
  optimizer: { calls: 0, tokens: 0 },
  judge: { calls: 0, tokens: 0 },
};

export function tokensOf({ target, optimizer, judge }: RoleWork): number {
  return target.tokens + optimizer.tokens + judge.tokens;
}

/**
 * How long planned calls take at the speed of calls that were made, in milliseconds: by their tokens, for a call of the
 * optimizer is often ten times one of the target. A call of a role that was made before is taken to be as long as those were,
 * one of another as planned. Undefined where nothing was told of tokens.
 */
export function msOfWork(planned: RoleWork, made: RoleWork, madeMs: number): number | undefined {
  if (tokensOf(made) === 0 || tokensOf(planned) === 0) return undefined;
  const expected = (role: ModelRole): number => {
    const { calls, tokens } = made[role];
    return calls === 0 ? planned[role].tokens : planned[role].calls * (tokens / calls);
  };
  return (expected('target') + expected('optimizer') + expected('judge')) * (madeMs / tokensOf(made));
}
