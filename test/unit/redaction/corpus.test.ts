import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { lookAlikes } from './lookAlikes.js';
import { type SampleSecret, sampleSecrets } from './secretCorpus.js';

const full = process.env['WHETSTONE_FULL'] === '1';

/** In the short numbers every fifth: each kind comes in four contexts, so most kinds are there, in one of them. */
function some(seed: number): readonly SampleSecret[] {
  return full ? sampleSecrets(seed) : sampleSecrets(seed).filter((_, at) => at % 5 === 0);
}

describe('redaction corpus', () => {
  it('takes out every secret of every published kind, whatever stands around it', () => {
    const redactor = createRedactor({ key: 'k' });
    const samples = some(1);
    const missed: string[] = [];
    for (const { kind, secret, text } of samples) {
      const redacted = redactor.redact(text).text;
      if (survives(secret, redacted)) missed.push(`${kind}: ${redacted}`);
      assert.equal(redactor.restore(redacted), text);
    }
    assert.deepEqual(missed, []);
    assert.ok(samples.length >= 120, `${samples.length} secrets`);
    assert.ok(new Set(samples.map(({ kind }) => kind)).size >= 40);
  });

  it('takes out several secrets of one text', () => {
    const samples = some(2);
    const { text } = createRedactor({ key: 'k' }).redact(samples.map((sample) => sample.text).join('\n\n'));
    assert.deepEqual(
      samples.filter(({ secret }) => survives(secret, text)).map(({ kind }) => kind),
      [],
    );
  });

  it('leaves look-alikes: at most four of two hundred are touched', () => {
    const redactor = createRedactor({ key: 'k' });
    for (const seed of full ? Array.from({ length: 30 }, (_, index) => index) : [1]) {
      const texts = lookAlikes(seed);
      assert.ok(texts.length >= 200, `${texts.length} look-alikes`);
      const redacted = texts.map((text) => redactor.redact(text).text);
      const touched = texts.filter((text, index) => redacted[index] !== text);
      assert.ok(touched.length <= 4, touched.join('\n'));
    }
  });

  it('passes ordinary Markdown files byte for byte', () => {
    const redactor = createRedactor({ key: 'k' });
    const files = ordinaryMarkdown();
    assert.ok(files.length >= 30, `${files.length} files`);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const redaction = redactor.redact(text);
      assert.equal(
        redaction.text,
        text,
        `${file}: ${redaction.found.map(({ placeholder }) => redactor.restore(placeholder)).join(', ')}`,
      );
    }
  });

  if (full) {
    it('misses fewer than one in a thousand over many seeds', () => {
      const redactor = createRedactor({ key: 'k' });
      const missed: string[] = [];
      let all = 0;
      for (let seed = 1; seed <= 30; seed++) {
        for (const { kind, secret, text } of sampleSecrets(seed)) {
          all += 1;
          if (survives(secret, redactor.redact(text).text)) missed.push(kind);
        }
      }
      assert.ok(missed.length <= all / 1000, `${missed.length} of ${all}: ${missed.join(', ')}`);
    }).timeout(120_000);
  }
});

/** Half a secret is a secret: no ten characters of it may be left. */
function survives(secret: string, text: string): boolean {
  if (secret.length < 10) return text.includes(secret);
  return Array.from({ length: secret.length - 9 }, (_, at) => secret.slice(at, at + 10)).some((part) =>
    text.includes(part),
  );
}

/** Their pages show passwords in addresses, and a link that opens a file by its token. */
const showSecrets: ReadonlySet<string> = new Set(['bullmq', 'ioredis']);

/** What the project's own dependencies and this repository say about themselves: written by many, with no eye on us. */
function ordinaryMarkdown(): readonly string[] {
  const { dependencies = {}, devDependencies } = z
    .object({
      dependencies: z.record(z.string(), z.string()).optional(),
      devDependencies: z.record(z.string(), z.string()),
    })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const folders = [
    ...Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => !showSecrets.has(name))
      .map((name) => path.join('node_modules', name)),
    'test/fixtures/redaction',
  ];
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => /\.md$/i.test(file) && readFileSync(file).length < 400_000);
}
