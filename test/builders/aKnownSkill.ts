import type { KnownSkill } from '../../src/editor/tree/skillNode.js';
import { emptySummary } from '../../src/engine/journal/runSummary.js';
import type { SideResult, Verdict } from '../../src/gate/verdict/verdict.js';
import type { SkillOverview } from '../../src/app/results/overview.js';
import { aReviewDocument, aReviewProposal, betterVerdict, someFigures } from './aReviewProposal.js';
import { aTask } from './aTask.js';

/** One verdict of each kind. */
export const verdictsOfAllKinds: readonly Verdict[] = [
  betterVerdict,
  { kind: 'rejected', reason: 'Not better.', figures: someFigures() },
  {
    kind: 'inconclusive',
    reason: 'Undecided: the spending cap ended it.',
    cause: 'cap',
    cure: 'Five more passes.',
    figures: undefined,
  },
  { kind: 'unmeasured', reason: 'The gate is off.', cause: 'gate-off' },
];

interface Wanted {
  readonly verdict?: Verdict;
  readonly pending?: boolean;
  readonly running?: boolean;
  readonly tasks?: boolean;
}

/** A skill with something in every part of its tree. */
export function aKnownSkill({ verdict = betterVerdict, pending = true, running, tasks = true }: Wanted): KnownSkill {
  const skillPath = '/folder/skills/dates/SKILL.md';
  const skill = { realPath: skillPath, paths: [skillPath], name: 'dates', workspaceFolder: '/work' };
  const run = {
    ...emptySummary('r1', 0),
    skillName: 'dates',
    outcome: 'nothing' as const,
    reason: 'Nothing to learn.',
  };
  return {
    skill,
    overview: anOverview({ skillPath, run, verdict, pending, tasks }),
    trouble: undefined,
    running:
      running === true
        ? {
            summary: { ...run, outcome: 'running', progress: { stage: 'baseline', step: 0, done: 7, planned: 24 } },
            share: { share: 0.35, leftMs: 120_000 },
            capUsd: 0.5,
          }
        : undefined,
  };
}

function anOverview(given: {
  readonly skillPath: string;
  readonly run: SkillOverview['runs'][number];
  readonly verdict: Verdict;
  readonly pending: boolean;
  readonly tasks: boolean;
}): SkillOverview {
  const base = '---\nname: dates\ndescription: Writes dates.\n---\n\n# Dates\n\nWrite dates.\n';
  const edit = { op: 'append', content: 'Use ISO dates.', rationale: 'Three tasks wanted it' } as const;
  const proposal = aReviewProposal([aReviewDocument(base, [edit, { ...edit, content: 'Say the zone.' }])], {
    verdict: given.verdict,
    comparisons: [
      { id: 't1', before: sides(0), after: sides(3) },
      { id: 't2', before: sides(3), after: sides(1) },
      { id: 't3', before: sides(2), after: sides(2) },
      { id: 't4', before: { ...sides(0), score: undefined }, after: { ...sides(0), score: undefined } },
    ],
    leftOut: [
      { index: 1, edit, outcome: { kind: 'unmatched', reason: 'anchor-missing', detail: 'The text is not there' } },
    ],
  });
  const task = aTask({ id: 'one', prompt: 'What day is it' });
  return {
    skillPath: given.skillPath,
    skillKey: 'key',
    name: 'dates',
    tasks: given.tasks
      ? {
          training: [task],
          heldOut: [aTask({ id: 'two' })],
          sealed: [aTask({ id: 'three' })],
          drafts: [aTask({ id: 'four', draft: true })],
          setAside: [{ task: aTask({ id: 'five' }), reason: 'Too close to another task' }],
          disabled: [aTask({ id: 'six', enabled: false })],
          broken: [{ task: aTask({ id: 'seven' }), reason: 'A check is malformed' }],
          problems: [],
          moves: new Map(),
        }
      : undefined,
    pending: given.pending
      ? {
          proposal,
          file: '',
          documentFiles: {},
          own: true,
          dropped: [],
          refusal: undefined,
          stale: false,
          bound: [],
          decisions: { E2: { kind: 'rejected', reason: 'wrong' } },
        }
      : undefined,
    measurement: { kind: 'untouched' },
    runs: [given.run],
    unfinished: [],
    lastGoesOn: false,
    history: [
      {
        id: '1',
        at: 0,
        action: 'adopt',
        proposalId: 'p',
        verdict: 'accepted',
        measured: undefined,
        beforeHash: 'a',
        afterHash: 'b',
        document: 'skill',
        files: [],
        own: true,
      },
    ],
    rejected: [{ text: 'Use US dates.', reason: 'Not better' }],
    trouble: given.tasks ? undefined : 'No tasks yet.',
    note: undefined,
  };
}

function sides(passes: number): SideResult {
  return { passes, valid: 3, invalid: 0, score: passes / 3 };
}
