import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { repository } from './sourceFiles.js';
import { holds, type Context } from './whenClause.js';

const entry = z.object({ command: z.string(), when: z.string().optional(), group: z.string().optional() });
const Manifest = z.object({
  contributes: z.object({
    commands: z.array(
      z.object({ command: z.string(), icon: z.string().optional(), enablement: z.string().optional() }),
    ),
    menus: z.record(z.string(), z.array(entry)),
  }),
});
const { commands, menus } = Manifest.parse(
  JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')),
).contributes;

const nothing: Context = { isWorkspaceTrusted: true, workspaceFolderCount: 0 };
const empty: Context = { ...nothing, workspaceFolderCount: 1, 'whetstone.searched': true };
const untrained: Context = {
  ...empty,
  'whetstone.hasModel': true,
  'whetstone.hasSkills': true,
  'whetstone.hasTasks': true,
};
const trained: Context = { ...untrained, 'whetstone.hasRuns': true };

/** These need no window state at all. */
const everywhere = ['chooseModel', 'showLog', 'tryDemo'];
/** And these a folder. */
const inFolder = [...everywhere, 'refresh'];
/** These a skill, with its tasks and a model. */
const onSkill = [
  ...inFolder,
  'allowSecrets',
  'checkConnection',
  'chooseSessions',
  'draftTasks',
  'editPrompt',
  'forgetLogins',
  'importTasks',
  'installOsSchedule',
  'mineSessions',
  'nightly',
  'optimize',
  'previewRequests',
  'sandbox',
  'scriptEdits',
  'setApiKey',
  'showNotes',
  'showSessions',
  'showSkill',
  'showUsage',
  'tryTask',
  'updateRecord',
];
const onRuns = [
  ...onSkill,
  'checkJudge',
  'deleteSkillData',
  'exportReport',
  'forgetRejected',
  'resetNotes',
  'showReport',
];

describe('the command palette', () => {
  for (const [what, context, wanted] of [
    ['nothing open', nothing, everywhere],
    ['a folder without a skill', empty, inFolder],
    ['a skill with tasks that was never run', untrained, onSkill],
    ['a run under way', { ...untrained, 'whetstone.isRunning': true }, [...onSkill, 'pauseRun']],
    ['a run that can go on', { ...trained, 'whetstone.hasPaused': true }, [...onRuns, 'resumeRun']],
    ['prompts that wait', { ...trained, 'whetstone.hasHanded': true }, [...onRuns, 'giveUpRun']],
    [
      'edits that wait',
      { ...trained, 'whetstone.hasPending': true },
      [...onRuns, 'acceptChecked', 'review', 'reviewAll'],
    ],
    ['what was adopted', { ...trained, 'whetstone.hasAdopted': true }, [...onRuns, 'undo']],
    ['part of a proposal', { ...trained, 'whetstone.hasUnmeasured': true }, [...onRuns, 'measureAccepted']],
    ['notes in front', { ...untrained, resourceScheme: 'whetstone-notes' }, [...onSkill, 'resetNotes']],
    ['an open question', { ...trained, 'whetstone.canGather': true }, [...onRuns, 'gatherEvidence']],
    ['drafts', { ...untrained, 'whetstone.hasDrafts': true }, [...onSkill, 'confirmDrafts', 'reviewDrafts']],
    [
      'several skills',
      { ...untrained, 'whetstone.hasSeveralSkills': true },
      [...onSkill, 'filterSkills', 'sortByAttention'],
    ],
    [
      'a proposal in front',
      { ...nothing, resourceScheme: 'whetstone-proposal', 'whetstone.canDecide': true },
      [
        ...everywhere,
        'acceptAllHunks',
        'acceptHunk',
        'explainHunk',
        'measureProposal',
        'nextEdit',
        'previousEdit',
        'rejectAllHunks',
        'rejectHunk',
        'reviewReport',
        'showBaseChanges',
      ],
    ],
  ] as const)
    it(`offers only what can act, with ${what}`, () => {
      assert.deepEqual(offeredIn(context).toSorted(), unlessTasks(wanted).toSorted());
    });

  it('hides nothing that may act while nobody has looked yet, and says no more of a folder in which nothing was ever run', () => {
    const unseen: Context = { ...untrained, 'whetstone.searched': false };
    const may = [
      'checkJudge',
      'deleteSkillData',
      'gatherEvidence',
      'giveUpRun',
      'measureAccepted',
      'resumeRun',
      'review',
      'reviewAll',
      'undo',
    ];
    assert.deepEqual(
      may.filter((name) => !offeredIn(unseen).includes(name)),
      [],
    );
    const untouched = offeredIn({ ...unseen, 'whetstone.untouched': true });
    assert.deepEqual(
      may.filter((name) => untouched.includes(name)),
      [],
    );
  });

  it('offers in a window that is not trusted nothing that writes', () => {
    const offered = commands.filter((command) => isOffered(command, { ...trained, isWorkspaceTrusted: false }));
    assert.ok(offered.every(({ enablement }) => enablement === undefined));
  });

  it('has a condition for every command that needs more than the window', () => {
    const conditions = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));
    const without = commands.map(({ command }) => command).filter((command) => !conditions.has(command));
    assert.deepEqual(without.map(shortOf).filter(isKnown).toSorted(), everywhere);
    for (const [command, when] of conditions) assert.ok(when !== undefined && when !== '', command);
  });
});

