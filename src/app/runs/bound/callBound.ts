import type { ModelRole } from '../../../ports/languageModel.js';

/** Calls of one role, and the tokens that they send and get. */
export interface RoleCalls {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Beside what calls of their number take: how long agents may work, one after the other. */
  readonly workMs?: number | undefined;
}

/** What is asked of each role. */
export type AskedOfRoles = Readonly<Record<ModelRole, RoleCalls>>;

/**
 * What a plan takes at least where it comes to a result, what it usually takes, and the most of it that is answered. Calls
 * that fail and are made again come on top: caps hold them.
 */
export type CallBound = Readonly<Record<'least' | 'usual' | 'most', AskedOfRoles>>;

/** How often something is done, by the same ends. */
export type Often = Readonly<Record<keyof CallBound, number>>;

const none: RoleCalls = { calls: 0, inputTokens: 0, outputTokens: 0 };
const nobody: AskedOfRoles = { target: none, optimizer: none, judge: none };

export const nothingAsked: CallBound = { least: nobody, usual: nobody, most: nobody };

/** Calls of all roles. */
export function callsOf({ target, optimizer, judge }: AskedOfRoles): number {
  return target.calls + optimizer.calls + judge.calls;
}

/** Where one role alone is asked. */
export function ofRole(role: ModelRole, ends: Readonly<Record<keyof CallBound, RoleCalls>>): CallBound {
  return bothOf((end) => ({ ...nobody, [role]: ends[end] }));
}

/** The same so many times. */
export function times(bound: CallBound, often: Often): CallBound {
  return bothOf((end) => roles((role) => eachFigure((of) => (bound[end][role][of] ?? 0) * often[end])));
}

/** All of it together. */
export function sumOfBounds(bounds: readonly CallBound[]): CallBound {
  return bothOf((end) =>
    roles((role) => eachFigure((of) => bounds.reduce((all, bound) => all + (bound[end][role][of] ?? 0), 0))),
  );
}

/** The largest of each figure, whichever bound has it. */
export function largestOf(bounds: readonly CallBound[]): CallBound {
  return bothOf((end) =>
    roles((role) => eachFigure((of) => bounds.reduce((all, bound) => Math.max(all, bound[end][role][of] ?? 0), 0))),
  );
}

/** About the tokens of the longest prompt of each role in any of them, as prompts usually are. */
export function longestPrompts(bounds: readonly CallBound[]): Readonly<Record<ModelRole, number>> {
  const longest = (role: ModelRole): number =>
    Math.ceil(Math.max(0, ...bounds.map(({ usual }) => usual[role].inputTokens / Math.max(1, usual[role].calls))));
  return { target: longest('target'), optimizer: longest('optimizer'), judge: longest('judge') };
}

function eachFigure(of: (figure: keyof RoleCalls) => number): RoleCalls {
  const workMs = of('workMs');
  const asked = { calls: of('calls'), inputTokens: of('inputTokens'), outputTokens: of('outputTokens') };
  return workMs === 0 ? asked : { ...asked, workMs };
}

function bothOf(of: (end: keyof CallBound) => AskedOfRoles): CallBound {
  return { least: of('least'), usual: of('usual'), most: of('most') };
}

function roles(of: (role: ModelRole) => RoleCalls): AskedOfRoles {
  return { target: of('target'), optimizer: of('optimizer'), judge: of('judge') };
}
