import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSkill } from '../../src/app/openSkill.js';
import { acceptedFiles } from '../../src/app/proposals/acceptedFiles.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { Proposal } from '../../src/ports/proposal.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aPackagedSkill, packagedSkill, shownReferences, toneFile } from '../builders/aPackagedSkill.js';
import type { TestWorkspace } from '../builders/aWorkspace.js';
import { aCommandLine } from '../builders/commandLine.js';

describe('a skill whose decisive rule stands in a file beside it', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));
  const neverAborted = new AbortController().signal;

  it('is mended in both files, which are adopted and undone byte for byte as one', async () => {
    const { workspace, result } = await optimized(workspaces, shownReferences);
    const documents = documentsOf(result.proposal);
    assert.deepEqual(
      documents.map(({ kind, path: name }) => `${kind} ${name}`),
      ['skill skills/words/SKILL.md', 'file ./references/tone.md'],
    );
    const [skill = '', tone = ''] = documents.map(({ candidateText }) => candidateText);
    assert.match(tone, /600 characters/);
    assert.doesNotMatch(tone, /900 words|[^\r]\n/);
    assert.match(skill, /alpha/);
    const ids = documents.flatMap(({ edits }) => edits.map(({ id }) => id));
    assert.deepEqual(ids.toSorted(), ['E1', 'E2']);
    assert.deepEqual(textsIn(workspace), [packagedSkill, toneFile]);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const seen = await triedIn(workspace);
    assert.ok(seen.includes('all'), seen.join(' '));
    await workspace.useCases().adopt(request, neverAborted);
    assert.deepEqual(textsIn(workspace), [skill, tone]);
    await workspace.useCases().undo(request, neverAborted);
    assert.deepEqual(textsIn(workspace), [packagedSkill, toneFile]);
  });

  it('is mended file by file where the person takes one edit', async () => {
    const { workspace, result } = await optimized(workspaces, shownReferences);
    const [, tone] = documentsOf(result.proposal);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    await workspace.useCases().adopt({ ...request, edits: tone?.edits.map(({ id }) => id) ?? [] }, neverAborted);
    assert.deepEqual(textsIn(workspace), [packagedSkill, tone?.candidateText]);
    assert.equal((await workspace.overview()).history[0]?.verdict, 'unmeasured');
    await workspace.useCases().undo(request, neverAborted);
    assert.deepEqual(textsIn(workspace), [packagedSkill, toneFile]);
  });

  it('is measured with the edits of its files, where those were accepted too', async () => {
    const { workspace } = await optimized(workspaces, shownReferences);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const useCases = workspace.useCases();
    await useCases.adopt({ ...request, edits: ['E1'] }, neverAborted);
    await useCases.adopt({ ...request, edits: ['E2'] }, neverAborted);
    const [after = ''] = textsIn(workspace);
    const run = { ...request, preset: 'quick' as const, settings: [settings(shownReferences)], trusted: true };
    const measure = { ...run, purpose: 'optimize' as const, before: packagedSkill, after };
    const simulated = createSimulatedModel({});
    const shown: string[] = [];
    const target: LanguageModel = {
      identity: simulated.identity,
      complete(asked, signal) {
        shown.push(JSON.stringify(asked.messages));
        return simulated.complete(asked, signal);
      },
    };
    const watched = workspace.useCases({ target, optimizer: simulated, judge: simulated });
    const verdict = await watched.measure(measure, () => undefined, neverAborted);
    assert.equal(verdict.kind, 'accepted');
    const sides = ['at least 900 words', 'alpha'].map((words) => shown.filter((text) => text.includes(words)));
    assert.deepEqual(
      shown.map((text) => text.includes('at least 900 words') !== text.includes('alpha')),
      shown.map(() => true),
      'each side has its own file',
    );
    assert.ok(sides.every((side) => side.length > 0));
    const whole = await acceptedFiles(await openSkill(workspace.world(), request, 'look'));
    assert.deepEqual(whole?.before, { 'references/tone.md': toneFile });
    await useCases.undo(request, neverAborted);
    await useCases.undo(request, neverAborted);
    assert.equal(await acceptedFiles(await openSkill(workspace.world(), request, 'look')), undefined);
  });

  it('is measured by its files alone, where only their edits were accepted, and anew with one more of them', async () => {
    const { workspace, result } = await optimized(workspaces, shownReferences);
    const [skill, tone] = documentsOf(result.proposal);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const run = { ...request, preset: 'quick' as const, settings: [settings(shownReferences)], trusted: true };
    const measure = { ...run, purpose: 'optimize' as const, before: packagedSkill, after: packagedSkill };
    const useCases = workspace.useCases();
    // As it would be, before anything is taken: the files are named.
    const proposed = {
      before: { 'references/tone.md': toneFile },
      after: { 'references/tone.md': `${toneFile}Be brief.` },
    };
    assert.notEqual(await useCases.measurePrice({ ...measure, files: proposed }, neverAborted), undefined);
    await useCases.adopt({ ...request, edits: tone?.edits.map(({ id }) => id) ?? [] }, neverAborted);
    assert.equal((await workspace.overview()).measurement.kind, 'unmeasured');
    assert.equal(await useCases.unmeasuredBase(request), packagedSkill);
    const verdict = await useCases.measure(measure, () => undefined, neverAborted);
    const { measurement, history } = await workspace.overview();
    assert.deepEqual([measurement.kind, history[0]?.measured], ['measured', verdict]);
    assert.equal(await useCases.unmeasuredBase(request), undefined);
    await useCases.adopt({ ...request, edits: skill?.edits.map(({ id }) => id) ?? [] }, neverAborted);
    assert.equal(
      (await workspace.overview()).measurement.kind,
      'whole',
      'file by file, all of it is what was measured',
    );
  });

  it('is rebased by file', async () => {
    const { workspace, result } = await optimized(workspaces, shownReferences);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const longer = toneFile.replace('# Tone', '# The tone');
    writeFileSync(path.join(path.dirname(workspace.skillPath), 'references/tone.md'), longer);
    await assert.rejects(workspace.useCases().adopt(request, neverAborted), /tone\.md has changed/);
    const { proposal, lost } = await workspace.useCases().rebase(request, neverAborted);
    assert.deepEqual([lost, proposal.documents.length, proposal.verdict.kind], [[], 2, 'unmeasured']);
    await workspace.useCases().adopt(request, neverAborted);
    const [, tone] = documentsOf(result.proposal);
    const [, after] = textsIn(workspace);
    assert.equal(after, tone?.candidateText.replace('# Tone', '# The tone'));
  });

  it('is not mended there where the target is not shown the file, nor in modes that write SKILL.md anew', async () => {
    const { result: hidden } = await optimized(workspaces, {});
    const { result: anew } = await optimized(workspaces, {
      ...shownReferences,
      edits: { mode: 'full_rewrite_minibatch' },
    });
    for (const { proposal } of [hidden, anew]) {
      assert.deepEqual(
        (proposal?.documents ?? []).filter(({ kind }) => kind === 'file'),
        [],
      );
    }
  });

  it('is shown, adopted, compared and undone on the command line file by file', async () => {
    const { workspace } = await optimized(workspaces, shownReferences);
    const base = path.dirname(workspace.folder);
    const environment = { WHETSTONE_HOME: path.join(workspace.home, 'state') };
    const line = aCommandLine({ at: { base }, environment });
    const show = await line.run('show', workspace.skillPath);
    assert.match(
      show.out,
      /skills\/words\/SKILL\.md\n[^]*alpha[^]*\nreferences\/tone\.md\n[^]*-- Write at least 900 words\./,
    );
    assert.equal((await line.run('adopt', workspace.skillPath)).code, 0);
    const [, tone] = textsIn(workspace);
    writeFileSync(path.join(path.dirname(workspace.skillPath), 'references/tone.md'), `${tone}Mine.\r\n`);
    const diff = await line.run('history', workspace.skillPath, '--diff', '1');
    assert.match(diff.out, /^SKILL\.md\nNothing changed since\.\n\nreferences\/tone\.md\n[^]*\+Mine\./);
    assert.equal((await line.run('history', workspace.skillPath, '--restore', '1')).code, 0);
    assert.equal(textsIn(workspace)[1], tone);
    assert.equal((await line.run('undo', workspace.skillPath)).code, 0);
    assert.equal(textsIn(workspace)[1], `${tone}Mine.\r\n`);
    writeFileSync(path.join(path.dirname(workspace.skillPath), 'references/tone.md'), tone ?? '');
    assert.equal((await line.run('undo', workspace.skillPath)).code, 0);
    assert.deepEqual(textsIn(workspace), [packagedSkill, toneFile]);
  });

  it('goes on only where its files are as they were', async () => {
    const workspace = aPackagedSkill();
    workspaces.push(workspace);
    const stop = new AbortController();
    const cut = workspace.optimize({
      settings: settings(shownReferences),
      signal: stop.signal,
      onEvent: (event) => event.kind === 'patches' && stop.abort(),
    });
    await assert.rejects(cut);
    const tone = path.join(path.dirname(workspace.skillPath), 'references/tone.md');
    writeFileSync(tone, `${toneFile}Mine.\r\n`);
    const resume = { settings: settings(shownReferences), resume: { run: undefined } };
    await assert.rejects(workspace.optimize(resume), /the skill has changed since it began/);
    writeFileSync(tone, toneFile);
    assert.equal((await workspace.optimize(resume)).proposal?.documents.length, 2);
  });

  it('is previewed with the files that are sent, and what an edit must name', async () => {
    const workspace = aPackagedSkill();
    workspaces.push(workspace);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const run = { ...request, purpose: 'optimize' as const, trusted: true, settings: [settings(shownReferences)] };
    const { text } = await workspace.useCases().preview({ ...run, preset: 'quick' }, neverAborted);
    assert.match(text, /references\/tone\.md:[^]*at least 900 words[^]*has one more field, `file`/);
  });

  it('takes no more than was announced', async () => {
    const { workspace, events } = await optimized(workspaces, shownReferences);
    const calls = events.filter((event) => event.kind === 'call');
    const announced = await workspace.preflight({ settings: settings(shownReferences) });
    assert.ok(calls.length > 0 && calls.length <= announced.calls.high);
  });
});

