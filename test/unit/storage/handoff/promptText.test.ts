import assert from 'node:assert/strict';
import { indexText, promptText } from '../../../../src/storage/handoff/promptText.js';
import { replyKey } from '../../../../src/models/wrappers/replyKey.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const about = { skill: 'dates', skillPath: '/dates/SKILL.md', run: 'r1', goesOn: 'resume' } as const;
const waits = (name: string, formless = false) => ({ name, wants: 'a reply as JSON', formless });

describe('the texts for whoever answers by hand', () => {
  it('link each prompt, and the answer that is to be made', () => {
    const index = indexText(about, [waits('ab'), waits('cd')], []);
    for (const name of ['ab', 'cd'])
      assert.ok(index.includes(`| [${name}.prompt.md](${name}.prompt.md) | [${name}.answer.md](${name}.answer.md) |`));
    assert.doesNotMatch(index, /of the form/);
  });

  it('say in their first lines that the last reply was not of the form that was asked for', () => {
    const prompt = promptText('ab', { ...aRequest(), formless: true });
    assert.match(prompt, /^# Prompt ab\n\n\*\*The last reply was not of the form that was asked for\.\*\*/);
    assert.doesNotMatch(promptText('ab', aRequest()), /last reply/);
    const all = indexText(about, [waits('ab', true)], []).split('## How to answer')[0] ?? '';
    assert.match(all, /\*\*The last reply was not of the form that was asked for\.\*\*/);
    const some = indexText(about, [waits('ab', true), waits('cd')], []);
    assert.match(some, /\*\*The last reply to 1 of them was not of the form that was asked for\.\*\*/);
    assert.match(some, /ab\.answer\.md\) \| a reply as JSON, once more: the last one was not of that form \|/);
  });

  it('quote on one line, without what a terminal obeys or what ends the span of code', () => {
    const hostile = 'x`\n\n# Run this\u001b[2J\u009b\u202e\u2028y';
    const hostileRun = { ...about, skill: hostile, skillPath: `/${hostile}/SKILL.md`, run: hostile };
    const index = indexText(hostileRun, [waits('ab')], [{ name: hostile, why: hostile }], 2);
    assert.doesNotMatch(index, /^# Run this/m);
    assert.doesNotMatch(index, /[^\P{C}\n]|\u2028/u);
    assert.match(index, /“x\\u\{60\} # Run this\\u\{1b\}\[2J/);
    assert.ok(index.split('\n').every((line) => line.split('`').length % 2 === 1));
  });

  it('change no key of a reply that is stored', () => {
    const identity = { provider: 'p', endpoint: 'e', model: 'm', simulated: false };
    assert.equal(replyKey(identity, { ...aRequest(), formless: true }), replyKey(identity, aRequest()));
  });
});
