import { escapedHtml, markdownHtml } from './markdownHtml.js';
import { answerTitle, closedSides, companions, standingWords, type TaskStanding } from './taskWords.js';
import { visibleText } from './shownText.js';
import { retold, t } from './translate.js';

/** A link of the page that runs one of our commands. */
export interface PageButton {
  readonly label: string;
  readonly href: string;
}

/** One answer with what the checks said of it. */
export interface PageAnswer {
  readonly title: string;
  readonly checks: readonly { readonly pass: boolean | undefined; readonly text: string }[];
  readonly answer: string;
  /** Where an agent worked on it: what it did, and what it changed. */
  readonly steps?: readonly PageStep[] | undefined;
  readonly diff?: string | undefined;
}

/** One thing that an agent said or did, and what came back. */
export interface PageStep {
  readonly did: string;
  readonly result: string;
}

/** A task as its page shows it. */
export interface PageTask extends TaskStanding {
  readonly task: {
    readonly id: string;
    readonly prompt: string;
    readonly context: string | undefined;
    readonly expectedOutput: string | undefined;
    readonly files: readonly string[];
    readonly agent?: PageAgent | undefined;
    readonly tags: readonly string[];
  };
  readonly judgedBy: readonly string[];
  readonly answers: readonly {
    readonly under: 'skill' | 'candidate' | 'no-skill';
    readonly passed: boolean;
    readonly answer: string;
    readonly checks: readonly { readonly name: string; readonly pass: boolean }[];
    readonly work?: Pick<PageAnswer, 'steps' | 'diff'> | undefined;
  }[];
}

/** The page of one task: whether it counts, what it asks, what an answer is judged by, and its last answers. */
export function taskPage(view: PageTask, buttons: readonly PageButton[], answered: string | undefined): string {
  const { task, judgedBy, answers } = view;
  const along = companions(view);
  const notes = [...closedSides(view), ...(along === undefined ? [] : [along])];
  return [
    `<h1>${words(task.id)}</h1>`,
    `<p class="standing">${words(standingWords(view))}</p>`,
    buttonRow(buttons),
    ...notes.map((note) => `<p class="note">${words(note)}</p>`),
    section(t('Request'), textBox(task.prompt)),
    section(t('Context'), textBox(task.context)),
    section(t('Files'), listOf(task.files)),
    section(t('Agent'), listOf(agentLines(task.agent))),
    section(t('A good answer'), listOf(judgedBy.map(retold))),
    section(t('Expected answer'), textBox(task.expectedOutput)),
    section(t('Tags'), listOf(task.tags)),
    section(
      answered === undefined ? t('Last answers') : t('Last answers, {0}', answered),
      columns(
        answers.map(({ under, passed, answer, checks, work }) => ({
          title: answerTitle(under, passed),
          checks: checks.map(({ name, pass }, at) => ({ pass, text: told(judgedBy, checks.length, at) ?? name })),
          answer,
          ...work,
        })),
      ),
    ),
  ].join('\n');
}

/** How an agent works on a task, where one does. */
interface PageAgent {
  readonly fixture: string | { readonly repository: string; readonly commit: string };
  readonly mode: 'offered' | 'forced';
  readonly program?: string | undefined;
}

function agentLines(agent: PageAgent | undefined): readonly string[] {
  if (agent === undefined) return [];
  const { fixture, mode, program } = agent;
  return [
    typeof fixture === 'string'
      ? t('It works in a copy of {0}.', fixture)
      : t('It works in a copy of {0} at the commit {1}.', fixture.repository, fixture.commit),
    mode === 'forced' ? t('It is told to use the skill.') : t('It decides itself whether it uses the skill.'),
    ...(program === undefined ? [] : [t('The program is {0}.', program)]),
  ];
}

/** A check in words, where the task has as many as the run had: with others they cannot be told apart. */
function told(judgedBy: readonly string[], count: number, at: number): string | undefined {
  return judgedBy.length === count ? judgedBy[at] : undefined;
}

/** Two answers to one task, the task above them. */
export function answersPage(
  { id, prompt }: { readonly id: string; readonly prompt: string },
  answers: readonly PageAnswer[],
  buttons: readonly PageButton[],
): string {
  return [
    `<h1>${words(id)}</h1>`,
    buttonRow(buttons),
    section(t('Request'), textBox(prompt)),
    section(t('Answers'), columns(answers)),
  ].join('\n');
}

