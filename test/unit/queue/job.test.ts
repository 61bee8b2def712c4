import assert from 'node:assert/strict';
import { ModelError, UserError } from '../../../src/errors.js';
import { FailedCall, RefusedForm, usageOfFailure } from '../../../src/models/wrappers/failedCall.js';
import { worstUsage } from '../../../src/models/tokens.js';
import { errorOf, failureOf } from '../../../src/queue/callFailure.js';
import { envelopesOf } from '../../../src/queue/envelope.js';
import { jobId, laneName, laneOf, readJob, readResult, requestToSend, type Lane } from '../../../src/queue/job.js';
import { aReply, aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aWorkTree } from '../../builders/aWorkTree.js';

const envelopes = envelopesOf('a secret that both sides were given');
const now = Date.UTC(2026, 0, 15, 12);
const { identity: model } = new ScriptedModel();
const lane: Lane = { role: 'target', environment: 'chat', model };
const id = jobId('run-1', 'k'.repeat(64), 1);
const nonce = 'n'.repeat(32);

describe('a job of the queue', () => {
  it('is named for its run, its reply and its try', () => {
    const ids = [jobId('a', 'k', 1), jobId('a', 'k', 2), jobId('b', 'k', 1), jobId('a', 'l', 1)];
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((each) => !each.includes(':')));
  });

  it('is read by a worker that offers its lane', () => {
    const read = readJob(sealed({}), { id, lane: laneName(lane), now }, { envelopes, offered: [lane] });
    assert.equal(read.kind, 'job');
    assert.deepEqual(read.kind === 'job' && 'request' in read.job && [read.runId, read.job.request.messages], [
      'run-1',
      aRequest().messages,
    ]);
  });

  const judge: Lane = { ...lane, role: 'judge' };
  const other: Lane = { ...lane, model: { ...model, model: 'other' } };
  const cases: readonly (readonly [
    string,
    Parameters<typeof sealed>[0],
    Partial<{ at: Lane; offered: Lane }>,
    string,
  ])[] = [
    ['a role that it was not started with', { lane: judge }, { at: judge }, 'role'],
    ['a request of another role than its lane', { request: aRequest({ role: 'judge' }) }, {}, 'role'],
    ['the optimizer’s calls', { request: aRequest({ role: 'optimizer' }) }, {}, 'malformed'],
    ['a model that it was not started with', { lane: other }, { at: other }, 'model'],
    ['a job that lies in another lane', { lane: other }, {}, 'misplaced'],
    ['an agent in a lane for answers', { work: true }, {}, 'environment'],
    [
      'an agent where it was not started for agents',
      { lane: { ...lane, environment: 'agent' }, work: true },
      { at: { ...lane, environment: 'agent' } },
      'environment',
    ],
    ['another version', { version: 2 }, {}, 'malformed'],
    ['no nonce', { nonce: '' }, {}, 'malformed'],
    ['a field that nobody knows', { request: { ...aRequest(), shell: 'rm' } }, {}, 'malformed'],
    ['programs that judge', { request: { ...aRequest(), work: { judges: [] } } }, {}, 'malformed'],
    ['no job at all', { text: 'null' }, {}, 'malformed'],
  ];
  for (const [name, parts, { at = lane }, why] of cases) {
    it(`is refused with ${name}`, () =>
      assert.deepEqual(readJob(sealed(parts), { id, lane: laneName(at), now }, { envelopes, offered: [lane] }), {
        kind: 'refused',
        why,
      }));
  }

  it('stays where it is asked for if it is the optimizer’s, answered by hand, or judged by programs', () => {
    const work = {
      fixture: aWorkTree({}),
      skill: undefined,
      mode: 'offered',
      limits: { maxTokens: 1, maxTurns: 1, timeLimitMs: 1 },
    } as const;
    const judges = [{ command: 'node', arguments: [], timeLimitMs: 1 }];
    assert.equal(laneOf({ model, request: aRequest({ role: 'optimizer' }) }), undefined);
    assert.equal(laneOf({ model, request: aRequest({ work: { ...work, judges } }) }), undefined);
    assert.equal(laneOf({ model, request: aRequest({ work: { ...work, judges: [] } }) })?.environment, 'agent');
    assert.equal(laneOf({ model, request: aRequest({ role: 'judge' }) })?.role, 'judge');
  });
});

