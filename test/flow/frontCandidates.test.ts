import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReportData } from '../../src/app/results/reportData.js';
import type { PromptToAllow } from '../../src/app/world.js';
import type { Proposal } from '../../src/ports/proposal.js';
import { writeProposal } from '../../src/storage/proposals/proposals.js';
import { percent } from '../../src/wording/amounts.js';
import { aReviewDocument, aReviewProposal } from '../builders/aReviewProposal.js';
import { edits } from '../builders/aRunContext.js';
import { stagedStore } from '../builders/stageProposal.js';
import { aWorkspace, inEveryRole, type TestWorkspace, type WrittenTask } from '../builders/aWorkspace.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';

const neverAborted = new AbortController().signal;
const workspaces: Pick<TestWorkspace, 'dispose'>[] = [];

describe('the other candidates of a run', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('are rows of the proposal that are not certified, and survive the disk', async () => {
    const { proposal, workspace } = await proposed();
    assert.equal(proposal.verdict.kind, 'accepted');
    assert.deepEqual([proposal.candidates?.proposed.id, idsOf(proposal)], ['C1', ['C2']]);
    const [other] = proposal.candidates?.others ?? [];
    assert.ok(other !== undefined && other.skillTokens < (proposal.candidates?.proposed.skillTokens ?? 0));
    assert.equal(other.evidence, undefined);
    const { pending } = await workspace.overview();
    assert.deepEqual(asStored(pending?.proposal), asStored(proposal));
  });

  it('are certified for a price and a share of the error budget that are told before, and the accepted one is proposed', async () => {
    const { proposal, workspace, request } = await proposed();
    const useCases = workspace.useCases(models());
    const before = await useCases.candidatePrice({ ...request, candidate: 'C2' }, neverAborted);
    assert.deepEqual([before.share, before.left].map(percent), ['25 %', '75 %']);
    assert.equal(before.price?.calls.low, 12);
    const asked = await useCases.certifyCandidate({ ...request, candidate: 'C2' }, () => undefined, neverAborted);
    assert.equal(asked.summary.verdict?.kind, 'accepted');
    assert.equal(asked.proposal?.candidates?.proposed.id, 'C2');
    assert.equal(asked.proposal.documents[0]?.candidateText, textOfOther(proposal));
    assert.deepEqual(
      asked.proposal.candidates.others.map(({ id, evidence }) => [id, evidence?.verdict]),
      [['C1', proposal.verdict]],
    );
    await assert.rejects(
      useCases.candidatePrice({ ...request, candidate: 'C2' }, neverAborted),
      /finished and is never opened again/,
    );
  });

  it('find no other error budget in a copy of the workspace, and the price says so', async () => {
    const { workspace, request } = await proposed();
    const folder = `${workspace.folder} copy`;
    cpSync(workspace.folder, folder, { recursive: true });
    const skillPath = path.join(folder, path.relative(workspace.folder, workspace.skillPath));
    const inCopy = { ...request, skillPath, workspaceFolders: [folder], candidate: 'C2' };
    const useCases = workspace.useCases(models());
    assert.equal(percent((await useCases.candidatePrice(inCopy, neverAborted)).left), '75 %');
    await useCases.certifyCandidate(inCopy, () => undefined, neverAborted);
    assert.equal(percent((await useCases.candidatePrice({ ...request, candidate: 'C2' }, neverAborted)).left), '50 %');
  });

  it('have their prices told without a question and without a trace: those that are asked about later', async () => {
    const { workspace, request } = await proposed();
    const files = (): readonly string[] => readdirSync(workspace.home, { recursive: true, encoding: 'utf8' }).sort();
    const asked: string[] = [];
    const prompts = path.join(workspace.folder, '.whetstone', 'prompts');
    mkdirSync(prompts, { recursive: true });
    writeFileSync(path.join(prompts, 'judge.md'), 'Be kind.');
    const allowsPrompt = ({ name }: PromptToAllow): Promise<boolean> => {
      asked.push(name);
      return Promise.resolve(true);
    };
    const useCases = workspace.useCases(models(), { allowsPrompt });
    const before = files();
    const prices = await useCases.candidatePrices(request, neverAborted);
    assert.deepEqual([asked, files()], [[], before]);
    rmSync(prompts, { recursive: true });
    assert.deepEqual(prices, [await useCases.candidatePrice({ ...request, candidate: 'C2' }, neverAborted)]);
    await useCases.chooseCandidate({ ...request, candidate: 'C2' }, neverAborted);
    assert.deepEqual(
      await useCases.candidatePrices(request, neverAborted),
      prices,
      'in front it can be certified as well',
    );
    await useCases.certifyCandidate({ ...request, candidate: 'C2' }, () => undefined, neverAborted);
    assert.deepEqual(await useCases.candidatePrices(request, neverAborted), []);
  });

  it('give way to the one before them without a loss of what was measured of it', async () => {
    const { proposal, workspace, request } = await proposed();
    const useCases = workspace.useCases(models());
    await useCases.certifyCandidate({ ...request, candidate: 'C2' }, () => undefined, neverAborted);
    const back = await useCases.chooseCandidate({ ...request, candidate: 'C1' }, neverAborted);
    assert.deepEqual(
      [back.verdict, back.comparisons, back.documents],
      [proposal.verdict, proposal.comparisons, proposal.documents],
    );
  });

  it('are certified by the rule of their run, whatever rule is set by now', async () => {
    const { workspace, request } = await proposed();
    const now = { ...request, settings: [{ gate: { rule: 'off' } }], candidate: 'C2' };
    const useCases = workspace.useCases(models());
    assert.equal((await useCases.candidatePrice(now, neverAborted)).price?.calls.low, 12);
    const { summary } = await useCases.certifyCandidate(now, () => undefined, neverAborted);
    assert.equal(summary.verdict?.kind, 'accepted');
  });

  it('stay a row with their verdict where held-out tasks do not bear them out', async () => {
    const { proposal, workspace, request } = await proposed();
    const useCases = workspace.useCases(models({ shortFails: true }));
    const asked = await useCases.certifyCandidate({ ...request, candidate: 'C2' }, () => undefined, neverAborted);
    assert.equal(asked.summary.verdict?.kind, 'rejected');
    assert.equal(asked.proposal?.candidates?.proposed.id, 'C1');
    assert.deepEqual(asked.proposal.verdict, proposal.verdict);
    assert.equal(asked.proposal.candidates.others[0]?.evidence?.verdict.kind, 'rejected');
    await assert.rejects(
      useCases.certifyCandidate({ ...request, candidate: 'C2' }, () => undefined, neverAborted),
      /finished and is never opened again/,
    );
  });

  it('are not measured where they are taken as they are', async () => {
    const { workspace, request, proposal } = await proposed();
    const useCases = workspace.useCases(models());
    const chosen = await useCases.chooseCandidate({ ...request, candidate: 'C2' }, neverAborted);
    assert.deepEqual(chosen.verdict, {
      kind: 'unmeasured',
      cause: 'not-certified',
      reason: 'Not certified: this candidate was measured on training tasks alone.',
    });
    const version = await useCases.adopt(request, neverAborted);
    assert.equal(version.verdict, 'unmeasured');
    assert.equal(workspace.skillText(), textOfOther(proposal));
  });

  it('are no longer in front once their adoption is undone, whole or in part', async () => {
    const { workspace, request, proposal } = await proposed();
    const useCases = workspace.useCases(models());
    const before = workspace.skillText();
    for (const part of [undefined, ['E1']]) {
      await useCases.adopt({ ...request, candidate: 'C2', edits: part }, neverAborted);
      assert.equal(workspace.skillText(), textOfOther(proposal));
      const { proposedAgain } = await useCases.undo(request, neverAborted);
      assert.deepEqual([workspace.skillText(), proposedAgain], [before, 'C1']);
      const { pending } = await workspace.overview();
      assert.deepEqual(asStored(pending?.proposal), asStored(proposal));
    }
  });

  it('are no longer in front once an adoption is undone that was made after looking at them', async () => {
    const { workspace, request, proposal } = await proposed();
    const useCases = workspace.useCases(models());
    await useCases.chooseCandidate({ ...request, candidate: 'C2' }, neverAborted);
    await useCases.adopt(request, neverAborted);
    assert.equal((await useCases.undo(request, neverAborted)).proposedAgain, 'C1');
    assert.deepEqual(asStored((await workspace.overview()).pending?.proposal), asStored(proposal));
  });

  it('stay in front where what is undone is an older adoption', async () => {
    const { workspace, request } = await afterRun(adoptAnother);
    const useCases = workspace.useCases(models());
    await useCases.chooseCandidate({ ...request, candidate: 'C2' }, neverAborted);
    const { takenBack, proposedAgain } = await useCases.undo(request, neverAborted);
    assert.deepEqual([takenBack, proposedAgain], [['E1'], undefined]);
    assert.doesNotMatch(workspace.skillText(), /Be kind/u);
    assert.equal((await workspace.overview()).pending?.proposal.candidates?.proposed.id, 'C2');
  });

  it('are not in front where they could not be adopted', async () => {
    const { workspace, request, proposal } = await proposed();
    const useCases = workspace.useCases(models());
    await assert.rejects(useCases.adopt({ ...request, candidate: 'C2', edits: ['E9'] }, neverAborted), /no edit E9/);
    const { pending } = await workspace.overview();
    assert.deepEqual(asStored(pending?.proposal), asStored(proposal));
  });

  it('are shown with their edits, and nothing is changed by that', async () => {
    const { workspace, request, proposal } = await proposed();
    const useCases = workspace.useCases(models());
    const shown = await useCases.showCandidate({ ...request, candidate: 'c2' }, neverAborted);
    assert.equal(shown?.proposal.candidates?.proposed.id, 'C2');
    assert.equal(shown.proposal.documents[0]?.candidateText, textOfOther(proposal));
    const { pending } = await workspace.overview();
    assert.deepEqual(asStored(pending?.proposal), asStored(proposal));
  });

  it('are asked for by a name that they have', async () => {
    const { workspace, request } = await proposed();
    await assert.rejects(
      workspace.useCases(models()).chooseCandidate({ ...request, candidate: 'C9' }, neverAborted),
      /There is no candidate “C9”/,
    );
  });

  it('head the report once they are the one that is proposed', async () => {
    const { workspace, request, proposal } = await proposed();
    const useCases = workspace.useCases(models());
    assert.deepEqual((await useCases.reportData(request))?.verdict, proposal.verdict);
    const { verdict } = await useCases.chooseCandidate({ ...request, candidate: 'C2' }, neverAborted);
    const data = await useCases.reportData(request);
    assert.deepEqual([data?.verdict, data?.reason], [verdict, verdict.reason]);
    assert.ok(data !== undefined && data.edits.length > 0);
    assert.equal(data.notes[0], 'C2 is proposed now, in place of the candidate that the run named.');
    assert.match(
      (await useCases.report(request, neverAborted)) ?? '',
      /^> Proposed now: C2\. Not certified: .*\n\n# Report on/u,
    );
    assert.equal((await useCases.chooseCandidate({ ...request, candidate: 'C1' }, neverAborted)).id, proposal.id);
    assert.doesNotMatch((await useCases.reportData(request))?.notes.join() ?? '', /in place of/u);
  });

  it('stand in the page of the report with what is known of them now', async () => {
    const { workspace, request } = await proposed();
    const useCases = workspace.useCases(models());
    const before = await useCases.reportData(request);
    assert.deepEqual(statesIn(before), ['C1 accepted', 'C2 –']);
    assert.equal(before?.candidates?.candidates?.rule, 'score');
    assert.doesNotMatch(JSON.stringify(before?.candidates), /candidateText|edits/u);
    await useCases.chooseCandidate({ ...request, candidate: 'C2' }, neverAborted);
    const chosen = await useCases.reportData(request);
    assert.deepEqual(statesIn(chosen), ['C2 unmeasured', 'C1 accepted']);
    await useCases.certifyCandidate({ ...request, candidate: 'C2' }, () => undefined, neverAborted);
    assert.deepEqual(statesIn(await useCases.reportData(request)), ['C2 accepted', 'C1 accepted']);
  });

  it('stand in the report', async () => {
    const { workspace, runId } = await proposed();
    const report = workspace.artifact(runId, 'report.md') ?? '';
    assert.match(report, /\| training \| candidate, on training tasks \| chosen, on training tasks \|/);
    assert.match(report, /^\| 1 \| 1 \| .* \| 50 % \| 50 % \| /mu);
    assert.match(report, /^\| 2 \| 2 \| .* \| 100 % \| 100 % \| /mu);
    assert.match(report, /## Candidates\n\n\| candidate \| training tasks/);
    assert.match(report, /\| C1 \| 100 % .* \| proposed: improved \|\n\| C2 \| .* \| not certified \|/);
  });
});

