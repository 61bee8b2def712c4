import assert from 'node:assert/strict';
import type { Environment } from '../../../src/ports/environment.js';
import { anAttempt } from '../../builders/anAttempt.js';
import { aTask } from '../../builders/aTask.js';

/** An environment to hold to the contract, and what can be seen of it from outside. */
export interface EnvironmentUnderTest {
  readonly environment: Environment;
  /** What tells one sample from another, as far as it got to whoever does the work, one entry an attempt. */
  readonly samples: () => readonly string[];
  /** The texts of the skill that whoever does the work was given. */
  readonly skills: () => readonly (string | undefined)[];
}

/** `works` answers every attempt; `broken` is the same in a world where nothing can be reached. */
export function environmentContract(
  name: string,
  make: (world: 'works' | 'broken') => Promise<EnvironmentUnderTest>,
): void {
  describe(`${name}, as an environment`, () => {
    const neverAborted = new AbortController().signal;
    const request = anAttempt({ task: aTask({ environment: name }) });

    it('has the name that tasks use', async () => {
      assert.equal((await make('works')).environment.name, name);
    });

    it('gives an answer with all its parts', async () => {
      const { environment } = await make('works');
      const result = await environment.attempt(request, neverAborted);
      assert.equal(result.kind, 'answered', result.kind === 'invalid' ? result.reason : '');
      if (result.kind !== 'answered') return;
      assert.match(result.answer, /hello/);
      assert.ok(result.transcript.every((turn) => turn.kind === 'message' || turn.kind === 'tool'));
      assert.ok(Number.isFinite(result.usage.inputTokens + result.usage.outputTokens));
      assert.equal(typeof result.cached, 'boolean');
      assert.equal(typeof result.extras, 'object');
    });

    it('makes another sample for another attempt and for another family, and the same for the same', async () => {
      const { environment, samples } = await make('works');
      const same = [request, request];
      const others = [
        { ...request, attempt: 2 },
        { ...request, family: 'certification:1' },
      ];
      for (const each of [...same, ...others]) await environment.attempt(each, neverAborted);
      const [first, second, ...rest] = samples();
      assert.equal(first, second);
      assert.equal(new Set([first, ...rest]).size, 3);
    });

    it('attempts a task without a skill', async () => {
      const { environment, skills } = await make('works');
      assert.equal((await environment.attempt({ ...request, skill: undefined }, neverAborted)).kind, 'answered');
      assert.deepEqual(skills(), [undefined]);
    });

    it('changes nothing of the request', async () => {
      const { environment } = await make('works');
      const before = structuredClone(request);
      await environment.attempt(deepFrozen(request), neverAborted);
      assert.deepEqual(request, before);
    });

    it('calls an attempt invalid that the world prevented, with the reason, and never scores it', async () => {
      const result = await (await make('broken')).environment.attempt(request, neverAborted);
      assert.equal(result.kind, 'invalid');
      assert.ok(result.kind === 'invalid' && result.reason.length > 10, JSON.stringify(result));
    });

    it('stops when it is asked to', async () => {
      const reason = new Error('enough');
      const { environment } = await make('works');
      await assert.rejects(environment.attempt(request, AbortSignal.abort(reason)), reason);
    });
  });
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFrozen(inner);
  }
  return value;
}
