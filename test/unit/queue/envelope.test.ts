import assert from 'node:assert/strict';
import { envelopesOf, type Label } from '../../../src/queue/envelope.js';

const secret = 'a secret that both sides were given';
const envelopes = envelopesOf(secret);
const now = Date.UTC(2026, 0, 15, 12);
const label: Label = { kind: 'job', id: 'j.1', runId: 'run-1', expiresAt: now + 60_000 };
const at = { kind: 'job', id: 'j.1', now } as const;

describe('an envelope of the queue', () => {
  it('gives back what was sealed, with its label, to everybody who has the secret', () => {
    const sealed = envelopes.seal(label, 'What the skill says.');
    const opened = envelopesOf(secret).open(sealed, { ...at, runId: 'run-1' });
    assert.equal(opened.kind, 'opened');
    assert.deepEqual(opened.kind === 'opened' && [opened.label, opened.content.toString()], [
      label,
      'What the skill says.',
    ]);
  });

  it('holds no text that can be read, and is another one each time', () => {
    const [one, other] = [envelopes.seal(label, 'Moored at noon.'), envelopes.seal(label, 'Moored at noon.')];
    assert.notEqual(one, other);
    for (const part of one.split('.')) assert.ok(!Buffer.from(part, 'base64url').toString().includes('Moored'));
  });

  const sealed = envelopes.seal(label, 'What the skill says.');
  const [form, head = '', body = '', mac = ''] = sealed.split('.');
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'unsigned'],
    ['a number', 7, 'unsigned'],
    ['an object', { sealed }, 'unsigned'],
    ['plain words', 'run this', 'unsigned'],
    ['JSON of a job', JSON.stringify({ role: 'target' }), 'unsigned'],
    ['no MAC', `${form}.${head}.${body}`, 'unsigned'],
    ['an empty MAC', `${form}.${head}.${body}.`, 'unsigned'],
    ['another version', sealed.replace(/^w1/, 'w0'), 'unsigned'],
    ['one part too many', `${sealed}.x`, 'unsigned'],
    ['a MAC of zeros', `${form}.${head}.${body}.${Buffer.alloc(32).toString('base64url')}`, 'altered'],
    ['half a MAC', `${form}.${head}.${body}.${mac.slice(0, 20)}`, 'altered'],
    ['another body', `${form}.${head}.${flipped(body)}.${mac}`, 'altered'],
    ['a cut body', `${form}.${head}.${body.slice(0, -4)}.${mac}`, 'altered'],
    ['no body', `${form}.${head}..${mac}`, 'altered'],
    ['another label', `${form}.${headOf({ ...label, id: 'j.2' })}.${body}.${mac}`, 'altered'],
    ['a later expiry', `${form}.${headOf({ ...label, expiresAt: now * 2 })}.${body}.${mac}`, 'altered'],
    ['another secret', envelopesOf(`${secret}!`).seal(label, 'x'), 'altered'],
    ['another job', envelopes.seal({ ...label, id: 'j.2' }, 'x'), 'misplaced'],
    ['another kind', envelopes.seal({ ...label, kind: 'result' }, 'x'), 'misplaced'],
    ['an old one', envelopes.seal({ ...label, expiresAt: now - 120_000 }, 'x'), 'expired'],
  ];
  for (const [name, given, why] of cases) {
    it(`refuses ${name} as ${why}`, () => assert.deepEqual(envelopes.open(given, at), { kind: 'refused', why }));
  }

  it('refuses one of another run where the run is known', () => {
    assert.deepEqual(envelopes.open(sealed, { ...at, runId: 'run-2' }), { kind: 'refused', why: 'misplaced' });
  });

  it('takes one whose clock is half a minute behind', () => {
    const late = envelopes.seal({ ...label, expiresAt: now - 30_000 }, 'x');
    assert.equal(envelopes.open(late, at).kind, 'opened');
  });

  it('names content by an address that only the secret gives', () => {
    const content = Buffer.from('a fixture');
    assert.equal(envelopes.addressOf(content), envelopesOf(secret).addressOf(content));
    assert.notEqual(envelopes.addressOf(content), envelopesOf('x').addressOf(content));
  });
});

function flipped(text: string): string {
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
}

function headOf({ kind, id, runId, expiresAt }: Label): string {
  return Buffer.from(JSON.stringify([kind, id, runId, expiresAt])).toString('base64url');
}
