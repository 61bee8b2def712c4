import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { sampleSecrets } from '../../unit/redaction/secretCorpus.js';

const times = 8;
const tries = 5; // the best of them: what else the machine does is not ours to measure

/** Prose, code and JSON with secrets among them, eight times as long: it may take eight times the time, and little more. */
export async function run() {
  const texts = {
    prose: prose(),
    'prose with secrets': withSecrets(prose()),
    JSON: JSON.stringify(withSecrets(prose())),
  };
  const growth = Object.entries(texts).map(([name, text]) => {
    const shortMs = best(text);
    const longMs = best(text.repeat(times));
    return {
      name: `redaction of ${name}: time for ${times} times the text`,
      limit: 1.4,
      ratio: longMs / shortMs / times,
      shortMs,
      longMs,
    };
  });
  return [...growth, latinLetters()];
}

/** Names of secrets are looked for faster in a text that no letter of another alphabet stands in. */
function latinLetters() {
  const [latinMs, anyMs] = [best(prose()), best(`${prose()} ж`)];
  const name = 'redaction of prose in Latin letters: over that of the same with another letter';
  return { name, limit: 0.8, ratio: latinMs / anyMs, latinMs, anyMs };
}

function best(text: string): number {
  const all = Array.from({ length: tries }, () => {
    const redactor = createRedactor({ key: 'k' });
    const started = performance.now();
    redactor.redact(text);
    return performance.now() - started;
  });
  return Math.min(...all);
}

function prose(): string {
  const files = readdirSync('docs').filter((name) => name.endsWith('.md'));
  return files
    .map((name) => readFileSync(path.join('docs', name), 'utf8'))
    .join('\n\n')
    .slice(0, 40_000);
}

function withSecrets(text: string): string {
  const paragraphs = text.split('\n\n');
  const secrets = sampleSecrets(1).map((sample) => sample.text);
  return paragraphs.flatMap((each, index) => [each, secrets[index % secrets.length] ?? '']).join('\n\n');
}
