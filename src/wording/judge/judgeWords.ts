import {
  fewestLabels,
  lowAgreement,
  type JudgeAgreement,
  type PassFail,
} from '../../gate/statistics/judgeAgreement.js';
import { percent } from '../amounts.js';
import { shownModel } from '../programs/shownModel.js';
import type { Say } from '../translate.js';

/** What the labels of a person say of a judge. */
export interface LabelledJudge {
  readonly judge: string;
  readonly agreement: JudgeAgreement | undefined;
  readonly changed: number;
  readonly ofOthers: number;
  /** Not theirs, and not counted. */
  readonly notYours?: number | undefined;
  /** Not theirs, and counted because they said so. */
  readonly letIn?: number | undefined;
  readonly now?: string | undefined;
  /** Of answers that are not kept here; undefined where that was not looked at. */
  readonly notKept?: number | undefined;
}

/** `agrees 11 of 14, 79 % (52–92 %)`, or that it cannot be said yet: in a row. */
export function judgeWords({ agreement, now }: LabelledJudge, say: Say): string {
  if (now !== undefined) return say('another judge grades now');
  if (agreement === undefined) return say('too few to say: no label counts');
  if (agreement.standing !== 'too-few') return say('agrees {0}', figures(agreement, say));
  return agreement.labels < fewestLabels
    ? say('too few to say: {0} of {1} labels', agreement.labels, fewestLabels)
    : say('too few to say: one verdict only');
}

/** What a person is told of the judge, a sentence each: how far it agrees, what that is worth, and what does not count. */
export function judgeSentences(judged: LabelledJudge, say: Say): readonly string[] {
  const { agreement, changed, ofOthers, now, notKept = 0 } = judged;
  return [
    ...(agreement === undefined ? [] : agreementSentences(shownModel(judged.judge), agreement, say)),
    ...(notKept === 0
      ? []
      : [
          say(
            'Labels of answers that are not kept on this machine: {0}. They came with the files or are older than 30 days, and nobody can look at them again.',
            notKept,
          ),
        ]),
    ...whoseSentences(judged, say),
    ...(changed === 0
      ? []
      : [say('Labels that no longer count, because their task or criterion changed: {0}.', changed)]),
    ...(ofOthers === 0
      ? []
      : [say('Labels of answers that this judge did not grade, or not with the prompt of today: {0}.', ofOthers)]),
    ...(now === undefined ? [] : [say('{0} grades now: label answers that it graded.', shownModel(now))]),
  ];
}

/** How many labels are of others: those that do not count, and those that were let in. */
function whoseSentences({ notYours = 0, letIn = 0 }: LabelledJudge, say: Say): readonly string[] {
  return [
    ...(notYours === 0
      ? []
      : [say('Labels that came with the folder and are not yours: {0}. They do not count.', notYours)]),
    ...(letIn === 0 ? [] : [say('Labels that are not yours and count, because you said so: {0}.', letIn)]),
  ];
}

function agreementSentences(judge: string, agreement: JudgeAgreement, say: Say): readonly string[] {
  const { standing, labels, always, answers } = agreement;
  const agrees = say('The judge {0} agrees with your labels in {1}.', judge, figures(agreement, say));
  if (standing === 'too-few') return [tooFew(agreement, say)];
  return [
    agrees,
    ...(standing === 'low'
      ? [
          say(
            '⚠ That is under {0}: what it grades may mislead. Say the criteria more exactly, or take another judge.',
            percent(lowAgreement),
          ),
        ]
      : []),
    say('One that always said “{0}” would agree in {1} of {2}.', gradeWord(always.label, say), always.times, labels),
    ...(answers.all === 0 || answers.all === labels
      ? []
      : [say('Over whole answers, with all their criteria, it agrees in {0} of {1}.', answers.agreed, answers.all)]),
  ];
}

function tooFew({ labels, always }: JudgeAgreement, say: Say): string {
  if (labels < fewestLabels) return say('Too few to say: {0} of at least {1} labels.', labels, fewestLabels);
  return say(
    'Too few to say: every label is “{0}”, and a judge that says so of everything would agree. Label answers of both kinds.',
    gradeWord(always.label, say),
  );
}

/** For whoever starts a run with this judge or reads its report; undefined where it is not known to agree too seldom. */
export function lowJudgeNote({ judge, agreement }: LabelledJudge, say: Say): string | undefined {
  if (agreement?.standing !== 'low') return undefined;
  const text = 'The judge {0} agrees with your labels in {1}, which is under {2}: what it grades may mislead.';
  return say(text, shownModel(judge), figures(agreement, say), percent(lowAgreement));
}

/** For whoever starts a run with another judge than the one that they labelled. */
export function otherJudgeAside(labelled: string, judge: string, say: Say): string {
  const text = 'Your labels are of the judge {0}: how far {1} agrees with you is not known. Check it after the run.';
  return say(text, shownModel(labelled), shownModel(judge));
}

/** What is said of an answer at one criterion. */
export function gradeWord(grade: PassFail, say: Say): string {
  return grade === 'pass' ? say('pass') : say('fail');
}

function figures({ agreed, labels, share, interval: [low, high] }: JudgeAgreement, say: Say): string {
  const range = `${Math.round(low * 100)}–${percent(high)}`;
  return say('{0} of {1}, {2} ({3})', agreed, labels, percent(share), range);
}
