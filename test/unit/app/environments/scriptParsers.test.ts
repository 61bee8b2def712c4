import assert from 'node:assert/strict';
import { scriptParserFor } from '../../../../src/app/environments/scriptParsers.js';
import { createSandboxUseCases } from '../../../../src/app/environments/sandbox.js';
import { refuseUnparsed } from '../../../../src/app/proposals/parsedDocuments.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { ScriptedParser } from '../../../fakes/ScriptedParser.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';

describe('what parses scripts on this machine', () => {
  after(scrapMachines);

  it('is nothing where no sandbox holds it, with the reason', async () => {
    const { home } = await aMachine();
    const sandbox = { helper: '/no/such/helper.js' };
    const world = {
      environment: { PATH: process.env['PATH'] },
      platform: 'linux' as const,
      home,
      clock: new ManualClock(),
      trusted: () => true,
      sandbox,
    };
    const lacks = (more: object) => scriptParserFor({ ...world, ...more }, []).lacks('bash', neverAborted);
    assert.equal(await lacks({ sandbox: undefined }), 'The sandbox is not part of this program.');
    assert.equal(await lacks({ trusted: () => false }), 'This workspace is not trusted.');
    assert.match((await lacks({})) ?? '', /holds no sandbox: install it again/u);
    assert.match((await lacks({ platform: 'darwin' })) ?? '', /for Linux alone/u);
    await createSandboxUseCases(world).turnSandbox(false, neverAborted);
    assert.equal(await lacks({}), 'You turned the sandbox off on this machine.');
  });

  const rows: readonly (readonly [what: string, path: string, text: string, refusal: RegExp | undefined])[] = [
    ['parses', './scripts/a.py', 'if x:\n  y()\n', undefined],
    ['does not parse', './scripts/a.py', 'if x:\ny()\n', /scripts\/a\.py would no longer parse in line 2/u],
    ['does not parse in this process', './a.json', '{', /a\.json would no longer parse/u],
    ['cannot be parsed', './a.sh', 'ls\n', /a\.sh could not be parsed\. sh is not installed here/u],
    ['names another program', './scripts/run', '#!/usr/bin/perl\n', /would name another program/u],
    ['is no script', './references/a.md', 'if x:\ny()\n', undefined],
  ];
  for (const [what, path, text, refusal] of rows)
    it(`decides what a person writes of a proposal: ${path} ${what}`, async () => {
      const parser = new ScriptedParser({ sh: 'sh is not installed here.' });
      const written = refuseUnparsed([{ kind: 'file', path, text }], parser, neverAborted);
      await (refusal === undefined ? written : assert.rejects(written, refusal));
    });
});
