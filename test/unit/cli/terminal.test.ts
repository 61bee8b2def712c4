import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { table } from '../../../src/cli/table.js';
import { lineFrom, openTerminal, type Terminal } from '../../../src/cli/terminal.js';
import { honestTexts, hostileTexts } from '../../builders/hostileTexts.js';

/** What may not reach a screen but as a line break, a tab, or a colour of ours. */
const steering = /[^\P{Cc}\n\t]|\p{Cs}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

describe('the terminal', () => {
  for (const [name, text] of hostileTexts) {
    it(`is not steered: ${name}`, () => {
      const { terminal, said } = aScreen({ color: true, live: true });
      terminal.out(`before ${text} after\n`);
      terminal.err(`before ${terminal.paint('red', text)} after\n`);
      assert.doesNotMatch(said.out, steering);
      assert.doesNotMatch(withoutRed(said.err), steering);
      assert.ok(said.out.startsWith('before ') && said.out.endsWith(' after\n'));
    });

    it(`shows one live line that stays one: ${name}`, () => {
      const { terminal, said } = aScreen({ color: true, live: true });
      terminal.line(text);
      const [empty, drawn = '', ...more] = said.err.split('\r\u001b[2K');
      assert.deepEqual([empty, more], ['', []]);
      assert.doesNotMatch(drawn, steering);
      assert.ok(!drawn.includes('\n') && drawn.length < 80);
    });

    it(`prints JSON that holds the same value: ${name}`, () => {
      const { terminal, said } = aScreen({ color: true, live: false });
      terminal.json({ [text]: [text] });
      assert.deepEqual(JSON.parse(said.out), { [text]: [text] });
      assert.doesNotMatch(said.out, steering);
    });
  }

  for (const [script, text] of honestTexts) {
    it(`leaves honest text as it is: ${script}`, () => {
      const { terminal, said } = aScreen({ color: false, live: false });
      terminal.out(text);
      assert.equal(said.out, text);
    });
  }

  it('shows our colours and no others, theirs being the same', () => {
    const { terminal, said } = aScreen({ color: true, live: false });
    terminal.out(`${terminal.paint('green', 'accepted')} \u001b[32maccepted\u001b[39m`);
    assert.equal(said.out, '\u001b[32maccepted\u001b[39m ‹U+001B›[32maccepted‹U+001B›[39m');
  });

  const painted = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] };
  for (const style of ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const)
    it(`paints ${style}, and ends it again`, () => {
      const { terminal, said } = aScreen({ color: true, live: false });
      const [on, off] = painted[style];
      terminal.out(terminal.paint(style, 'word'));
      assert.equal(said.out, `\u001b[${on}mword\u001b[${off}m`);
    });

  it('paints nothing where nobody sees colours', () => {
    const { terminal, said } = aScreen({ color: false, live: false });
    terminal.out(terminal.paint('green', 'accepted'));
    assert.equal(said.out, 'accepted');
  });

  it('keeps a table in its rows, however a cell is written and painted', () => {
    const { terminal, said } = aScreen({ color: true, live: false });
    terminal.out(
      table([
        ['a\nb', terminal.paint('red', 'x')],
        ['c', 'y\r\nz'],
        ['long one', 'w'],
      ]),
    );
    assert.equal(said.out, 'a b       \u001b[31mx\u001b[39m\nc         y z\nlong one  w');
  });
});

function aScreen(looks: { readonly color: boolean; readonly live: boolean }): {
  readonly terminal: Terminal;
  readonly said: { out: string; err: string };
} {
  const said = { out: '', err: '' };
  const out = (text: string): void => void (said.out += text);
  const err = (text: string): void => void (said.err += text);
  return { terminal: openTerminal({ ...looks, columns: 80, out, err }), said };
}

function withoutRed(text: string): string {
  return text.replace('\u001b[31m', '').replace('\u001b[39m', '');
}

describe('a question at a terminal', () => {
  const { signal } = new AbortController();

  it('is answered by the line that is typed, and by the usual answer where the input ends without one', async () => {
    const typed = new PassThrough();
    typed.write('yes\n');
    assert.equal(await lineFrom(typed, signal), 'yes');
    const ended = new PassThrough();
    ended.end();
    assert.equal(await lineFrom(ended, signal), '');
    assert.equal(await lineFrom(ended, signal), '', 'and every further one');
  });

  it('is given up where the command is', async () => {
    const stop = new AbortController();
    const asked = lineFrom(new PassThrough(), stop.signal);
    stop.abort();
    await assert.rejects(asked, { name: 'AbortError' });
  });
});
