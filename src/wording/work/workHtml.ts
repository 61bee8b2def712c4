import { escapedHtml } from '../markdownHtml.js';
import { shownLine, visibleText } from '../shownText.js';
import { t } from '../translate.js';
import { diffFiles, fileHead, type ChangedText } from './diffFiles.js';
import { stepText, type StepLine } from './stepLines.js';

/** The steps of an attempt, a line each; what came back is long most often, and opens where a person wants to see it. */
export function stepsHtml(steps: readonly (StepLine | undefined)[]): string {
  const list = steps.length === 0 ? nothing() : `<ol class="steps">${steps.map(stepHtml).join('')}</ol>`;
  return `<h4>${words(t('What the agent did'))}</h4>${list}`;
}

const longestLine = 40; // characters that surely fit beside the name of the step
const asCode: ReadonlySet<StepLine['kind']> = new Set(['command', 'file', 'folder', 'search', 'tool']);

/** An empty row keeps what follows beside the same step of the other attempt. */
function stepHtml(step: StepLine | undefined): string {
  if (step === undefined) return '<li class="gap" aria-hidden="true"></li>';
  const { kind, label, text, output, failed } = step;
  const name = `<span class="label">${words(failed ? t('{0} (failed)', label) : label)}</span>`;
  const tag = asCode.has(kind) ? 'code' : 'span';
  const [first = '', ...rest] = visibleText(text, Infinity).trim().split('\n');
  const line = `${name} <${tag}>${escapedHtml(first)}</${tag}>`;
  const isLong = rest.length > 0 || first.length > longestLine;
  const more = [...(isLong ? [text] : []), output].map((part) => part.trim()).filter((part) => part !== '');
  const look = `${kind}${failed ? ' failed' : ''}`;
  if (more.length === 0) return `<li class="${look}"><div class="line">${line}</div></li>`;
  const opened = region(words(more.join('\n\n')), shownLine(stepText(step, t), 80), 'output');
  return `<li class="${look}"><details><summary>${line}</summary>${opened}</details></li>`;
}

/** What an agent changed, each file in a box of its own. */
export function diffHtml(diff: string): string {
  const { files, notes } = diffFiles(diff);
  const told = notes.map((note) => `<p class="note">${words(note)}</p>`);
  const parts = files.length + notes.length === 0 ? [nothing()] : [...files.map(fileHtml), ...told];
  return `<h4>${words(t('What it changed'))}</h4>${parts.join('\n')}`;
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