describe('the menu of a row', () => {
  for (const [what, viewItem, wanted] of [
    [
      'of a skill that was never run',
      'skill+tasks',
      ['optimize', 'draftTasks', 'importTasks', 'mineSessions', 'updateRecord'],
    ],
    ['of a skill without tasks', 'skill.withoutTasks', ['optimize', 'draftTasks', 'importTasks', 'mineSessions']],
    [
      'of a skill with edits that wait',
      'skill.pending+tasks+runs',
      [
        'optimize',
        'review',
        'draftTasks',
        'importTasks',
        'mineSessions',
        'showReport',
        'exportReport',
        'updateRecord',
        'checkJudge',
        'deleteSkillData',
      ],
    ],
    [
      'of a skill that was adopted',
      'skill+tasks+runs+adopted',
      [
        'optimize',
        'draftTasks',
        'importTasks',
        'mineSessions',
        'undo',
        'showReport',
        'exportReport',
        'updateRecord',
        'checkJudge',
        'deleteSkillData',
      ],
    ],
    [
      'of a skill that is trained now',
      'skill.running+tasks+runs',
      ['pauseRun', 'draftTasks', 'importTasks', 'mineSessions', 'showReport', 'exportReport', 'checkJudge'],
    ],
    [
      'of a skill that a night trains now',
      'skill.running.night+tasks+runs',
      ['draftTasks', 'importTasks', 'mineSessions', 'showReport', 'exportReport', 'checkJudge'],
    ],
    [
      'of a run that can go on',
      'skill.paused+tasks+runs',
      [
        'optimize',
        'resumeRun',
        'draftTasks',
        'importTasks',
        'mineSessions',
        'showReport',
        'exportReport',
        'updateRecord',
        'checkJudge',
        'deleteSkillData',
      ],
    ],
    [
      'of a skill whose prompts wait',
      'skill.paused+tasks+runs+handed',
      [
        'optimize',
        'resumeRun',
        'giveUpRun',
        'draftTasks',
        'importTasks',
        'mineSessions',
        'showReport',
        'exportReport',
        'updateRecord',
        'checkJudge',
        'deleteSkillData',
      ],
    ],
    ['of prompts that wait', 'handed.run', ['resumeRun', 'giveUpRun']],
    ['of prompts of a measurement', 'handed', ['giveUpRun']],
    ['of a judge', 'judge', ['checkJudge']],
  ] as const)
    it(`${what} holds what fits it, Optimize first`, () => {
      const context: Context = { ...trained, view: 'whetstone.skills', viewItem };
      const items = (menus['view/item/context'] ?? [])
        .filter(({ group, when }) => group?.startsWith('inline') === false && holds(when, context))
        .toSorted((a, b) => (a.group ?? '').localeCompare(b.group ?? ''))
        .map(({ command }) => shortOf(command));
      assert.deepEqual(items.filter(isKnown), wanted);
    });

  it('offers to resume a run of the Runs view where it can go on, beside its row and in its menu', () => {
    assert.deepEqual(groupsOf('run.paused'), ['0_run@2', 'inline@2']);
    assert.deepEqual(groupsOf('run.paused+waiting'), ['0_run@2', 'inline@2']);
    assert.deepEqual(groupsOf('handed.run', 'resumeRun', 'whetstone.skills'), ['0_run@2', 'inline@2']);
    assert.deepEqual(groupsOf('run.proposed'), []);
  });

  it('offers to give a run up where its prompts wait', () => {
    for (const viewItem of ['run.paused+waiting', 'run.waiting'])
      assert.deepEqual(groupsOf(viewItem, 'giveUpRun'), ['0_run@3']);
    for (const viewItem of ['run.paused', 'run.proposed']) assert.deepEqual(groupsOf(viewItem, 'giveUpRun'), []);
  });

  it('has an icon of its own for rejecting, undoing and restoring, and for trying, measuring and the demo', () => {
    for (const apart of [
      ['rejectHunk', 'rejectAllHunks', 'undo', 'restoreVersion'],
      ['tryTask', 'measureAccepted', 'tryDemo'],
    ]) {
      const icons = apart.map(iconOf);
      assert.ok(icons.every((icon) => icon !== undefined) && new Set(icons).size === icons.length, icons.join(' '));
    }
  });
});

function iconOf(name: string): string | undefined {
  return commands.find(({ command }) => command === `whetstone.${name}`)?.icon;
}

function offeredIn(context: Context): readonly string[] {
  return commands.filter((command) => isOffered(command, context)).map(({ command }) => shortOf(command));
}

/** A command that is disabled is not listed. */
function isOffered({ command, enablement }: (typeof commands)[number], context: Context): boolean {
  const when = menus['commandPalette']?.find((each) => each.command === command)?.when;
  return isKnown(shortOf(command)) && holds(when, context) && holds(enablement, context);
}

/** What concerns single tasks and new skills has tests of its own. */
function isKnown(name: string): boolean {
  return !/^(?:new|delete|move|open|edit|show)?(?:Task|Skill)s?$/.test(name) || name === 'showSkill';
}

function unlessTasks(names: readonly string[]): readonly string[] {
  return names.filter(isKnown);
}

function shortOf(command: string): string {
  return command.replace('whetstone.', '');
}

/** Where the menu of a row, in the Runs view unless another is named, offers a command: to resume it, unless another is named. */
function groupsOf(viewItem: string, name = 'resumeRun', view = 'whetstone.runs'): readonly (string | undefined)[] {
  return (menus['view/item/context'] ?? [])
    .filter(({ when }) => holds(when, { ...trained, view, viewItem }))
    .filter(({ command }) => shortOf(command) === name)
    .map(({ group }) => group);
}
