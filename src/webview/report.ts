import { curveSection } from './curveSection.js';
import { element } from './dom.js';
import { editsSection } from './editsSection.js';
import { headSection } from './headSection.js';
import { heatSection } from './heatSection.js';
import { historySection } from './historySection.js';
import type { ReportPayload, ReportRequest } from './reportMessage.js';
import { spendSection } from './spendSection.js';

declare const acquireVsCodeApi: (() => { postMessage(message: ReportRequest): void }) | undefined;

/** Draws the page from the figures that stand in it. Inside the editor it also offers to export itself. */
function draw(): void {
  const text = document.getElementById('report-data')?.textContent;
  const page = document.getElementById('report');
  if (text === undefined || text === null || page === null) return;
  const payload: ReportPayload = JSON.parse(text);
  const notes = payload.data.notes.map((note) => element('li', {}, note));
  page.replaceChildren(
    headSection(payload),
    ...exportButtons(payload),
    curveSection(payload),
    heatSection(payload),
    editsSection(payload),
    spendSection(payload),
    historySection(payload),
    ...(notes.length === 0
      ? []
      : [element('section', {}, element('h2', {}, payload.words.notes), element('ul', {}, ...notes))]),
  );
}

function exportButtons({ words }: ReportPayload): readonly HTMLElement[] {
  if (typeof acquireVsCodeApi !== 'function') return [];
  const editor = acquireVsCodeApi();
  const button = (label: string, format: ReportRequest['format']): HTMLElement => {
    const made = element('button', { type: 'button' }, label);
    const request: ReportRequest = { kind: 'export', format };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's own channel, not a window
    made.addEventListener('click', () => editor.postMessage(request));
    return made;
  };
  return [element('nav', {}, button(words.exportHtml, 'html'), button(words.exportMarkdown, 'markdown'))];
}

draw();