/** The one that is proposed first, each with what held-out tasks said of it. */
function statesIn(report: ReportData | undefined): readonly string[] {
  const { verdict, candidates } = report?.candidates ?? {};
  const others = candidates?.others.map(({ id, evidence }) => `${id} ${evidence?.verdict.kind ?? '–'}`) ?? [];
  return [`${candidates?.proposed.id} ${verdict?.kind}`, ...others];
}

let once: ReturnType<typeof keptRun> | undefined;

/** A run of which every test finds the same: its workspace and state as they were when it ended. */
async function proposed() {
  once ??= keptRun();
  const { ran, kept } = await once;
  const root = path.dirname(ran.workspace.folder);
  rmSync(root, { recursive: true });
  cpSync(kept, root, { recursive: true });
  return ran;
}

async function keptRun() {
  const ran = await afterRun();
  const root = path.dirname(ran.workspace.folder);
  const kept = `${root}-kept`;
  cpSync(root, kept, { recursive: true });
  workspaces.push({ dispose: () => rmSync(kept, { recursive: true }) });
  return { ran, kept };
}

/** A run that leaves two candidates: one that passes everything, and a shorter one that passes half of the tasks. */
async function afterRun(before: (workspace: TestWorkspace) => Promise<void> = () => Promise.resolve()) {
  const workspace = aWorkspace({ tasks });
  workspaces.push(workspace);
  await before(workspace);
  const settings = {
    choice: { measures: ['score', 'skill-tokens'] },
    train: { epochs: 2 },
    slowUpdate: { on: false },
    metaSkill: { on: false },
    gate: { attribution: false },
    stop: { patience: 9 },
  };
  const { proposal, runId } = await workspace.optimize({ settings, preset: 'standard', models: models() });
  assert.ok(proposal !== undefined);
  const request = {
    skillPath: workspace.skillPath,
    workspaceFolders: [path.dirname(path.dirname(path.dirname(workspace.skillPath)))],
    preset: 'standard' as const,
    settings: [settings],
    purpose: 'optimize' as const,
    trusted: true,
  };
  return { proposal, workspace, runId, request };
}

