import type { WorkEvent } from '../ports/agentWork.js';
import { committedSentence, doubtLines, draftLines, noticeLines, type ToldDraft } from './harvest/draftWords.js';
import { escapedHtml, markdownHtml } from './markdownHtml.js';
import {
  answerTitle,
  closedSides,
  companions,
  standingWords,
  type AnsweredUnder,
  type TaskStanding,
} from './taskWords.js';
import { visibleText } from './shownText.js';
import { retold, t } from './translate.js';
import { agentLines, type ShownAgent } from './work/agentLines.js';
import { alignSteps } from './work/alignSteps.js';
import { checkMark, checkResult, type ShownCheck } from './work/checkResult.js';
import { stepLines, type StepLine } from './work/stepLines.js';
import { diffHtml, stepsHtml } from './work/workHtml.js';

/** A link of the page that runs one of our commands. */
export interface PageButton {
  readonly label: string;
  readonly href: string;
  /** The letter that presses it, on a page with keys. */
  readonly key?: string | undefined;
}

/** One answer with what the checks said of it. */
export interface PageAnswer {
  readonly title: string;
  readonly checks: readonly ShownCheck[];
  readonly answer: string;
  /** Where an agent worked on it: what it did, and what it changed. */
  readonly work?: PageWork | undefined;
  /** What of it is brought into sight: its beginning, one of its steps, from 0, or what it changed. */
  readonly wanted?: WantedPart | undefined;
}

type WantedPart = number | 'changes' | 'start';

interface PageWork {
  readonly events: readonly WorkEvent[];
  readonly diff: string;
}

/** A task as its page shows it. */
export interface PageTask extends TaskStanding {
  readonly task: {
    readonly id: string;
    readonly prompt: string;
    readonly expectations: readonly string[];
    readonly environment: string;
    readonly context: string | undefined;
    readonly expectedOutput: string | undefined;
    readonly files: readonly string[];
    readonly agent?: ShownAgent | undefined;
    readonly tags: readonly string[];
  };
  readonly judgedBy: readonly string[];
  /** Where it comes from, while it is a draft out of a session. */
  readonly fromSession?: ToldDraft | undefined;
  readonly doubts?: readonly string[] | undefined;
  readonly answers: readonly (AnsweredUnder & {
    readonly answer: string;
    readonly checks: readonly ShownCheck[];
    readonly work?: PageWork | undefined;
  })[];
  /** Of an answer, by the text that it was given under: what is brought into sight. */
  readonly place?: { readonly attempt: string; readonly at?: number | 'changes' | undefined } | undefined;
}

/** The page of one task: whether it counts, what it asks, what an answer is judged by, and its last answers. */
export function taskPage(view: PageTask, buttons: readonly PageButton[], answered: string | undefined): string {
  const { task, judgedBy, answers, place } = view;
  const along = companions(view);
  const notes = [
    ...doubtLines(view.doubts, t),
    ...(view.state === 'draft' ? noticeLines(task, t) : []),
    ...closedSides(view),
    ...(along === undefined ? [] : [along]),
  ];
  return [
    `<h1>${words(task.id)}</h1>`,
    `<p class="standing">${words(standingWords(view))}</p>`,
    buttonRow(buttons),
    ...notes.map((note) => `<p class="note">${words(note)}</p>`),
    section(
      t('From your sessions'),
      listOf(view.fromSession === undefined ? [] : [...draftLines(view.fromSession, t), committedSentence(t)]),
    ),
    section(t('Request'), textBox(task.prompt)),
    section(t('Context'), textBox(task.context)),
    section(t('Files'), listOf(task.files)),
    section(t('Agent'), listOf(task.agent === undefined ? [] : agentLines(task.agent))),
    section(t('A good answer'), listOf(judgedBy.map(retold))),
    section(t('Expected answer'), textBox(task.expectedOutput)),
    section(t('Tags'), listOf(task.tags)),
    section(
      answered === undefined ? t('Last answers') : t('Last answers, {0}', answered),
      columns(
        answers.map(({ answer, checks, work, ...given }) => ({
          title: answerTitle(given),
          checks,
          answer,
          work,
          wanted: place?.attempt === given.under ? (place.at ?? 'start') : undefined,
        })),
      ),
    ),
  ].join('\n');
}

