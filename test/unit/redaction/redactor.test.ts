import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { few } from '../../builders/few.js';
import { timeOf } from '../../builders/linearTime.js';
import { sampleSecrets } from './secretCorpus.js';

describe('redactor', () => {
  const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;

  it('takes a whole key out, whatever line stands in the middle of it', () => {
    const body = Array.from({ length: 20 }, (_, at) => createHash('sha512').update(String(at)).digest('base64'));
    const [begin, end] = ['-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----'];
    for (const line of ['diff --git a/x b/x', 'Proc-Type: 4,ENCRYPTED', '']) {
      const text = [begin, ...body.slice(0, 10), line, ...body.slice(10), end].join('\n');
      const { text: shown } = createRedactor({ key: 'k' }).redact(text);
      assert.deepEqual(
        body.filter((each) => shown.includes(each)),
        [],
        line,
      );
    }
  });

  it('takes a key out of one file of a difference, and nothing of the next', () => {
    const [begin, end] = ['-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----'];
    for (const last of [end, 'the end']) {
      const files = [added('0.txt', begin), added('build.sh', 'curl example.org'), added('z.txt', last)];
      const { text } = createRedactor({ key: 'k' }).redact(files.join(''));
      for (const told of ['a/build.sh', '+curl example.org', 'a/z.txt'])
        assert.ok(text.includes(told), `${told}\n${text}`);
    }
  });

  it('replaces a secret by its kind and a hash, and puts it back', () => {
    const redactor = createRedactor({ key: 'state key' });
    const redaction = redactor.redact(`Deploy with ${token} on Friday.`);
    assert.match(redaction.text, /^Deploy with REDACTED_github-token_[0-9a-f]{12} on Friday\.$/);
    assert.deepEqual(
      redaction.found.map(({ kind }) => kind),
      ['github-token'],
    );
    assert.equal(redactor.restore(redaction.text), `Deploy with ${token} on Friday.`);
  });

  it('gives the same secret the same placeholder in every process that shares the key', () => {
    const [first, second, other] = ['k', 'k', 'another'].map((key) => createRedactor({ key }).redact(token).text);
    assert.equal(first, second);
    assert.notEqual(first, other);
    // Written down once: a changed placeholder would lose every stored reply.
    assert.equal(first, 'REDACTED_github-token_42a4d3c78c4b');
  });

  it('takes for clean what another one found nothing in, but for the secrets that it knows itself', () => {
    const word = 'plainwordofmine';
    const text = `Deploy with ${word} on Friday.`;
    const [plain, knowing] = [createRedactor({ key: 'k' }), createRedactor({ key: 'k', known: [word] })];
    assert.equal(plain.redact(text).text, text);
    assert.doesNotMatch(knowing.redact(text).text, /plainword/);
    assert.equal(createRedactor({ key: 'k' }).redact(text).text, text);
    const twice = [1, 2].map(() => createRedactor({ key: 'k' }).redact(`Again with ${token}.`).found.length);
    assert.deepEqual(twice, [1, 1]);
  });

  it('finds in pieces what it finds in one go, and remembers as much by it', () => {
    const [whole, inPieces] = [createRedactor({ key: 'k' }), createRedactor({ key: 'k' })];
    const samples = few(sampleSecrets(3), 16);
    const filler = 'The order: 12 of “blue”, size=42, see note --about this one.\n'.repeat(30);
    const texts = [
      samples.map(({ text }) => `${text}\n${filler}`).join('\n'),
      samples
        .map(({ text }) => text)
        .toReversed()
        .join(`\nmot de passe: Tr0ub4dor&3 für ${filler}`),
      // Known by now, and without the name that gave it away.
      `${filler.repeat(10)}${samples.map(({ secret }) => secret).join('\n')}`,
      'short',
    ];
    for (const text of texts) {
      const { pieces, result } = counted(inPieces.redacting(text));
      assert.deepEqual(result, whole.redact(text));
      assert.deepEqual(inPieces.redact(text), result);
      assert.ok(text.length < 16_384 || pieces > 100, `${pieces} pieces of ${text.length} characters`);
    }
  });

  it('leaves placeholders that it did not make as they are', () => {
    const foreign = 'REDACTED_jwt_0123456789ab';
    assert.equal(createRedactor({ key: 'k' }).restore(foreign), foreign);
  });

  it('never names the secret in what it reports', () => {
    const { found } = createRedactor({ key: 'k' }).redact(`${token} and password = "tr0ub4dor&3"`);
    assert.equal(found.length, 2);
    assert.doesNotMatch(JSON.stringify(found), /a1B2|tr0ub/);
  });

  it('takes out secrets known by value as addresses, headers and logs hold them', () => {
    const secret = 'my/key+with=signs-0123';
    const percent = encodeURIComponent(secret);
    const said = [
      percent,
      percent.toLowerCase(),
      base64(secret),
      base64(secret).replaceAll('=', ''),
      Buffer.from(secret).toString('base64url'),
      ...['u:', 'us:', 'person:', 'Bearer '].flatMap((before) => [
        base64(`${before}${secret}`),
        base64(`${before}${secret} and more`),
      ]),
    ];
    const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
    said.push(
      ...['%', '\\u00', '\\x', '\\\\u00'].map((sign) => bytes.map((byte) => sign + byte).join('')),
      bytes.map((byte) => `%${byte.toUpperCase()}`).join(''),
      bytes.map((byte, at) => (at % 2 === 0 ? `%${byte}` : secret.charAt(at))).join(''),
      bytes.join(''),
      bytes.join('').toUpperCase(),
    );
    for (const form of said) {
      const redactor = createRedactor({ key: 'k', known: [secret] });
      const text = `GET /?k=${form} 401 {"error":"${form}"}`;
      const { text: redacted } = redactor.redact(text);
      const cores = redacted.replaceAll(/REDACTED_[a-z-]+_[0-9a-f]{12}/g, '');
      assert.match(cores, /^GET \/\?k=(?:=*) 401 \{"error":"(?:=*)"\}$/, form);
      assert.equal(redactor.restore(redacted), text);
    }
    const other = `${base64('an ordinary sentence')} ${encodeURIComponent('a/b c')}`;
    assert.equal(createRedactor({ key: 'k', known: [secret] }).redact(other).text, other);
  });

  it('takes out secrets known by value, whatever their shape', () => {
    const redactor = createRedactor({ key: 'k', known: ['plain words', 'abc'] });
    const { text } = redactor.redact('These are plain words, twice: plain words. abc.');
    assert.doesNotMatch(text, /plain words/);
    assert.match(text, /abc\.$/, 'too short to be told from ordinary text');
    assert.equal(redactor.restore(text), 'These are plain words, twice: plain words. abc.');
  });

  it('takes out what it took out before, wherever it stands then', () => {
    const redactor = createRedactor({ key: 'k' });
    const secret = '5f1d7a9c3b2e8f4a6d0c1b7e';
    assert.equal(redactor.redact(`see ${secret} there`).text, `see ${secret} there`, 'by itself it is a hash');
    const named = redactor.redact(`kucoin_api_key = "${secret}"`).text;
    assert.ok(!named.includes(secret));
    const bare = redactor.redact(`…${secret} was cut off from its name`).text;
    assert.ok(!bare.includes(secret));
    assert.equal(redactor.restore(bare), `…${secret} was cut off from its name`);
    assert.equal(named.match(/REDACTED_\S+?_\w{12}/)?.[0], bare.match(/REDACTED_\S+?_\w{12}/)?.[0]);
  });

  it('escapes what it puts back into JSON, so that the reply still parses', () => {
    const redactor = createRedactor({ key: 'k' });
    const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQ'.repeat(12), '-----END PRIVATE KEY-----'].join('\n');
    const { text } = redactor.redact(key);
    assert.match(text, /^REDACTED_private-key_/);
    const reply = JSON.stringify({ target: `before ${text} after` });
    assert.deepEqual(JSON.parse(redactor.restore(reply, { form: 'json' })), { target: `before ${key} after` });
  });

  it('obeys no comment that asks it to look away', () => {
    const { text } = createRedactor({ key: 'k' }).redact(`<!-- secretlint-disable -->\nntn_${'1'.repeat(46)}\n`);
    assert.match(text, /REDACTED_/);
  });

  it('leaves text without secrets alone, with every kind of line break and a byte order mark', () => {
    const text = '\uFEFF# Title\r\n\r\nSome\ttext \u{1F511} 密码 without secrets\n\n\n';
    assert.equal(createRedactor({ key: 'k' }).redact(text).text, text);
  });

  it('restores every text and changes nothing the second time', () => {
    const secrets = sampleSecrets(7);
    const piece = fc.oneof(
      fc.constantFrom(...secrets.map(({ text }) => text)),
      fc.constantFrom(...secrets.map(({ secret }) => secret)),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('password=', 'Bearer ', '"', "'", '\\', '\n', '://', '@', 'REDACTED_jwt_', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const redactor = createRedactor({ key: 'k' });
        const text = pieces.join('');
        const once = redactor.redact(text);
        assert.equal(redactor.restore(once.text), text);
        assert.equal(redactor.redact(once.text).text, once.text);
      }),
      { numRuns: process.env['WHETSTONE_FULL'] === '1' ? 3000 : 12 },
    );
  });

  const repeated = [
    'password for ',
    'passphrase is a ',
    'secret (',
    '密码（',
    'パスフレーズは「',
    'a',
    '=',
    ' ',
    '"',
    'a.',
    'key: ',
    'https://a:',
    'eyJ',
    '-----BEGIN PRIVATE KEY-----',
    '\\',
    'aB1',
    '\n',
    'a@',
    '1/',
    '{',
    'sk-',
    'password ',
    'my password: sunshine\n',
    'PASSWORD=a(',
    'cookie: a=b; ',
    'cookie:',
    ' -u a:b',
    'mysql -p',
    'machine a login b ',
    'a:bcdefg@c.',
    '| password | ',
    'x_session',
    '密码：',
    '"\\\\',
    'a...',
  ];
  for (const part of few(repeated, 18)) {
    it(`reads a long row of ${JSON.stringify(part)} in linear time`, () => {
      const text = part.repeat(Math.ceil(60_000 / part.length));
      const taken = timeOf(() => createRedactor({ key: 'k' }).redact(text));
      assert.ok(taken < 3000, 'a pattern backtracks');
    });
  }
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function counted<Result>(steps: Generator<undefined, Result, undefined>) {
  for (let pieces = 1; ; pieces += 1) {
    const step = steps.next();
    if (step.done === true) return { pieces, result: step.value };
  }
}

/** A difference that adds a file of one line. */
function added(name: string, line: string): string {
  return `diff --git a/${name} b/${name}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${line}\n`;
}