/** What an earlier run proposed is adopted. */
async function adoptAnother(workspace: TestWorkspace): Promise<void> {
  const { folder, home, skillPath } = workspace;
  const store = await stagedStore({ workspace: folder, state: path.join(home, 'state'), home }, skillPath);
  const { documentPath, skillKey } = store.places;
  const edit = { op: 'append', content: '- Be kind.', rationale: 'r' } as const;
  const document = aReviewDocument(workspace.skillText(), [edit], { path: documentPath });
  await writeProposal(store, aReviewProposal([document], { skillKey, skillName: 'words' }));
  await workspace.useCases().adopt({ skillPath, workspaceFolders: [folder] }, neverAborted);
}

/** Held-out tasks all want “alpha”; training tasks want “alpha”, and every second one “beta” too. */
const tasks: readonly WrittenTask[] = [
  ...Array.from({ length: 4 }, (_, at) =>
    row(`training-${at}`, 'training', at % 2 === 0 ? ['alpha'] : ['alpha', 'beta']),
  ),
  ...Array.from({ length: 6 }, (_, at) => row(`heldOut-${at}`, 'heldOut', ['alpha'])),
];

function row(id: string, side: WrittenTask['side'], words: readonly string[]): WrittenTask {
  const own = Array.from({ length: 8 }, (_, at) => `${id.replace('-', '')}w${at}`).join(' ');
  return { id, prompt: `Write about ${own}.`, side, checks: words.map((text) => ({ check: 'contains', text })) };
}

