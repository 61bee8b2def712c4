import { element, scrolled } from './section.js';
import type { WorkedTasks } from './reportMessage.js';

/** What agents did at held-out tasks, each task behind its name: steps as a list, files with their differences. */
export function workSection(worked: WorkedTasks | undefined): readonly HTMLElement[] {
  if (worked === undefined) return [];
  const { title, about, tasks } = worked;
  return [
    element(
      'section',
      { 'aria-labelledby': 'worked' },
      element('h2', { id: 'worked' }, title),
      element('p', { class: 'about' }, about),
      ...tasks.map(({ task, attempts }) =>
        element(
          'details',
          {},
          element('summary', {}, task),
          element('div', { class: 'attempts' }, ...attempts.map(attemptOf)),
        ),
      ),
    ),
  ];
}

function attemptOf({
  title,
  steps,
  changed,
  files,
  notes,
}: WorkedTasks['tasks'][number]['attempts'][number]): HTMLElement {
  return element(
    'article',
    {},
    element('h3', {}, title),
    element('ol', {}, ...steps.map((step) => element('li', {}, step))),
    element('p', {}, changed),
    ...files.map(({ head, lines }) =>
      element('figure', {}, element('figcaption', {}, head), scrolled(head, element('pre', {}, ...lines.map(lineOf)))),
    ),
    ...notes.map((note) => element('p', { class: 'about' }, note)),
  );
}

function lineOf(line: string): HTMLElement {
  const look = line.startsWith('+') ? 'come' : line.startsWith('-') ? 'gone' : 'kept';
  return element('span', { class: look }, `${line}\n`);
}
