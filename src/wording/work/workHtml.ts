import { escapedHtml } from '../markdownHtml.js';
import { shownLine, visibleText } from '../shownText.js';
import { t } from '../translate.js';
import { diffFiles, fileHead, type ChangedText } from './diffFiles.js';
import { stepText, type StepLine } from './stepLines.js';

/**
 * The steps of an attempt, a line each; what came back is long most often, and opens where a person wants to see it. The
 * step that is wanted, counted from 0, is open, and the page begins there.
 */
export function stepsHtml(steps: readonly (StepLine | undefined)[], wanted?: number): string {
  const found = wanted === undefined ? undefined : steps.filter((step) => step !== undefined)[wanted];
  const rows = steps.map((step) => stepHtml(step, step !== undefined && step === found));
  const list = steps.length === 0 ? nothing() : `<ol class="steps">${rows.join('')}</ol>`;
  return `<h4>${words(t('What the agent did'))}</h4>${list}`;
}

const longestLine = 40; // characters that surely fit beside the name of the step
const asCode: ReadonlySet<StepLine['kind']> = new Set(['command', 'file', 'folder', 'search', 'tool']);

/** An empty row keeps what follows beside the same step of the other attempt. */
function stepHtml(step: StepLine | undefined, isWanted: boolean): string {
  if (step === undefined) return '<li class="gap" aria-hidden="true"></li>';
  const { kind, label, text, output, failed } = step;
  const name = `<span class="label">${words(failed ? t('{0} (failed)', label) : label)}</span>`;
  const tag = asCode.has(kind) ? 'code' : 'span';
  const [first = '', ...rest] = visibleText(text, Infinity).trim().split('\n');
  const line = `${name} <${tag}>${escapedHtml(first)}</${tag}>`;
  const isLong = rest.length > 0 || first.length > longestLine;
  const more = [...(isLong ? [text] : []), output].map((part) => part.trim()).filter((part) => part !== '');
  if (more.length === 0) return `${stepRow(step, isWanted)}<div class="line">${line}</div></li>`;
  const opened = region(words(more.join('\n\n')), shownLine(stepText(step, t), 80), 'output');
  const state = isWanted ? ' open' : '';
  return `${stepRow(step, isWanted)}<details${state}><summary>${line}</summary>${opened}</details></li>`;
}

function stepRow({ kind, failed }: StepLine, isWanted: boolean): string {
  return `<li class="${kind}${failed ? ' failed' : ''}${isWanted ? ' wanted' : ''}">`;
}

/** What an agent changed, each file in a box of its own. Where it is wanted, the page begins there. */
export function diffHtml(diff: string, isWanted = false): string {
  const { files, notes } = diffFiles(diff);
  const told = notes.map((note) => `<p class="note">${words(note)}</p>`);
  const parts = files.length + notes.length === 0 ? [nothing()] : [...files.map(fileHtml), ...told];
  return `<h4${isWanted ? ' class="wanted"' : ''}>${words(t('What it changed'))}</h4>${parts.join('\n')}`;
}

function fileHtml(file: ChangedText): string {
  const head = fileHead(file, t);
  const lines = file.lines.map((line) => `<span class="${lookOf(line)}">${words(line)}</span>`);
  const shown = lines.length === 0 ? '' : region(lines.join('\n'), head, 'diff');
  return `<figure><figcaption>${words(head)}</figcaption>${shown}</figure>`;
}

function lookOf(line: string): string {
  if (line.startsWith('@@') || line.startsWith('\\')) return 'about';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}

/** What is wider or longer than its place scrolls by itself, with the keyboard too. */
function region(html: string, label: string, look: string): string {
  return `<pre class="${look}" tabindex="0" role="region" aria-label="${words(label)}">${html}</pre>`;
}

function nothing(): string {
  return `<p class="note">${words(t('Nothing.'))}</p>`;
}

function words(text: string): string {
  return escapedHtml(visibleText(text, Infinity));
}
