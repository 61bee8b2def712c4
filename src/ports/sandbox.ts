import type { Programs } from './programs.js';

/** Whether programs can be contained on this machine. */
export type SandboxState =
  | { readonly kind: 'available' }
  /** Programs of the system that it needs and that are not installed, and the line that installs them. */
  | { readonly kind: 'missing'; readonly programs: readonly string[]; readonly install: string }
  /** It cannot be had here: another operating system, or the system refuses what it needs. */
  | { readonly kind: 'unsupported'; readonly reason: string }
  /** The person turned it off on this machine. */
  | { readonly kind: 'off' };

/**
 * Runs programs so that they read the system, their own install folder and the copy of their folder, write there alone,
 * and reach no host but those of the request. Where it is not available nothing runs in it.
 */
export interface Sandbox extends Programs {
  /** Found out once: the first call starts it and tries to break out of it. */
  state(signal: AbortSignal): Promise<SandboxState>;
}
