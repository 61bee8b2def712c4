import type { WorkEvent } from '../../ports/agentWork.js';
import type { Say } from '../translate.js';
import { toolDeed, type ToolDeed } from './toolDeeds.js';

/** One step of an agent, as tree, pages, terminal and reports show it: what it was, and what it may be opened to. */
export interface StepLine {
  readonly kind: StepKind;
  /** What kind of step it was, in a word or two. */
  readonly label: string;
  /** What was done or said; may have several lines. */
  readonly text: string;
  /** What came back. */
  readonly output: string;
  /** The program said that it did not end well. */
  readonly failed: boolean;
}

type StepKind = Exclude<WorkEvent['kind'], 'tool'> | ToolDeed['kind'];

/** What an agent did, one after the other. */
export function stepLines(events: readonly WorkEvent[], say: Say): readonly StepLine[] {
  return events
    .filter((event) => event.kind !== 'assistant' || event.text.trim() !== '')
    .map((event) => stepLine(event, say));
}

/** `Command: npm test`, on one line. */
export function stepText({ label, text, failed }: StepLine, say: Say): string {
  const name = failed ? say('{0} (failed)', label) : label;
  return text === '' ? name : `${name}: ${text.replaceAll(/\s+/gu, ' ').trim()}`;
}

function stepLine(event: WorkEvent, say: Say): StepLine {
  const plain = { output: '', failed: false };
  switch (event.kind) {
    case 'user':
      return { kind: 'user', label: say('Request'), text: event.text, ...plain };
    case 'assistant':
      return { kind: 'assistant', label: say('Said'), text: event.text, ...plain };
    case 'tool':
      return { ...deedLine(toolDeed(event), say), output: event.output, failed: event.ok === false };
    case 'skill':
      return { kind: 'skill', label: say('Skill'), text: skillText(event, say), ...plain };
    case 'usage': {
      const [read, written] = [event.inputTokens, event.outputTokens].map((tokens) => tokens.toLocaleString('en'));
      return {
        kind: 'usage',
        label: say('Tokens'),
        text: say('{0} read, {1} written', read ?? '', written ?? ''),
        ...plain,
      };
    }
    case 'end': {
      const text = event.ok && event.reason === 'done' ? say('by itself') : event.reason;
      return { kind: 'end', label: say('End'), text, output: '', failed: !event.ok };
    }
  }
}

function skillText({ name, how }: Extract<WorkEvent, { kind: 'skill' }>, say: Say): string {
  switch (how) {
    case 'tool':
      return say('{0}, loaded', name);
    case 'read':
      return say('{0}, its file was read', name);
    case 'prompt':
      return say('{0}, as the prompt said', name);
  }
}

function deedLine(deed: ToolDeed, say: Say): Pick<StepLine, 'kind' | 'label' | 'text'> {
  switch (deed.kind) {
    case 'command':
      return {
        kind: deed.kind,
        label: deed.onlyTold ? say('Command told, not run') : say('Command'),
        text: deed.command,
      };
    case 'file':
      return { kind: deed.kind, label: fileLabel(deed.change, say), text: deed.paths.join(', ') };
    case 'folder':
      return { kind: deed.kind, label: say('Folder listed'), text: deed.path };
    case 'search':
      return { kind: deed.kind, label: say('Search'), text: deed.what };
    case 'tool':
      return { kind: deed.kind, label: say('Tool {0}', deed.name), text: deed.what };
  }
}

function fileLabel(change: Extract<ToolDeed, { kind: 'file' }>['change'], say: Say): string {
  switch (change) {
    case 'read':
      return say('File read');
    case 'written':
      return say('File written');
    case 'added':
      return say('File added');
    case 'changed':
      return say('File changed');
    case 'deleted':
      return say('File deleted');
    case 'several':
      return say('Files changed');
  }
}
