import type { WorkEvent } from '../../ports/agentWork.js';
import type { PassFail } from '../../gate/statistics/judgeAgreement.js';
import { gradeWord, judgeSentences, type LabelledJudge } from './judgeWords.js';
import { buttonRow, columns, listOf, section, textBox, words, type PageButton } from '../taskPage.js';
import { retold, t } from '../translate.js';

/** An answer that a person labels. */
export interface PageLabel {
  readonly task: string;
  readonly prompt: string;
  readonly context: string | undefined;
  readonly expected: readonly string[];
  readonly criterion: string;
  readonly answer: string;
  readonly work?: { readonly events: readonly WorkEvent[]; readonly diff: string } | undefined;
}

/** One answer to label: the criterion first, then the keys, then the answer and what was asked. What the judge said is not here. */
export function labelPage(
  { task, prompt, context, expected, criterion, answer, work }: PageLabel,
  buttons: readonly PageButton[],
  { place, said }: { readonly place: string; readonly said: string },
): string {
  return [
    `<h1 tabindex="-1" aria-describedby="criterion">${words(t('Does the answer meet the criterion?'))}</h1>`,
    `<div id="criterion">${textBox(retold(criterion))}</div>`,
    `<p class="standing" role="status">${words([said, place].filter((text) => text !== '').join(' '))}</p>`,
    buttonRow(buttons),
    section(t('Answer'), work === undefined ? textBox(answer) : columns([{ title: task, checks: [], answer, work }])),
    section(t('Request'), textBox(prompt)),
    section(t('Context'), textBox(context)),
    section(t('Expected answer'), expected.map(textBox).join('\n')),
    `<p class="note">${words(t('The judge’s own grade is shown once you are done, so that it does not sway you.'))}</p>`,
  ].join('\n');
}

/** What the labels say of the judge, and every answer on which both disagree. */
export interface PageJudge extends Omit<LabelledJudge, 'judge'> {
  readonly judge: string | undefined;
  readonly disagreements: readonly {
    readonly task: string;
    readonly criterion: string;
    readonly label: PassFail;
    readonly grade: PassFail;
    readonly answer: string | undefined;
    readonly reason: string | undefined;
  }[];
}

export function judgePage(skill: string, report: PageJudge, buttons: readonly PageButton[]): string {
  const { judge = '', disagreements } = report;
  const apart = disagreements.map(({ task, criterion, label, grade, answer, reason }) =>
    section(
      `${task}: ${t('you said {0}, the judge {1}', gradeWord(label, t), gradeWord(grade, t))}`,
      [
        listOf([retold(criterion), ...(reason === undefined ? [] : [t('The judge: {0}', reason)])]),
        textBox(answer ?? t('This answer is no longer stored: answers are kept for 30 days.')),
      ].join('\n'),
    ),
  );
  return [
    `<h1 tabindex="-1">${words(t('The judge of {0}', skill))}</h1>`,
    ...judgeSentences({ ...report, judge }, t).map((line) => `<p>${words(line)}</p>`),
    buttonRow(buttons),
    ...(apart.length === 0 ? [`<p class="note">${words(t('There is no disagreement.'))}</p>`] : apart),
  ].join('\n');
}

/**
 * The keys of a page: each tells the editor which button names it, for VS Code follows no link that a script presses. The
 * heading gets the focus, so that it is read out first.
 */
export const pageKeys = `
const editor = acquireVsCodeApi();
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const pressed = [...document.querySelectorAll('[data-key]')].find((each) => each.dataset.key === event.key.toLowerCase());
  if (pressed === undefined) return;
  event.preventDefault();
  editor.postMessage(pressed.getAttribute('href'));
});
document.querySelector('h1')?.focus();
`;
