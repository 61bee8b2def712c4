// `npm run pictures`: takes the pictures of the walkthrough, of the README and of docs/ from a real window.
// Frames of the one at its top come from test/e2e/results/tour.full.test.ts, named by how many milliseconds each is shown.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPng, writeApng, writeIndexedPng } from './apng.mjs';
import { withFewColours } from './fewColours.mjs';

const root = path.resolve(import.meta.dirname, '..');
const frameFolder = path.join(root, 'out/tour');
const tour = path.join(root, 'docs/pictures/tour.png');

const scripts = ['results/walkthrough', 'results/agentWork', 'results/sessions', 'results/tour'];

rmSync(frameFolder, { recursive: true, force: true });
const taken = spawnSync(process.execPath, ['scripts/host/e2e.mjs', ...scripts], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, WHETSTONE_PICTURES: '1' },
});
if (taken.status !== 0) process.exit(1);

const walkthrough = path.join(root, 'media/walkthrough');
const steps = readdirSync(walkthrough).filter((name) => name.endsWith('.png'));
const sessions = path.join(path.dirname(tour), 'sessions.png');
for (const file of [...steps.map((name) => path.join(walkthrough, name)), sessions]) {
  writeFileSync(file, writeIndexedPng(withFewColours(readPng(readFileSync(file)))));
}

const frames = readdirSync(frameFolder)
  .filter((name) => name.endsWith('.png'))
  .sort()
  .map((name) => ({
    picture: readPng(readFileSync(path.join(frameFolder, name))),
    shownMs: Number(/-(\d+)ms\.png$/.exec(name)?.[1]),
  }));
mkdirSync(path.dirname(tour), { recursive: true });
writeFileSync(tour, writeApng(frames));
process.stdout.write(
  `${path.relative(root, tour)}: ${frames.length} frames, ${(readFileSync(tour).length / 1024).toFixed(0)} KB\n`,
);
