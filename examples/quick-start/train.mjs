// skillrl's quick start through the library; README.md says which call is which of theirs.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { evaluate, train } from 'whetstone';

const target = 'http://127.0.0.1:4010/v1#simulated-1'; // the weak model, for which the skill is trained
const optimizer = 'http://127.0.0.1:4011/v1#simulated-1'; // the strong one, which reflects and judges

const shared = {
  skill: 'handbook',
  models: { target, optimizer, judge: optimizer },
  caps: { run: { calls: 2000 } },
};
const settings = {
  'train.epochs': 2,
  'train.batchSize': 8,
  'reflect.minibatchSize': 4,
  'edits.budget': 4,
  'edits.schedule': 'cosine',
  'gate.metric': 'hard',
};

const { totals } = await evaluate({ ...shared, sealed: true });
say(`as it is: held-out ${totals.heldOut.hard}, sealed ${totals.sealed.hard}`);

for (const rule of ['strict', 'confident']) {
  const out = `outputs/library-${rule}`;
  const { verdict, edits } = await train({ ...shared, settings: { ...settings, 'gate.rule': rule }, out });
  const summary = JSON.parse(readFileSync(`${out}/summary.json`, 'utf8'));
  say(`${rule}: ${verdict?.kind}, ${edits.length} edits, ${summary.best_selection_score}, ${summary.test_hard}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