/** Two answers to one task, the task above them. */
export function answersPage(
  { id, prompt, note }: { readonly id: string; readonly prompt: string; readonly note?: string | undefined },
  answers: readonly PageAnswer[],
  buttons: readonly PageButton[],
): string {
  return [
    `<h1>${words(id)}</h1>`,
    note === undefined ? '' : `<p class="note">${words(note)}</p>`,
    buttonRow(buttons),
    section(t('Request'), textBox(prompt)),
    section(t('Answers'), columns(answers)),
  ].join('\n');
}

/**
 * The whole document. Nothing in it loads anything, and nothing runs but the `script` of ours that is handed in; its
 * buttons are links that the editor allows one by one.
 */
export function pageHtml(
  title: string,
  body: string,
  { nonce, language, script }: { readonly nonce: string; readonly language: string; readonly script?: string },
): string {
  const scripts = script === undefined ? '' : ` script-src 'nonce-${nonce}';`;
  const policy = `default-src 'none';${scripts} style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${words(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${words(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
${body}
</main>${script === undefined ? '' : `\n<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`;
}

export function words(text: string): string {
  return escapedHtml(visibleText(text));
}

export function section(title: string, html: string): string {
  return html === '' ? '' : `<section><h2>${words(title)}</h2>\n${html}</section>`;
}

export function textBox(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `<div class="text">${markdownHtml(text)}</div>`;
}

export function listOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${words(line)}</li>`).join('')}</ul>`;
}

export function buttonRow(buttons: readonly PageButton[]): string {
  const links = buttons.map(({ label, href, key }) => {
    const pressed = key === undefined ? '' : ` data-key="${words(key)}" aria-keyshortcuts="${words(key)}"`;
    return `<a class="button"${pressed} href="${escapedHtml(href)}">${words(label)}</a>`;
  });
  return links.length === 0 ? '' : `<nav>${links.join('\n')}</nav>`;
}

/** Parts of answers stand beside the same parts of the others, and steps beside the same steps where there are two. */
export function columns(answers: readonly PageAnswer[]): string {
  const steps = stepsOf(answers);
  const articles = answers.map((answer, at) => column(answer, steps[at]));
  return answers.length === 0 ? '' : `<div class="columns">${articles.join('\n')}</div>`;
}

type Steps = readonly (StepLine | undefined)[] | undefined;

function stepsOf(answers: readonly PageAnswer[]): readonly Steps[] {
  const each = answers.map(({ work }) => (work === undefined ? undefined : stepLines(work.events, t)));
  const [one, other, ...more] = each;
  if (one === undefined || other === undefined || more.length > 0) return each;
  const { first, second } = alignSteps(one, other);
  return [first, second];
}

function column({ title, checks, answer, work, wanted }: PageAnswer, steps: Steps): string {
  const named = (name: string): string => (work === undefined ? '' : `<h4>${words(name)}</h4>`);
  const parts = [
    checks.length === 0 ? '' : `${named(t('Checks'))}<ul class="checks">${checks.map(checkHtml).join('')}</ul>`,
    work === undefined
      ? `<div class="text">${markdownHtml(answer)}</div>`
      : `${named(t('Answer'))}${scrolledText(answer, t('Answer'))}`,
    steps === undefined ? '' : stepsHtml(steps, typeof wanted === 'number' ? wanted : undefined),
    work === undefined ? '' : diffHtml(work.diff, wanted === 'changes'),
  ];
  const head = wanted === 'start' ? '<h3 class="wanted">' : '<h3>';
  return `<article>${head}${words(title)}</h3>${parts.map((part) => `<div>${part}</div>`).join('')}</article>`;
}

/** What an agent says at its end stands in the way of what it did where it is long. */
function scrolledText(text: string, label: string): string {
  return `<div class="text scrolled" tabindex="0" role="region" aria-label="${words(label)}">${markdownHtml(text)}</div>`;
}

function checkHtml({ criterion, outcome, reason }: ShownCheck): string {
  const mark = `<span aria-hidden="true">${checkMark({ outcome })}</span>`;
  const result = checkResult({ outcome, reason: retold(reason) }, t);
  return `<li class="${outcome}">${mark} ${words(retold(criterion))}<br><span class="result">${words(result)}</span></li>`;
}

const style = `
body { padding: 0 24px 32px; color: var(--vscode-foreground); background: var(--vscode-editor-background); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.5; overflow-wrap: anywhere; }
main { max-width: 1200px; }
h1 { font-size: 1.6em; font-weight: 600; margin: 20px 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.1em; font-weight: 600; margin: 24px 0 8px; }
h3 { font-size: 1em; font-weight: 600; margin: 12px 0 6px; }
.standing, .note { color: var(--vscode-descriptionForeground); margin: 4px 0; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
.button { padding: 3px 10px; border-radius: 3px; text-decoration: none; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, currentColor)); }
.button:first-child { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.button[data-key]:first-child { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
nav:has([data-key]) { position: sticky; top: 0; padding: 8px 0; background: var(--vscode-editor-background); }
h1:focus { outline: none; }
.button:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
.text { padding: 4px 14px; border-left: 3px solid var(--vscode-textBlockQuote-border); background: var(--vscode-textBlockQuote-background); overflow-wrap: anywhere; }
.text > :first-child { margin-top: 6px; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 0 16px; }
article { min-width: 0; display: grid; grid-row: span 5; grid-template-rows: subgrid; grid-template-columns: minmax(0, 1fr); }
@media (max-width: 700px) { .columns { grid-template-columns: minmax(0, 1fr); } }
.wanted { scroll-initial-target: nearest; scroll-margin: 40px 0; outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
.steps { list-style: none; padding: 0; margin: 0; }
.steps li { min-height: 1.5em; margin: 2px 0; }
.steps summary { cursor: pointer; }
.steps summary, .steps .line { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.steps .line { padding-left: 1.1em; }
.steps details[open] > summary { white-space: normal; overflow-wrap: anywhere; }
.steps .label { color: var(--vscode-descriptionForeground); }
.steps .failed .label { color: var(--vscode-errorForeground); }
.scrolled { max-height: 130px; overflow: auto; }
summary:focus-visible, pre:focus-visible, .scrolled:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: -2px; }
figure { margin: 0 0 10px; }
figcaption { font-family: var(--vscode-editor-font-family); overflow-wrap: anywhere; }
.diff .added { color: var(--vscode-gitDecoration-addedResourceForeground); }
.diff .removed { color: var(--vscode-gitDecoration-deletedResourceForeground); }
.diff .about { color: var(--vscode-descriptionForeground); }
h4 { font-size: 1em; font-weight: 600; margin: 14px 0 4px; }
.checks { list-style: none; padding: 0; margin: 0 0 8px; }
.checks li { margin: 4px 0; overflow-wrap: anywhere; }
.checks .result { color: var(--vscode-descriptionForeground); padding-left: 1.1em; }
.checks .fail .result { color: var(--vscode-errorForeground); }
pre { overflow: auto; max-width: 100%; max-height: 420px; box-sizing: border-box; margin: 4px 0; padding: 8px; background: var(--vscode-textCodeBlock-background); border: 1px solid var(--vscode-contrastBorder, transparent); font-family: var(--vscode-editor-font-family); }
code { font-family: var(--vscode-editor-font-family); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--vscode-editorWidget-border, currentColor); padding: 3px 8px; text-align: left; }
`;
