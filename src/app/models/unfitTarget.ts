import { UserError } from '../../errors.js';

/** Why a target cannot attempt tasks, and what the person can do about it. */
export interface Unfit {
  readonly message: string;
  readonly cure: string;
}

/** Throws that before anything is spent; another target, which the editor lets people choose, mends it. */
export function refuseUnfit(unfit: Unfit | undefined): void {
  if (unfit !== undefined) throw new UserError('target-unfit', unfit.message, unfit.cure);
}

const mostNamed = 5;

/** The first of them by name. */
export function firstNames(tasks: readonly { readonly id: string }[]): string {
  const named = tasks.slice(0, mostNamed).map(({ id }) => id);
  return [...named, ...(tasks.length > named.length ? ['…'] : [])].join(', ');
}
