import type { ProgramConsent } from '../../ports/programs.js';

/**
 * A consent that asks at most once for each content, however many attempts want to know at the same time, and takes a
 * no for the rest of the run as well.
 */
export function askedOnce(consent: ProgramConsent): ProgramConsent {
  const answers = new Map<string, Promise<boolean>>();
  return {
    allows(request, signal) {
      const key = JSON.stringify([request.what, request.content]);
      const known = answers.get(key) ?? consent.allows(request, signal);
      answers.set(key, known);
      return known;
    },
  };
}
