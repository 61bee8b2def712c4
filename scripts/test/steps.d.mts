export const quickSteps: readonly string[];
export const windowSteps: readonly string[];
export const benchSteps: readonly string[];
export function readChoice(argv: readonly string[]): {
  readonly skipped: readonly string[];
  readonly isWanted: (step: string) => boolean;
};
