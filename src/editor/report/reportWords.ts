import { stepWords } from '../../wording/gateWords.js';
import { headNamed } from '../../wording/verdictReport.js';
import { proposedBy, togetherSentence } from '../../wording/decidedEdits.js';
import type { Say } from '../../wording/translate.js';
import { candidateGrid, candidateNotes, type CandidateFacts } from '../../wording/candidateText.js';
import { typeGrid, type TypeFigures } from '../../wording/taskWords.js';
import type { PlainTable, ReportWords } from '../../webview/reportMessage.js';

/** The table of candidates, in words; nothing where the run chose by the score alone. */
export function candidateTable(facts: CandidateFacts | undefined, t: Say): PlainTable | undefined {
  const grid = facts === undefined ? undefined : candidateGrid(facts, t);
  if (facts === undefined || grid === undefined) return undefined;
  return { title: t('Candidates'), sentences: candidateNotes(facts, t), ...grid };
}

/** The figures by type of task, in words; nothing where all are of one type. */
export function typesTable(figures: readonly TypeFigures[] | undefined, t: Say): PlainTable | undefined {
  if (figures === undefined || figures.length === 0) return undefined;
  return { title: t('Tasks by Type'), sentences: [t('The share of attempts that passed.')], ...typeGrid(figures, t) };
}

/** The words of the report. `language` is how numbers and dates are written. */
export function reportWords(t: Say, language: string): ReportWords {
  return {
    language,
    ...headWords(t),
    ...sectionWords(t),
    ...columnWords(t),
    named: namedWords(t),
    verdicts: verdictNames(t),
  };
}

function headWords(t: Say) {
  return {
    title: t('Report'),
    verdict: t('Verdict'),
    settle: t('What would settle it: {0}'),
    sealed: t('Final exam on {2} sealed tasks (not used for the decision): {0} → {1}'),
    ofAllEdits: t('This verdict is about all edits together; only part of them is in the skill.'),
    statistics: t('Statistics'),
    simulated: t('Simulated model: the figures show how Whetstone works, not how good the skill is.'),
    begun: t('Begun'),
    models: t('Models'),
    tasks: t('Tasks (training · held-out · sealed)'),
    spent: t('Spent'),
    exportHtml: t('Export HTML'),
    exportMarkdown: t('Export as Markdown'),
    asTable: t('As a table'),
    notes: t('Notes'),
  };
}

function sectionWords(t: Say) {
  return {
    curve: t('Score over steps'),
    curveAbout: t('Held-out score of each candidate, the best so far, and what measuring it on fresh attempts found.'),
    curveOfTraining: t('Training score that each step started from, and what measuring on held-out tasks found.'),
    heat: t('Tasks by step'),
    heatAbout: t('Each row is a task. T is the training roll-out of a step, H the held-out score of its candidate.'),
    spend: t('Spend by role'),
    spendAbout: t('Tokens and money by role; the table has calls, stored replies and time of each stage as well.'),
    edits: t('Edits and what they are worth'),
    editsAbout: t('Points that each edit adds on training tasks, with its 95 % interval.'),
    noEdits: t(
      'No edits of this run are kept: none were proposed, all were rejected at once, or a later proposal took their place.',
    ),
    history: t('History of the skill'),
    historyAbout: t('Every measured run: the held-out score before and after.'),
  };
}

function columnWords(t: Say) {
  return {
    step: t('Step {0}', '{0}'),
    ofTasks: t('{0} ({1} of {2} tasks)', '{0}', '{1}', '{2}'),
    training: t('Training'),
    heldOut: t('Held-out'),
    candidate: t('Candidate'),
    best: t('Best so far'),
    certified: t('Measured'),
    before: t('before'),
    after: t('after'),
    decision: t('Decision'),
    task: t('Task'),
    side: t('Side'),
    role: t('Role or stage'),
    calls: t('Calls'),
    cached: t('Stored replies'),
    tokens: t('Tokens'),
    money: t('Money'),
    upTo: t('up to {0}', '{0}'),
    time: t('Time'),
    edit: t('Edit'),
    text: t('Text'),
    worth: t('Worth in points, on training tasks'),
    interval: t('95 % interval'),
    reason: t('Reason'),
    notMeasured: t('not measured singly'),
    together: t('together with {0}', '{0}'),
    changesScript: t('changes a script that agents run'),
    decidedTogether: togetherSentence(['{0}'], t),
    proposedBy: proposedBy([{ environment: '{0}' }], t).join(''),
    when: t('When'),
    adopted: t('Adopted'),
    partly: t('partly'),
    yes: t('yes'),
    no: t('no'),
    none: t('none'),
  };
}

/** What the gate found; by the same names the figures carry what a person decided about an edit. */
function verdictNames(t: Say): ReportWords['verdicts'] {
  const names = ['accepted', 'rejected', 'not-shown', 'inconclusive', 'unmeasured'] as const;
  return Object.fromEntries(names.map((name) => [name, headNamed(name, t)]));
}

/** The figures name a decision with spaces. */
function spaced(words: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name.replaceAll('_', ' '), word]));
}

/** The names that the figures carry: of outcomes, decisions, roles and stages. */
function namedWords(t: Say): ReportWords['named'] {
  return {
    accepted: t('accepted'),
    rejected: t('rejected'),
    proposed: t('proposed'),
    nothing: t('nothing proposed'),
    cancelled: t('cancelled'),
    failed: t('failed'),
    cap: t('ended at its cap'),
    running: t('running'),
    waiting: t('waits for answers'),
    'given-up': t('given up'),
    open: t('open'),
    edited: t('edited by you'),
    'the skill as it was': t('the skill as it was'),
    ...spaced(stepWords(t)),
    target: t('target'),
    optimizer: t('optimizer'),
    judge: t('judge'),
    baseline: t('baseline'),
    rollout: t('rollout'),
    reflect: t('reflect'),
    aggregate: t('aggregate'),
    select: t('select'),
    update: t('update'),
    evaluate: t('evaluate'),
    front: t('front'),
    'slow-update': t('slow update'),
    'meta-skill': t('meta skill'),
    attribute: t('attribute'),
    certify: t('measure'),
    sealed: t('sealed'),
    'cut off with the run': t('cut off with the run'),
  };
}
