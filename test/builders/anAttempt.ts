import type { AttemptRequest } from '../../src/ports/environment.js';
import { aTask } from './aTask.js';

/** A valid request for one attempt; the test states only what matters. */
export function anAttempt(rest: Partial<AttemptRequest> = {}): AttemptRequest {
  return {
    task: aTask(),
    skill: '# Greeter\n\nSay hello.\n',
    memory: undefined,
    phase: 'training',
    seed: 42,
    attempt: 1,
    family: 'training:42:1',
    ...rest,
  };
}