describe('a result of the queue', () => {
  const at = { id, runId: 'run-1', nonce, now };
  const seal = (content: unknown, about: Partial<{ id: string; runId: string; expiresAt: number }> = {}): string =>
    envelopes.seal({ kind: 'result', id, runId: 'run-1', expiresAt: now + 1_000, ...about }, JSON.stringify(content));
  const result = { kind: 'reply', nonce, worker: 'w', reply: aReply({ text: 'Moored.' }) };

  it('is the reply of the very job that was queued', () => {
    const read = readResult(seal(result), at, envelopes);
    assert.equal(read?.kind === 'reply' && read.reply.text, 'Moored.');
  });

  const wrong: Readonly<Record<string, string>> = {
    'of another job': seal(result, { id: 'other' }),
    'of another run': seal(result, { runId: 'run-2' }),
    'of an earlier job with this id': seal({ ...result, nonce: 'm'.repeat(32) }),
    'that is too old': seal(result, { expiresAt: now - 120_000 }),
    'that is a job': sealed({}),
    'that somebody else wrote': envelopesOf('x').seal(
      { kind: 'result', id, runId: 'run-1', expiresAt: now * 2 },
      JSON.stringify(result),
    ),
    'without a reply': seal({ kind: 'reply', nonce, worker: 'w' }),
    'that is not signed': JSON.stringify(result),
  };
  for (const [name, text] of Object.entries(wrong))
    it(`is none ${name}`, () => assert.equal(readResult(text, at, envelopes), undefined));

  it('of an earlier process of the run is taken whatever its nonce', () => {
    assert.ok(readResult(seal(result), { ...at, nonce: undefined }, envelopes));
  });
});

describe('a call that failed on a worker', () => {
  const errors: readonly Error[] = [
    new FailedCall('unavailable', 'It broke off.', { charged: true }),
    new FailedCall('endpoint', 'It never left.', { charged: false, sent: false, cure: 'Mend it.' }),
    new FailedCall('malformed', 'Of no use.', {
      charged: true,
      usage: { inputTokens: 3, outputTokens: 4, exact: true },
    }),
    new FailedCall('timeout', 'Late.', { charged: true, said: 900 }),
    new RefusedForm(12),
    new ModelError('rate-limit', 'Too many.', { retryAfterMs: 500 }),
    new ModelError('auth', 'Who are you?', { cure: 'Set the key.' }),
  ];
  for (const error of errors)
    it(`is booked and asked again as here: ${error.message}`, () => {
      const back = errorOf(JSON.parse(JSON.stringify(failureOf(error))), 'w1');
      const worst = worstUsage(aRequest());
      assert.deepEqual(usageOfFailure(back, worst), usageOfFailure(error, worst));
      assert.ok(back instanceof ModelError && error instanceof ModelError);
      assert.deepEqual([back.kind, back.cure, back.retryAfterMs], [error.kind, error.cure, error.retryAfterMs]);
      assert.equal(back instanceof RefusedForm, error instanceof RefusedForm);
      if (!(error instanceof RefusedForm)) assert.equal(back.message, `${error.message} (worker w1)`);
    });

  it('that only a person mends says so, and one that nobody foresaw may have been charged', () => {
    const refused = errorOf(failureOf(new UserError('environment-refused', 'No sandbox.', 'Install it.')), 'w1');
    assert.ok(refused instanceof UserError && refused.cure === 'Install it.');
    const worst = worstUsage(aRequest());
    assert.deepEqual(
      usageOfFailure(errorOf(failureOf(new Error('what?')), 'w1'), worst),
      usageOfFailure(new Error('x'), worst),
    );
  });
});

interface JobParts {
  readonly version?: number;
  readonly nonce?: string;
  readonly lane?: Lane;
  readonly request?: unknown;
  readonly work?: boolean;
  readonly text?: string;
}

function sealed({
  version = 1,
  nonce: own = nonce,
  lane: at = lane,
  request = aRequest(),
  work,
  text,
}: JobParts): string {
  const limits = { maxTokens: 1, maxTurns: 1, timeLimitMs: 1 };
  const asked = work === true ? requestToSend(aRequest(), { fixture: 'a', mode: 'offered', limits }) : request;
  const content = text ?? JSON.stringify({ version, nonce: own, lane: at, request: asked });
  return envelopes.seal({ kind: 'job', id, runId: 'run-1', expiresAt: now + 60_000 }, content);
}
