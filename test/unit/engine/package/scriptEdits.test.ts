import assert from 'node:assert/strict';
import { optimizeSkill } from '../../../../src/engine/optimizeSkill.js';
import { originalCandidate } from '../../../../src/engine/candidate.js';
import { withEdits } from '../../../../src/engine/stages/update.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { aPatchEdit } from '../../../builders/aPatch.js';
import { anOptimizer, aRunContext, edits, skillText } from '../../../builders/aRunContext.js';
import { aSplit, wants } from '../../../builders/aSplit.js';
import { neverAborted } from '../../../builders/storage.js';
import { ScriptedParser } from '../../../fakes/ScriptedParser.js';

const python = 'scripts/say.py';
const shell = 'scripts/say.sh';
const files = {
  [python]: '#!/usr/bin/env python3\ndef words():\n    return []\n',
  [shell]: '#!/bin/sh\nif true; then\n  ls\nfi\n',
};
const rationale = 'r';

/** To say it the agent has to find it in both scripts. */
const inPython: Edit = {
  op: 'replace',
  file: python,
  anchor: 'return []',
  content: 'return ["Say “alpha”"]',
  rationale,
};
const good: readonly Edit[] = [
  inPython,
  { op: 'replace', file: shell, anchor: '  ls', content: '  echo "Say “beta”"', rationale },
];
const broken: readonly Edit[] = [
  { op: 'replace', file: python, anchor: '    return', content: 'return', rationale },
  { op: 'delete', file: shell, anchor: 'if true; then', rationale },
];

describe('edits of scripts in Python and shell', () => {
  it('are trained, told of where they do not parse, and proposed file by file', async () => {
    const scriptParser = new ScriptedParser();
    // It mends what it is told of: an edit that does not parse is a part of what was tried.
    const optimizer = anOptimizer({
      reflect: ({ messages }) =>
        messages.some(({ content }) => content.includes('would no longer parse')) ? edits(...good) : edits(...broken),
    });
    const settings = { train: { epochs: 2, batchSize: 3 }, gate: { attribution: false } };
    const { context, events } = aRunContext({ optimizer, settings });
    const { attempt } = context;
    const reading: typeof attempt = (request, signal) => {
      const { skill, files: changed = {} } = request;
      return attempt({ ...request, skill: [skill, ...Object.values({ ...files, ...changed })].join('\n') }, signal);
    };
    const split = aSplit({}, () => wants('alpha', 'beta'));
    const result = await optimizeSkill({ ...context, scriptParser, attempt: reading }, subjectOf(split), neverAborted);
    assert.equal(result.kind, 'proposed');
    const { documents, leftOut, verdict } = result.proposal;
    assert.equal(verdict.kind, 'accepted');
    assert.deepEqual(
      documents.map(({ path, candidateText }) => [path, candidateText]),
      [
        [`./${python}`, files[python]?.replace('[]', '["Say “alpha”"]')],
        [`./${shell}`, files[shell]?.replace('ls', 'echo "Say “beta”"')],
      ],
    );
    const told = leftOut.map(({ outcome }) => ('detail' in outcome ? outcome.detail : ''));
    assert.deepEqual(told.slice(0, 2), [
      `${python} would no longer parse in line 3 (unexpected).`,
      `${shell} would no longer parse in line 3 (unexpected).`,
    ]);
    const asked = optimizer.requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
    for (const each of told)
      assert.ok(
        asked.some((text) => text.includes(`not applied (${each})`)),
        each,
      );
    assert.equal(new Set(scriptParser.parsed).size, scriptParser.parsed.length, 'equal texts are parsed once');
    assert.ok(events.length > 0);
  });

  it('are taken only where somebody can parse them', async () => {
    assert.equal(await outcomeOf(inPython, { scriptParser: new ScriptedParser() }), 'applied');
    assert.equal(await outcomeOf(inPython, {}), `${python} could not be parsed. There is no parser for it here.`);
    const lacking = new ScriptedParser({ python: 'python3 is not installed here.' });
    assert.equal(
      await outcomeOf(inPython, { scriptParser: lacking }),
      `${python} could not be parsed. python3 is not installed here.`,
    );
  });

  it('are told of without secrets that the parser quotes, cut after they were taken out', async () => {
    const scriptParser = {
      parse: async () => ({ kind: 'broken', message: `near ${'x'.repeat(195)}hunter2 ${'y'.repeat(90)}` }) as const,
    };
    const told = await outcomeOf(inPython, {
      scriptParser,
      redact: (text: string): string => text.replaceAll('hunter2', 'R'),
    });
    assert.doesNotMatch(told, /hunt/u);
    assert.match(told, /…\)\.$/u);
  });
});

async function outcomeOf(edit: Edit, more: object): Promise<string> {
  const { context } = aRunContext();
  const base = originalCandidate(skillText, files);
  const { candidate, report } = await withEdits({ ...context, ...more }, base, [aPatchEdit(edit)], neverAborted);
  const outcome = report[0]?.outcome;
  assert.equal(Object.keys(candidate.files?.changed ?? {}).length, outcome?.kind === 'applied' ? 1 : 0);
  return outcome !== undefined && 'detail' in outcome ? outcome.detail : (outcome?.kind ?? '');
}

function subjectOf(tasks: ReturnType<typeof aSplit>): Parameters<typeof optimizeSkill>[1] {
  return {
    skillKey: 'key',
    skillName: 'words',
    skillPath: 'skills/words/SKILL.md',
    skill: skillText,
    files,
    memory: undefined,
    tasks,
    leaks: [],
    models: { target: 'scripted', optimizer: 'scripted', judge: 'scripted', simulated: false },
  };
}
