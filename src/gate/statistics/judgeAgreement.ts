import { shareInterval } from './interval.js';

/** What a person says of an answer at one criterion, and what a judge model says of it. */
export type PassFail = 'pass' | 'fail';

/** One answer at one criterion, labelled by a person and graded by the judge. */
export interface LabelledGrade {
  /** Names the answer: several criteria may be of one. */
  readonly answer: string;
  /** How many criteria of this answer the judge grades. */
  readonly of: number;
  readonly label: PassFail;
  readonly grade: PassFail;
}

/** How far a judge agrees with a person. */
export interface JudgeAgreement {
  readonly labels: number;
  readonly agreed: number;
  readonly share: number;
  /** 95 %, for the share. */
  readonly interval: readonly [number, number];
  /** `too-few`: nothing can be said yet; `low`: the share is under {@link lowAgreement}. */
  readonly standing: 'too-few' | 'low' | 'fine';
  /** What is labelled most often, and how often: a judge that always said so would agree that often. */
  readonly always: { readonly label: PassFail; readonly times: number };
  /** Over answers whose criteria are all labelled: both say that all hold, or both that one does not. */
  readonly answers: { readonly all: number; readonly agreed: number };
}

/** With fewer, even a judge that agrees every time may be under 75 %. */
export const fewestLabels = 12;

/** A judge that agrees less often is warned of. */
export const lowAgreement = 0.8;

/**
 * How far the grades agree with the labels. Each label counts once and decides; whole answers are told beside it. With
 * one label only, a judge that says the same of everything agrees always: then nothing can be said. Undefined without any.
 */
export function judgeAgreement(labelled: readonly LabelledGrade[]): JudgeAgreement | undefined {
  const labels = labelled.length;
  const agreed = labelled.filter(({ label, grade }) => label === grade).length;
  const interval = shareInterval(agreed, labels);
  if (interval === undefined) return undefined;
  const passes = labelled.filter(({ label }) => label === 'pass').length;
  const always = passes * 2 >= labels ? ({ label: 'pass', times: passes } as const) : undefined;
  const share = agreed / labels;
  const isEnough = labels >= fewestLabels && passes > 0 && passes < labels;
  return {
    labels,
    agreed,
    share,
    interval,
    standing: isEnough ? (share < lowAgreement ? 'low' : 'fine') : 'too-few',
    always: always ?? { label: 'fail', times: labels - passes },
    answers: wholeAnswers(labelled),
  };
}

function wholeAnswers(labelled: readonly LabelledGrade[]): JudgeAgreement['answers'] {
  const byAnswer = new Map<string, readonly LabelledGrade[]>();
  for (const each of labelled) byAnswer.set(each.answer, [...(byAnswer.get(each.answer) ?? []), each]);
  const whole = [...byAnswer.values()].filter((parts) => parts.every(({ of }) => of === parts.length));
  const holds = (parts: readonly LabelledGrade[], by: 'label' | 'grade'): boolean =>
    parts.every((each) => each[by] === 'pass');
  return {
    all: whole.length,
    agreed: whole.filter((parts) => holds(parts, 'label') === holds(parts, 'grade')).length,
  };
}
