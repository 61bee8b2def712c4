import assert from 'node:assert/strict';
import { chmod, link, mkdir, readdir, readFile, rename, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Proposal } from '../../../../src/ports/proposal.js';
import { adopt, type AdoptRequest } from '../../../../src/storage/adoption/adopt.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { type ProposalReading, readProposal, writeProposal } from '../../../../src/storage/proposals/proposals.js';
import { rebuilt } from '../../../../src/storage/proposals/madeElsewhere.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import {
  aDocument,
  aMachine,
  aProposal,
  aStore,
  neverAborted,
  type Machine,
  scrapMachines,
  withRule,
  skillText,
} from '../../../builders/storage.js';

const candidate = `${skillText}\nUse ISO dates.\n`;

describe('adopting a proposal', () => {
  after(scrapMachines);

  it('writes the candidate, keeps the mode and leaves a receipt', async () => {
    const { machine, store } = await ready();
    await chmod(machine.skillPath, 0o640);
    const receipt = await adopt(store, hand(aProposal(store)), neverAborted);
    assert.equal(await readFile(machine.skillPath, 'utf8'), candidate);
    assert.equal((await stat(machine.skillPath)).mode & 0o777, 0o640);
    assert.deepEqual([receipt.seq, receipt.verdict, receipt.edits, receipt.proposalId], [1, 'accepted', ['E1'], 'p1']);
    assert.deepEqual(await readdir(path.dirname(machine.skillPath)), ['SKILL.md']);
  });

  const exact: readonly { name: string; before: string; after: string }[] = [
    { name: 'a byte order mark and CRLF', before: '\uFEFF# A\r\nx\r\n', after: '\uFEFF# A\r\ny\r\n' },
    { name: 'no final newline', before: '# A', after: '# B' },
    { name: 'characters of every width', before: 'é漢😀\t', after: '漢é😀\t ' },
  ];
  for (const { name, before, after } of exact) {
    it(`writes exactly the bytes of the candidate: ${name}`, async () => {
      const { machine, store } = await ready(before);
      await adopt(store, hand(aProposal(store, { documents: [aDocument(before, after)] })), neverAborted);
      assert.deepEqual(await readFile(machine.skillPath), Buffer.from(after));
    });
  }

  it('is done where a process wrote it and was killed before the proposal was put away', async () => {
    const { machine, store } = await ready();
    const first = await adopt(store, hand(aProposal(store)), neverAborted);
    assert.deepEqual(await adopt(store, hand(aProposal(store)), neverAborted), first);
    assert.equal(await readFile(machine.skillPath, 'utf8'), candidate);
    await writeFile(machine.skillPath, `${candidate}By hand.\n`);
    await assert.rejects(adopt(store, hand(aProposal(store)), neverAborted), { code: 'proposal-stale' });
  });

  it('labels a text that was taken in part as not measured', async () => {
    const { machine, store } = await ready();
    const texts = { 'skills/dates/SKILL.md': `${skillText}\nOnly this.\n` };
    const receipt = await adopt(store, { ...hand(aProposal(store)), texts, edits: ['E1'] }, neverAborted);
    assert.equal(receipt.verdict, 'unmeasured');
    assert.equal(await readFile(machine.skillPath, 'utf8'), `${skillText}\nOnly this.\n`);
  });

  it('changes the skill where it lies now when it was moved after the proposal was made', async () => {
    const { machine, store } = await ready();
    await writeProposal(store, aProposal(store));
    const skillPath = path.join(machine.workspace, 'SKILL.md');
    await rename(machine.skillPath, skillPath);
    const moved = await aStore(machine, { request: { skillPath } });
    await adopt(moved, { reading: await readProposal(moved), attended: true }, neverAborted);
    assert.equal(await readFile(skillPath, 'utf8'), candidate);
  });

  it('changes a skill that lies outside every workspace', async () => {
    const machine = await aMachine();
    const store = await aStore(machine, { request: { workspaceFolders: [] } });
    const document = aDocument(skillText, candidate, { path: machine.skillPath });
    await adopt(store, hand(aProposal(store, { documents: [document] })), neverAborted);
    assert.equal(await readFile(machine.skillPath, 'utf8'), candidate);
  });

  const refused: readonly {
    name: string;
    code: string;
    proposal?: (store: SkillStore) => Partial<Proposal>;
    change?: (machine: Machine) => Promise<unknown>;
    request?: Partial<AdoptRequest>;
  }[] = [
    {
      name: 'the file has changed since',
      code: 'proposal-stale',
      change: ({ skillPath }) => writeFile(skillPath, `${skillText} `),
    },
    {
      name: 'only the line ends have changed since',
      code: 'proposal-stale',
      change: ({ skillPath }) => writeFile(skillPath, skillText.replaceAll('\n', '\r\n')),
    },
    { name: 'the file is gone', code: 'skill-missing', change: ({ skillPath }) => unlink(skillPath) },
    { name: 'the file is read-only', code: 'skill-read-only', change: ({ skillPath }) => chmod(skillPath, 0o444) },
    {
      name: 'the file has become a link',
      code: 'proposal-not-adoptable',
      change: async ({ skillPath, home }) => {
        await writeFile(path.join(home, 'victim'), skillText);
        await unlink(skillPath);
        await symlink(path.join(home, 'victim'), skillPath);
      },
    },
    {
      name: 'its folder has become a link',
      code: 'proposal-not-adoptable',
      change: async ({ skillPath, home }) => {
        await rename(path.dirname(skillPath), path.join(home, 'elsewhere'));
        await symlink(path.join(home, 'elsewhere'), path.dirname(skillPath));
      },
    },
    {
      name: 'its memory file lies behind a link out of the workspace',
      code: 'proposal-not-adoptable',
      proposal: () => ({ documents: [aDocument('a', 'b', { kind: 'memory', path: 'linked/AGENTS.md' })] }),
      change: async ({ workspace, home }) => {
        await writeFile(path.join(home, 'AGENTS.md'), 'a');
        await symlink(home, path.join(workspace, 'linked'));
      },
    },
    {
      name: 'the file has a second name',
      code: 'proposal-not-adoptable',
      change: ({ skillPath, home }) => link(skillPath, path.join(home, 'second')),
    },
    {
      name: 'the gate rejected it',
      code: 'proposal-not-adoptable',
      proposal: rejected,
    },
    {
      name: 'it changes nothing',
      code: 'proposal-not-adoptable',
      proposal: () => ({ documents: [aDocument(skillText, skillText)] }),
    },
    {
      name: 'its memory file lies outside the workspace',
      code: 'proposal-not-adoptable',
      proposal: () => ({ documents: [aDocument('a', 'b', { kind: 'memory', path: '../../home/NOTES.md' })] }),
    },
    {
      name: 'its memory file is a script',
      code: 'proposal-not-adoptable',
      proposal: () => ({ documents: [aDocument('a', 'b', { kind: 'memory', path: 'package.json' })] }),
      change: ({ workspace }) => writeFile(path.join(workspace, 'package.json'), 'a'),
    },
    {
      name: 'its memory file is Markdown that no agent reads by its name',
      code: 'proposal-not-adoptable',
      proposal: () => ({ documents: [aDocument('a', withRule('a', 'b'), { kind: 'memory', path: 'docs/README.md' })] }),
      change: async ({ workspace }) => {
        await mkdir(path.join(workspace, 'docs'));
        await writeFile(path.join(workspace, 'docs', 'README.md'), 'a');
      },
    },
    {
      name: 'its memory file is a link to another skill',
      code: 'proposal-not-adoptable',
      proposal: () => ({
        documents: [aDocument('a', withRule('a', 'b'), { kind: 'memory', path: 'skills/other/SKILL.md' })],
      }),
      change: async ({ workspace }) => {
        await mkdir(path.join(workspace, 'skills', 'other'));
        await writeFile(path.join(workspace, 'skills', 'other', 'SKILL.md'), 'a');
        await symlink('skills/other/SKILL.md', path.join(workspace, 'CLAUDE.md'));
      },
    },
    {
      name: 'it changes its memory file beside the learned block',
      code: 'proposal-not-adoptable',
      proposal: () => ({ documents: [aDocument('a', withRule('b', 'c'), { kind: 'memory', path: 'CLAUDE.md' })] }),
      change: ({ workspace }) => writeFile(path.join(workspace, 'CLAUDE.md'), 'a'),
    },
    { name: 'there is none', code: 'proposal-missing', request: { reading: { kind: 'missing' } } },
    { name: 'it is broken', code: 'proposal-missing', request: { reading: { kind: 'broken', reason: 'x' } } },
    {
      name: 'nobody looks and it is not certified',
      code: 'proposal-not-adoptable',
      proposal: () => ({ verdict: { kind: 'unmeasured', reason: 'x', cause: 'gate-off' } }),
      request: { attended: false },
    },
    {
      name: 'nobody looks and it is only a part',
      code: 'proposal-not-adoptable',
      request: { attended: false, texts: { 'skills/dates/SKILL.md': 'part' } },
    },
  ];
  for (const { name, code, proposal, change, request } of refused) {
    it(`is refused with ${code} and changes nothing when ${name}`, async () => {
      const { machine, store } = await ready();
      await change?.(machine);
      const before = await bytesOf(machine);
      await assert.rejects(adopt(store, { ...hand(aProposal(store, proposal?.(store))), ...request }, neverAborted), {
        code,
      });
      assert.deepEqual(await bytesOf(machine), before);
    });
  }

  it('leaves a made-elsewhere proposal to the person', async () => {
    const { machine, store } = await ready();
    const reading: ProposalReading = {
      kind: 'made-elsewhere',
      ...rebuilt(aProposal(store), store.places.documentPath),
    };
    const said = { reading, madeElsewhere: true };
    await assert.rejects(adopt(store, { ...said, attended: false }, neverAborted), { code: 'made-elsewhere' });
    await assert.rejects(adopt(store, { reading, attended: true }, neverAborted), { code: 'made-elsewhere' });
    assert.equal(await readFile(machine.skillPath, 'utf8'), skillText);
  });

  it('changes a memory file inside its learned block, also where one name is a link to the other', async () => {
    const { machine, store } = await ready();
    await writeFile(path.join(machine.workspace, 'AGENTS.md'), withRule('a', 'old'));
    await symlink('AGENTS.md', path.join(machine.workspace, 'CLAUDE.md'));
    const documents = [aDocument(withRule('a', 'old'), withRule('a', 'new'), { kind: 'memory', path: 'AGENTS.md' })];
    await adopt(store, hand(aProposal(store, { documents })), neverAborted);
    assert.equal(await readFile(path.join(machine.workspace, 'AGENTS.md'), 'utf8'), withRule('a', 'new'));
  });

  it('adopts an accepted proposal unattended', async () => {
    const { machine, store } = await ready();
    await adopt(store, { ...hand(aProposal(store)), attended: false }, neverAborted);
    assert.equal(await readFile(machine.skillPath, 'utf8'), candidate);
  });

  it('adopts code that agents run by hand alone', async () => {
    const { machine, store } = await ready();
    const code = `${skillText}\n\`\`\`sh\nmake\n\`\`\`\n`;
    await writeFile(machine.skillPath, code);
    const documents = [aDocument(code, code.replace('make', 'rm -rf /'))];
    const proposal = aProposal(store, { documents });
    await assert.rejects(adopt(store, { ...hand(proposal), attended: false }, neverAborted), {
      code: 'proposal-not-adoptable',
      message: 'It changes code that agents run.',
    });
    assert.equal(await readFile(machine.skillPath, 'utf8'), code);
    await adopt(store, hand(proposal), neverAborted);
    assert.match(await readFile(machine.skillPath, 'utf8'), /rm -rf/);
  });

  it('takes the skill back when its memory file changes in that very moment', async () => {
    const { machine, store: plain } = await ready();
    const memory = path.join(machine.workspace, 'AGENTS.md');
    await writeFile(memory, 'old');
    const documents = [
      aDocument(skillText, candidate),
      aDocument('old', withRule('old', 'new'), { kind: 'memory', path: 'AGENTS.md' }),
    ];
    const { writeFileSync } = await import('node:fs');
    const store: SkillStore = { ...plain, probe: (point) => point === 'memory:fsync' && writeFileSync(memory, 'mine') };
    await assert.rejects(adopt(store, hand(aProposal(store, { documents })), neverAborted), { code: 'skill-changed' });
    assert.equal(await readFile(machine.skillPath, 'utf8'), skillText);
    assert.equal(await readFile(memory, 'utf8'), 'mine');
    assert.deepEqual(await readdir(path.dirname(machine.skillPath)), ['SKILL.md']);
  });

  it('lets only one of two adoptions at the same time through', async () => {
    const machine = await aMachine();
    const store = await aStore(machine, { clock: nodeClock });
    const other = aProposal(store, { id: 'p2', documents: [aDocument(skillText, 'other')] });
    const results = await Promise.allSettled([
      adopt(store, hand(aProposal(store)), neverAborted),
      adopt(await aStore(machine, { clock: nodeClock }), hand(other), neverAborted),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.ok([candidate, 'other'].includes(await readFile(machine.skillPath, 'utf8')));
  });
});

function hand(proposal: Proposal): AdoptRequest {
  return { reading: { kind: 'verified', proposal }, attended: true };
}

function rejected(store: SkillStore): Partial<Proposal> {
  const { verdict } = aProposal(store);
  return verdict.kind === 'accepted' ? { verdict: { ...verdict, kind: 'rejected' } } : {};
}

async function ready(text = skillText): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const machine = await aMachine(text);
  return { machine, store: await aStore(machine) };
}

async function bytesOf(machine: Machine): Promise<readonly (readonly [string, string])[]> {
  const names = await readdir(machine.workspace, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map(async (file) => [file, await readFile(file, 'latin1')] as const));
}