function documentsOf(proposal: Proposal | undefined): Proposal['documents'] {
  assert.equal(proposal?.verdict.kind, 'accepted');
  return proposal.documents;
}

function textsIn({ skillPath }: TestWorkspace): readonly string[] {
  const tone = path.join(path.dirname(skillPath), 'references/tone.md');
  return [readFileSync(skillPath, 'utf8'), readFileSync(tone, 'utf8')];
}

/** With which edits the tasks were answered. Both are needed: an answer that failed was given with one of them, and says which. */
async function triedIn(workspace: TestWorkspace): Promise<readonly string[]> {
  const { tasks } = await workspace.overview();
  const seen: string[] = [];
  for (const { id } of [...(tasks?.training ?? []), ...(tasks?.heldOut ?? [])]) {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder], task: id };
    const { answers } = await workspace.useCases().showTask(request);
    for (const { under, passed, edits = ['all'] } of answers) {
      if (under !== 'candidate') continue;
      assert.deepEqual([id, edits.length, passed], [id, 1, edits[0] === 'all']);
      seen.push(...edits);
    }
  }
  return seen;
}

function settings(given: Readonly<Record<string, unknown>>) {
  return { train: { epochs: 1 }, ...given };
}

async function optimized(workspaces: TestWorkspace[], given: Readonly<Record<string, unknown>>) {
  const workspace = aPackagedSkill();
  workspaces.push(workspace);
  const events: RunEvent[] = [];
  const result = await workspace.optimize({ settings: settings(given), onEvent: (event) => events.push(event) });
  return { workspace, result, events };
}