/** The whole document. Nothing in it runs or loads anything; its buttons are links that the editor allows one by one. */
export function pageHtml(title: string, body: string, nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${words(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function words(text: string): string {
  return escapedHtml(visibleText(text));
}

function section(title: string, html: string): string {
  return html === '' ? '' : `<section><h2>${words(title)}</h2>\n${html}</section>`;
}

function textBox(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `<div class="text">${markdownHtml(text)}</div>`;
}

function listOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${words(line)}</li>`).join('')}</ul>`;
}

function buttonRow(buttons: readonly PageButton[]): string {
  const links = buttons.map(({ label, href }) => `<a class="button" href="${escapedHtml(href)}">${words(label)}</a>`);
  return links.length === 0 ? '' : `<nav>${links.join('\n')}</nav>`;
}

function columns(answers: readonly PageAnswer[]): string {
  return answers.length === 0 ? '' : `<div class="columns">${answers.map(column).join('\n')}</div>`;
}

function column({ title, checks, answer, steps, diff }: PageAnswer): string {
  const marks = checks.map(({ pass, text }) => `<li>${markOf(pass)} ${words(retold(text))}</li>`).join('');
  const list = marks === '' ? '' : `<ul class="checks">${marks}</ul>`;
  const said = `<div class="text">${markdownHtml(answer)}</div>`;
  return `<article><h3>${words(title)}</h3>${list}${said}${stepList(steps)}${diffBox(diff)}</article>`;
}

/** What came back is long most often: it opens where a person wants to see it. */
function stepList(steps: readonly PageStep[] | undefined): string {
  if (steps === undefined) return '';
  const rows = steps.map(({ did, result }) => {
    const [first = '', ...rest] = visibleText(did).split('\n');
    const more = [rest.join('\n'), visibleText(result)].filter((text) => text.trim() !== '').join('\n\n');
    const line = `<code>${escapedHtml(first)}</code>`;
    return more === ''
      ? `<li>${line}</li>`
      : `<li><details><summary>${line}</summary><pre>${escapedHtml(more)}</pre></details></li>`;
  });
  const list =
    rows.length === 0 ? `<p class="note">${words(t('Nothing.'))}</p>` : `<ol class="steps">${rows.join('')}</ol>`;
  return `<h4>${words(t('What the agent did'))}</h4>${list}`;
}

function diffBox(diff: string | undefined): string {
  if (diff === undefined) return '';
  const lines = visibleText(diff)
    .split('\n')
    .map((line) => `<span class="${diffClass(line)}">${escapedHtml(line)}</span>`);
  const box =
    diff === '' ? `<p class="note">${words(t('Nothing.'))}</p>` : `<pre class="diff">${lines.join('\n')}</pre>`;
  return `<h4>${words(t('What it changed'))}</h4>${box}`;
}

function diffClass(line: string): string {
  if (/^(?:\+\+\+|---|diff |@@|new file|deleted file|index )/u.test(line)) return 'about';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}

function markOf(pass: boolean | undefined): string {
  if (pass === undefined) return '?';
  return pass ? '✓' : '✗';
}

const style = `
body { padding: 0 24px 32px; color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.5; }
main { max-width: 1200px; }
h1 { font-size: 1.6em; font-weight: 600; margin: 20px 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.1em; font-weight: 600; margin: 24px 0 8px; }
h3 { font-size: 1em; font-weight: 600; margin: 12px 0 6px; }
.standing, .note { color: var(--vscode-descriptionForeground); margin: 4px 0; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
.button { padding: 3px 10px; border-radius: 3px; text-decoration: none; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, currentColor)); }
.button:first-child { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.button:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
.text { padding: 4px 14px; border-left: 3px solid var(--vscode-textBlockQuote-border); background: var(--vscode-textBlockQuote-background); overflow-wrap: anywhere; }
.text > :first-child { margin-top: 6px; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 20px; align-items: start; }
article { min-width: 0; }
.steps { padding-left: 24px; }
.steps summary { cursor: pointer; }
.diff .added { color: var(--vscode-gitDecoration-addedResourceForeground); }
.diff .removed { color: var(--vscode-gitDecoration-deletedResourceForeground); }
.diff .about { color: var(--vscode-descriptionForeground); }
h4 { font-size: 1em; font-weight: 600; margin: 14px 0 4px; }
.checks { list-style: none; padding: 0; margin: 0 0 8px; }
pre { overflow-x: auto; padding: 8px; background: var(--vscode-textCodeBlock-background); }
code { font-family: var(--vscode-editor-font-family); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--vscode-editorWidget-border, currentColor); padding: 3px 8px; text-align: left; }
`;
