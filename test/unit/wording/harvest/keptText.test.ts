import assert from 'node:assert/strict';
import { keptText } from '../../../../src/wording/harvest/keptText.js';
import { english } from '../../../../src/wording/translate.js';
import { aSession } from '../../../builders/someSessions.js';

describe('what is kept of sessions, to be read', () => {
  it('is every word of each: what was asked, the final answer, names of tools and skills, and how it was taken', () => {
    const session = aSession(
      'one',
      [
        { asked: 'Write the notes.\n\n# No heading', answer: 'Done.', tools: ['Read', 'Read'], skills: ['notes'] },
        { asked: 'No, that is wrong.', answer: '', isCut: true },
      ],
      { ended: undefined, git: { commit: undefined, branch: 'main' } },
    );
    const counts = { files: 3, sessions: 3, kept: 1, leftOut: { headless: 2 }, notUnderstood: 0 };
    const unread = [{ source: 'opencode' as const, path: '/db', why: 'no-sqlite' as const }];
    const looked = { days: 30, node: '20.1.0' };
    assert.equal(
      keptText({ sessions: [session], counts: { codex: counts }, unread }, looked, english),
      `# What is kept of your sessions

1 session of the last 30 days. This is all that is kept of them, without secrets. Nothing of it was sent anywhere.
- Codex, left out: asked by scripts: 2
- /db was not read: it is a SQLite database, and Node 20.1.0 cannot read one. Use Node 22.13 or newer, or Whetstone in VS Code.

## Claude Code

Folder: /home/user/shop (main)

You asked:
> Write the notes.
>
> # No heading
The final answer:
> Done.
Skills: notes
Tools: Read
You said that something was wrong with it.

You asked:
> No, that is wrong.
The final answer:
> –
Cut: it was longer.
`,
    );
  });

  it('says which of them were used before: they are listed all the same', () => {
    const sessions = [aSession('one', ['x'], { used: true, realFolder: '/home/raw' }), aSession('two', ['y'])];
    const text = keptText({ sessions, counts: {}, unread: [] }, { days: 7, node: '' }, english);
    assert.equal(text.match(/^Used before: drafts were made of it, or a model was shown it\.$/gmu)?.length, 1);
    assert.equal(text.match(/^## /gmu)?.length, 2);
  });

  it('shows signs that nobody sees, and keeps a text that looks like a part of it a quotation', () => {
    const session = aSession('one', [{ asked: 'a\u200Bb\r\n## Codex', answer: 'x' }]);
    const text = keptText({ sessions: [session], counts: {}, unread: [] }, { days: 7, node: '' }, english);
    assert.match(text, /^> a‹U\+200B›b\n> ## Codex$/mu);
    assert.equal(text.match(/^## /gmu)?.length, 1);
  });
});
