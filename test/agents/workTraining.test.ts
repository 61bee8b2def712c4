import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { aCommandLine } from '../builders/commandLine.js';
import type { AskedRequest, ServerBehaviour } from './AgentServer.js';
import { AgentMachine, installedKinds, realAgents } from './realAgents.js';
import { ruleOf, skilledModel } from './skilledModel.js';

const skill = 'release-notes';
const beginning = '- [fix] ';
/** The fixture's own test. It says what it wants, as tests do. */
const check = `#!/bin/sh\ngrep -q -e '^- \\[fix\\] ' NOTES.md && exit 0\necho 'A line of NOTES.md begins with «${beginning}», and none does.'\nexit 1\n`;
/** One look at all failures, one candidate. */
const brief = '--set train.batchSize=10000 --set reflect.minibatchSize=1000 --set reflect.failureOnly=true'.split(' ');

/** A workspace with a skill that says nothing of the form that the test of its fixture asks for. */
function aWorkspace(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-work-training-')));
  const place = path.join(folder, '.agents/skills', skill);
  const fixture = path.join(place, 'evals/fixtures/calc');
  mkdirSync(fixture, { recursive: true });
  writeFileSync(path.join(fixture, 'calc.py'), 'def add(a, b):\n    return a + b\n');
  writeFileSync(path.join(fixture, 'check.sh'), check);
  chmodSync(path.join(fixture, 'check.sh'), 0o755);
  const text = `---\nname: ${skill}\ndescription: How entries of NOTES.md are written. Use it for every entry.\n---\n\n# Notes\n\n- One line for an entry.\n`;
  writeFileSync(path.join(place, 'SKILL.md'), text);
  const ids = Array.from({ length: 20 }, (_, at) => `entry-${at + 1}`);
  const evals = ids.map((id, at) => ({ id, prompt: `Write an entry about “${subjects[at] ?? id}” to NOTES.md.` }));
  const checks = [{ check: 'command', command: './check.sh' }];
  const task = { environment: 'agent', agent: { fixture: 'evals/fixtures/calc' }, checks };
  const tasks = Object.fromEntries(ids.map((id) => [id, task]));
  writeFileSync(path.join(place, 'evals/evals.json'), JSON.stringify({ skill_name: skill, evals }));
  writeFileSync(
    path.join(place, 'evals/whetstone.json'),
    JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks }),
  );
  return folder;
}

const subjects =
  'addition rounding overflow parsing printing logging caching sorting merging locking naming paths dates zones colours fonts sizes keys tokens limits'.split(
    ' ',
  );

/** The model of both roles: it works as the skill says, and asked for edits it proposes what the failed test wants. */
function learningModel(id: Parameters<typeof skilledModel>[0], isDecisive: boolean): ServerBehaviour {
  const works = skilledModel(id, skill);
  if (works.kind !== 'works') throw new Error('It works.');
  const next = (request: AskedRequest) => {
    const answer = works.next(request);
    if (answer.text !== 'A title') return answer;
    const wanted = /begins with «([^»]*)»/u.exec(request.text)?.[1];
    const rule = isDecisive ? ruleOf(wanted ?? '') : 'Write clearly.';
    const edits = wanted === undefined ? [] : [{ op: 'append', content: `- ${rule}`, rationale: 'The test wants it.' }];
    return { text: JSON.stringify({ failure_summary: [], edits }) };
  };
  return { kind: 'works', next };
}

for (const kind of installedKinds.filter(({ id }) => id === 'claude-code' || id === 'codex'))
  for (const isDecisive of [true, false])
    describe(`a skill trained through ${kind.label} itself, at work in a folder`, () => {
      it(
        isDecisive
          ? 'gets the rule that the fixture’s own test asks for, certified'
          : 'gets nothing certified where the decisive rule is taken out of the proposal',
        async () => {
          const folder = aWorkspace();
          const machine = await AgentMachine.start(kind);
          machine.server.behaves(learningModel(kind.id, isDecisive));
          const { environment } = machine;
          const shell = aCommandLine({ copy: folder, model: 'none', environment, programs: 'sandbox' });
          try {
            const place = path.join(shell.folder, '.agents/skills', skill);
            const model = `${kind.id}/${realAgents[kind.id]?.model ?? ''}`;
            const began = performance.now();
            const words = ['--model', model, '--preset', 'quick', '--yes', '--allow-programs', ...brief];
            const { code, out, err } = await shell.run('optimize', place, ...words);
            const seconds = (performance.now() - began) / 1000;
            const calls = machine.server.asked.length;
            process.stdout.write(`      FIGURE ${kind.id}: ${calls} requests in ${seconds.toFixed(0)} s\n`);
            assert.equal(code, 0, err);
            if (isDecisive) assert.match(out, new RegExp(`${skill} improved from 0 % to 100 %`, 'u'), out + err);
            else assert.doesNotMatch(out, /improved from/u);
            assert.ok(readFileSync(path.join(place, 'SKILL.md'), 'utf8').endsWith('- One line for an entry.\n'));
          } finally {
            shell.dispose();
            await machine.stop();
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ).timeout(30 * 60_000);
    });
