import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { reviewCommandIds, windowCommandIds } from '../../src/editor/commands/commands.js';
import { settingDefaults, viewIds } from '../../src/editor/contributions.js';
import { readSource, repository, sourceFiles } from './sourceFiles.js';

/** People bind keys to these. */
const commands = [
  'whetstone.refresh',
  'whetstone.optimize',
  'whetstone.chooseModel',
  'whetstone.nightly',
  'whetstone.installOsSchedule',
  'whetstone.showLog',
  'whetstone.showSkill',
  'whetstone.showAnswers',
  'whetstone.undo',
  'whetstone.draftTasks',
  'whetstone.addTask',
  'whetstone.importTasks',
  'whetstone.mineSessions',
  'whetstone.tryTask',
  'whetstone.confirmTask',
  'whetstone.confirmDrafts',
  'whetstone.reviewDrafts',
  'whetstone.enableTask',
  'whetstone.disableTask',
  'whetstone.editTask',
  'whetstone.showTask',
  'whetstone.moveTask',
  'whetstone.deleteTask',
  'whetstone.newTask',
  'whetstone.newSkill',
  'whetstone.keepChecks',
  'whetstone.describeChecks',
  'whetstone.editPrompt',
  'whetstone.showNotes',
  'whetstone.resetNotes',
  'whetstone.forgetRejected',
  'whetstone.setApiKey',
  'whetstone.checkConnection',
  'whetstone.sandbox',
  'whetstone.scriptEdits',
  'whetstone.forgetLogins',
  'whetstone.chooseSessions',
  'whetstone.showUsage',
  'whetstone.showSessions',
  'whetstone.allowSecrets',
  'whetstone.previewRequests',
  'whetstone.review',
  'whetstone.reviewAll',
  'whetstone.acceptHunk',
  'whetstone.rejectHunk',
  'whetstone.explainHunk',
  'whetstone.acceptAllHunks',
  'whetstone.rejectAllHunks',
  'whetstone.measureAccepted',
  'whetstone.measureProposal',
  'whetstone.reviewReport',
  'whetstone.showBaseChanges',
  'whetstone.showReport',
  'whetstone.gatherEvidence',
  'whetstone.refillErrorBudget',
  'whetstone.tryDemo',
  'whetstone.acceptChecked',
  'whetstone.showVersion',
  'whetstone.compareVersion',
  'whetstone.restoreVersion',
  'whetstone.deleteSkillData',
  'whetstone.pauseRun',
  'whetstone.resumeRun',
  'whetstone.giveUpRun',
  'whetstone.showTrainingReport',
  'whetstone.exportReport',
  'whetstone.updateRecord',
  'whetstone.checkJudge',
  'whetstone.showJudge',
  'whetstone.labelAnswer',
  'whetstone.countLabels',
  'whetstone.showQueue',
];

/** These stand in people's settings. */
const settings = [
  'whetstone.model.target',
  'whetstone.model.optimizer',
  'whetstone.model.judge',
  'whetstone.model.prices',
  'whetstone.preset',
  'whetstone.preferences',
  'whetstone.gate.rule',
  'whetstone.gate.noRegression',
  'whetstone.caps.runTokens',
  'whetstone.caps.runUsd',
  'whetstone.caps.dayUsd',
  'whetstone.caps.monthUsd',
  'whetstone.caps.monthTokens',
  'whetstone.caps.more',
  'whetstone.nightly.enabled',
  'whetstone.nightly.time',
  'whetstone.nightly.catchUp',
  'whetstone.nightly.skipOnBattery',
  'whetstone.nightly.exclude',
  'whetstone.nightly.autoAdopt',
  'whetstone.nightly.capTokens',
  'whetstone.nightly.capUsd',
  'whetstone.testExplorer.enabled',
  'whetstone.queue',
];

/** VS Code remembers where people put these. */
const views = ['whetstone.skills', 'whetstone.runs'];
const containers = ['whetstone'];

/** People may have chosen a theme or settings for this. */
const languages = ['whetstone-proposal'];

/** VS Code remembers which steps are done. */
const walkthroughs = ['start'];

/**
 * Under these names VS Code keeps keys, wishes and reviews for us. What 0.1.0 kept under `standings` follows from
 * receipts and decisions.
 */
const keptByTheEditor = ['whetstone.key.', 'whetstone.demo', 'reviews', 'candidate.md', 'review.json'];

const ids = z.array(z.object({ id: z.string() }));
const Manifest = z.object({
  contributes: z.object({
    viewsContainers: z.record(z.string(), ids),
    languages: ids,
    walkthroughs: ids,
  }),
});
const { contributes } = Manifest.parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));

/** Others may be added; none may go, and none may be called otherwise. */
const names: readonly (readonly [what: string, stored: readonly string[], known: readonly string[]])[] = [
  ['commands', commands, [...windowCommandIds, ...reviewCommandIds]],
  ['settings', settings, Object.keys(settingDefaults)],
  ['views', views, viewIds],
  ['view containers', containers, Object.values(contributes.viewsContainers).flatMap(idsOf)],
  ['languages', languages, idsOf(contributes.languages)],
  ['walkthroughs', walkthroughs, idsOf(contributes.walkthroughs)],
];

describe('names that people’s machines remember', () => {
  for (const [what, stored, known] of names) {
    it(`are all there still: ${what}`, () =>
      assert.deepEqual(
        stored.filter((name) => !known.includes(name)),
        [],
      ));
  }

  it('are all there still: what the editor keeps for us', () => {
    const written = sourceFiles().map(readSource).join('\n');
    assert.deepEqual(
      keptByTheEditor.filter((name) => !written.includes(`'${name}'`)),
      [],
    );
  });
});

function idsOf(listed: z.infer<typeof ids>): readonly string[] {
  return listed.map(({ id }) => id);
}
