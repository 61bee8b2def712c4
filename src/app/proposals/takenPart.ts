import type { Verdict } from '../../gate/verdict/verdict.js';
import type { AdoptedVersion, PendingProposal } from '../useCases.js';

/** What is known of the text that a skill holds after something of a proposal went into it. */
export type TakenPart =
  /** Nothing was taken, or exactly what was measured. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unmeasured' }
  /** It was measured by itself since. */
  | { readonly kind: 'measured'; readonly verdict: Verdict };

/** Part of a measured proposal is a text that nobody measured, until it is measured by itself. */
export function takenPart(skill: {
  readonly pending: Pick<PendingProposal, 'decisions' | 'proposal'> | undefined;
  readonly history: readonly AdoptedVersion[];
}): TakenPart {
  const { pending } = skill;
  const newest = skill.history.find(({ own }) => own);
  if (pending === undefined) return newest?.action === 'adopt' ? known(newest) : { kind: 'none' };
  const taken = Object.values(pending.decisions).some(({ kind }) => kind !== 'rejected');
  if (!taken) return { kind: 'none' };
  const isOfThis = newest?.proposalId === pending.proposal.id;
  return newest !== undefined && isOfThis ? known(newest) : { kind: 'unmeasured' };
}

/**
 * The adoption that left the skill in a text that nobody measured: the number of the version whose `before` is the text
 * that it would be measured against. Undefined where the skill holds another text by now.
 */
export function unmeasuredSince(history: readonly AdoptedVersion[], hash: string): string | undefined {
  const [newest, ...older] = history.filter(({ own }) => own);
  if (newest?.action !== 'adopt' || newest.verdict !== 'unmeasured' || newest.afterHash !== hash) return undefined;
  let first = newest;
  for (const version of older) {
    const isBefore = version.proposalId === first.proposalId && version.afterHash === first.beforeHash;
    if (first.proposalId === undefined || version.action !== 'adopt' || !isBefore) break;
    first = version;
  }
  return first.id;
}

function known({ verdict, measured }: AdoptedVersion): TakenPart {
  if (measured !== undefined) return { kind: 'measured', verdict: measured };
  return { kind: verdict === 'unmeasured' ? 'unmeasured' : 'none' };
}
