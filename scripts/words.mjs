// Brings l10n/ in step with the sources: collects the texts that a person may read, drops those that are gone, and names
// those that still need a translation. A test compares the same; run this after adding or changing a text.
//   node scripts/words.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spokenTexts } from './spokenTexts.mjs';

const root = path.resolve(import.meta.dirname, '..');
const texts = spokenTexts(path.join(root, 'src'));
const chinese = JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.zh-cn.json'), 'utf8'));
write('l10n/bundle.l10n.json', texts, (text) => text);
write(
  'l10n/bundle.l10n.zh-cn.json',
  texts.filter((text) => chinese[text] !== undefined),
  (text) => chinese[text],
);
const missing = texts.filter((text) => chinese[text] === undefined);
for (const text of missing) process.stdout.write(`not translated: ${JSON.stringify(text)}\n`);
process.exitCode = missing.length > 0 ? 1 : 0;

function write(file, keys, textOf) {
  const words = Object.fromEntries(keys.map((key) => [key, textOf(key)]));
  writeFileSync(path.join(root, file), `${JSON.stringify(words, null, 2)}\n`);
}
