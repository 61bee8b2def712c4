// Draws docs/pictures/truth.svg as truth.png for the README, because the Marketplace shows no SVG there. `npm run bench:truth`
// makes the SVG; run this after it.
import { chromium } from 'playwright-core';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPng, writeIndexedPng } from './apng.mjs';
import { withFewColours } from './fewColours.mjs';
import { findBrowser } from './host/browserPath.mjs';

const folder = path.resolve(import.meta.dirname, '../docs/pictures');
const svg = readFileSync(path.join(folder, 'truth.svg'), 'utf8');
const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg);
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--disable-gpu', '--font-render-hinting=none', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
try {
  const viewport = { width: Number(width), height: Number(height) };
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light' });
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  const file = path.join(folder, 'truth.png');
  writeFileSync(file, writeIndexedPng(withFewColours(readPng(await page.screenshot()))));
  process.stdout.write(`docs/pictures/truth.png: ${(readFileSync(file).length / 1024).toFixed(0)} KB\n`);
} finally {
  await browser.close();
}
