import assert from 'node:assert/strict';
import { nowAndThen } from '../../../src/cli/progress/progressLine.js';
import { givenText, openTerminal } from '../../../src/cli/terminal.js';
import { aCommandLine } from '../../builders/commandLine.js';

describe('what whetstone gate takes', () => {
  const refused = [
    { what: 'more rows than are parsed', input: `{"before":[${'[],'.repeat(30_000)}`, says: /more than 20,000 rows/ },
    {
      what: 'more tasks than are decided',
      input: table(10_001, 1),
      says: /"before" has 10001 tasks: at most 10000 /,
    },
    {
      what: 'more passes than are decided',
      input: table(5, 1_001),
      says: /Row 1 of "before" has 1001 passes.* sample/,
    },
  ];
  for (const { what, input, says } of refused) {
    it(`is not ${what}`, async () => {
      const line = aCommandLine({ input });
      try {
        const { code, out, err } = await line.run('gate');
        assert.deepEqual([code, out], [2, '']);
        assert.match(err, says);
      } finally {
        line.dispose();
      }
    });
  }

  it('is not read further than 32 MB, in however few lines', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const piece = new Uint8Array(4 * 1024 * 1024);
      for (;;) {
        read += 1;
        yield piece;
        await Promise.resolve();
      }
    }
    await assert.rejects(givenText(endless()), { code: 'usage', message: /more than 32 MB/u });
    assert.equal(read, 9);
  });
});

describe('how far something is', () => {
  it('is told now and then where nobody watches', () => {
    assert.equal(shown(false), '10 s\n20 s\n');
  });

  it('is a live line on a terminal', () => {
    assert.equal(shown(true).split('\r').length, 27);
  });
});

function table(tasks: number, passes: number): string {
  const row = `[${Array.from({ length: passes }, () => '1').join(',')}]`;
  const rows = `[${Array.from({ length: tasks }, () => row).join(',')}]`;
  return `{"before":${rows},"after":${rows}}`;
}

function shown(live: boolean): string {
  let err = '';
  const screen = { color: false, live, columns: 80, out: () => undefined };
  const tell = nowAndThen(openTerminal({ ...screen, err: (text) => void (err += text) }));
  for (let second = 0; second <= 25; second++) tell(`${second} s`, second * 1_000);
  return err;
}
