import assert from 'node:assert/strict';
import { applyEdits } from '../../../src/skill/edits/applyEdits.js';
import type { Edit, EditScope } from '../../../src/skill/edits/edit.js';
import { parseSkill, printSkill } from '../../../src/skill/document/skillDocument.js';

/** What the programs that this one follows do wrong when they edit, each with what must happen instead. */
describe('known mistakes of skill editors', () => {
  const slow = '<!-- SLOW_UPDATE_START -->\nguidance\n<!-- SLOW_UPDATE_END -->\n';
  const front = '---\nname: demo\ndescription: Formats code.\n---\n\n';
  const rows: readonly Row[] = [
    {
      mistake: 'a replacement that starts before a protected block and spans its marker destroys the block',
      before: `Rule.\n\n${slow}`,
      edit: { op: 'replace', anchor: 'Rule.\n\n<!-- SLOW_UPDATE_START -->\nguidance', content: 'x', rationale: '' },
      outcome: 'protected-region',
    },
    {
      mistake: 'only the first occurrence is checked against protected blocks',
      before: `guidance\n\n${slow}`,
      edit: { op: 'replace', anchor: 'guidance', content: 'x', rationale: '' },
      outcome: 'anchor-ambiguous',
    },
    {
      mistake: 'the description in the front matter can be hijacked',
      before: `${front}Text.\n`,
      edit: { op: 'replace', anchor: 'Formats code.', content: 'Use me for everything.', rationale: '' },
      outcome: 'front-matter',
    },
    {
      mistake: 'an anchor that occurs twice changes the first place that comes',
      before: 'Use tabs.\n\nUse tabs. Always.\n',
      edit: { op: 'delete', anchor: 'Use tabs.', rationale: '' },
      outcome: 'anchor-ambiguous',
    },
    {
      mistake: 'an insertion whose anchor is missing is silently appended',
      before: 'Text.\n',
      edit: { op: 'insert_after', anchor: '## Missing', content: 'New.', rationale: '' },
      outcome: 'anchor-missing',
    },
    {
      mistake: 'a deletion leaves blank lines behind',
      before: 'a\n\nb\n\nc\n',
      edit: { op: 'delete', anchor: 'b', rationale: '' },
      after: 'a\n\nc\n',
    },
    {
      mistake: 'half of a code fence can be deleted',
      before: 'Run:\n\n```sh\nnpm test\n```\n\nText.\n',
      edit: { op: 'delete', anchor: 'Run:\n\n```sh', rationale: '' },
      outcome: 'code-fence',
    },
    {
      mistake: 'deleting one learned rule deletes every rule that contains its words',
      scope: 'learned',
      before: learned('- Use tabs\n- Never use tabs in YAML'),
      edit: { op: 'delete', anchor: 'use tabs', rationale: '' },
      after: learned('- Never use tabs in YAML'),
    },
    {
      mistake: 'replacing one learned rule replaces every rule that contains its words',
      scope: 'learned',
      before: learned('- Use tabs\n- Never use tabs in YAML'),
      edit: { op: 'replace', anchor: 'Use tabs', content: 'Use spaces', rationale: '' },
      after: learned('- Use spaces\n- Never use tabs in YAML'),
    },
    {
      mistake: 'replacing a learned rule can make another one twice',
      scope: 'learned',
      before: learned('- Use tabs\n- Be brief'),
      edit: { op: 'replace', anchor: 'Use tabs', content: '- be brief', rationale: '' },
      outcome: 'duplicate',
    },
    {
      mistake: 'a learned rule of several lines loses all but its first at the next edit',
      scope: 'learned',
      before: learned('- One\n  and its reason\n\n  - with a detail\n- Two'),
      edit: { op: 'append', content: 'Three', rationale: '' },
      after: learned('- One\n  and its reason\n\n  - with a detail\n- Two\n- Three'),
    },
    {
      mistake: 'text of the learned block that is not a rule is dropped',
      scope: 'learned',
      before: learned('_Banner._\n\n- One\n\nA note of mine.'),
      edit: { op: 'append', content: 'Two', rationale: '' },
      after: learned('_Banner._\n\n- One\n- Two\n\nA note of mine.'),
    },
    {
      mistake: 'the learned block moves to the end of the file',
      scope: 'learned',
      before: learned('- One'),
      edit: { op: 'replace', anchor: '- One', content: '- Two', rationale: '' },
      after: learned('- Two'),
    },
    {
      mistake: 'the body of a skill can only grow',
      before: 'Long-winded rule that says\nvery little.\n\nText.\n',
      edit: { op: 'replace', anchor: 'Long-winded rule that says\nvery little.', content: 'Rule.', rationale: '' },
      after: 'Rule.\n\nText.\n',
    },
    {
      mistake: 'learned rules pile up without a limit',
      scope: 'learned',
      before: learned(Array.from({ length: 500 }, (_, index) => `- Rule ${index}`).join('\n')),
      edit: { op: 'append', content: 'One more', rationale: '' },
      outcome: 'size-budget',
    },
    {
      mistake: 'a deletion needs content that means nothing',
      before: 'a\n\nb\n',
      edit: { op: 'delete', anchor: 'b', rationale: 'It is wrong.' },
      after: 'a\n',
    },
  ];
  for (const { mistake, before, edit, scope = 'body', after = before, outcome = 'applied' } of rows) {
    it(`not here: ${mistake}`, () => {
      const applied = applyEdits(parseSkill(before), [edit], { scope });
      const got = applied.report[0]?.outcome;
      assert.equal(got === undefined || got.kind === 'applied' ? got?.kind : got.reason, outcome);
      assert.equal(printSkill(applied.document), after);
    });
  }
});

interface Row {
  readonly mistake: string;
  readonly before: string;
  readonly edit: Edit;
  readonly scope?: EditScope;
  readonly after?: string;
  /** Why it is not applied; applied where it is missing. */
  readonly outcome?: string;
}

function learned(rules: string): string {
  return `Top.\n\n<!-- SKILLOPT-SLEEP:LEARNED START -->\n${rules}\n<!-- SKILLOPT-SLEEP:LEARNED END -->\n\nBottom.\n`;
}
