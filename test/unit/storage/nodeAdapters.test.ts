import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nodeClock, nodeFiles } from '../../../src/storage/files/nodeAdapters.js';
import { aMachine, scrapMachines } from '../../builders/storage.js';
import { ManualClock } from '../../fakes/ManualClock.js';
import { MemoryFiles } from '../../fakes/MemoryFiles.js';
import { clockContract } from './contracts/clockContract.js';
import { fixtureFilesContract } from './contracts/fixtureFilesContract.js';

after(scrapMachines);

clockContract("the machine's clock", () => ({ clock: nodeClock, pass: (ms) => wait(ms) }));
clockContract('ManualClock', () => {
  const clock = new ManualClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});

fixtureFilesContract("the machine's files", async (texts) => {
  const { workspace } = await aMachine();
  const folder = path.join(workspace, 'fixtures');
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return { files: nodeFiles, folder };
});

fixtureFilesContract('MemoryFiles', (texts) => {
  const entries = Object.entries(texts).map(([name, text]) => [`/folder/${name}`, text]);
  return Promise.resolve({ files: new MemoryFiles(Object.fromEntries(entries)), folder: '/folder' });
});