/** The first step learns “alpha”, the second “beta” on top of it. */
function models({ shortFails = false } = {}) {
  const model = new ScriptedModel()
    .when(
      ({ replySchema }) => replySchema?.name === 'reflection',
      ({ messages }) => {
        const skill = messages[0]?.content ?? '';
        const word = skill.includes('- Say “alpha”.') ? 'beta' : 'alpha';
        return edits({ op: 'append', content: `- Say “${word}”.`, rationale: `Answers lacked ${word}.` });
      },
    )
    .when(
      ({ role }) => role === 'optimizer',
      ({ messages }) =>
        edits({
          op: 'append',
          content: `- Say “${(messages[0]?.content ?? '').includes('Say “beta”') ? 'beta' : 'alpha'}”.`,
          rationale: 'Merged.',
        }),
    )
    .when(
      () => true,
      ({ messages }) => {
        const skill = messages[0]?.content ?? '';
        const said = ['alpha', 'beta'].filter((word) => skill.includes(`Say “${word}”`));
        return said.length === 0 || (shortFails && said.length === 1) ? 'Nothing.' : said.join(' ');
      },
    );
  return inEveryRole(model);
}

function idsOf({ candidates }: Proposal): readonly string[] {
  return candidates?.others.map(({ id }) => id) ?? [];
}

function textOfOther({ candidates }: Proposal): string | undefined {
  return candidates?.others[0]?.candidateText;
}

/** JSON has no undefined. */
function asStored(proposal: Proposal | undefined): unknown {
  const stored: unknown = JSON.parse(JSON.stringify(proposal));
  return stored;
}
