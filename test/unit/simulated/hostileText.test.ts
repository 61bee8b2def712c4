import { noProposalReason } from '../../../src/engine/noProposal.js';
import { foldEvent } from '../../../src/engine/journal/foldEvent.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { validatePrompt } from '../../../src/prompts/renderPrompt.js';
import { promptBlocks } from '../../../src/simulated/reading/promptBlocks.js';
import { readInstructions } from '../../../src/simulated/reading/readInstructions.js';
import { headingsIn } from '../../../src/simulated/target/headings.js';
import { materialOf } from '../../../src/simulated/target/material.js';
import { originalCandidate } from '../../../src/engine/candidate.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { few } from '../../builders/few.js';
import { assertLinear } from '../../builders/linearTime.js';

const read = (text: string): unknown => readInstructions(text);
const inTask = (content: string): unknown => materialOf(aRequest({ messages: [{ role: 'user', content }] }));
const headings = (text: string): unknown => headingsIn(text);
const prompts = (text: string): unknown => promptBlocks(text);
const ended = (last: string): unknown => {
  const original = originalCandidate('Say hello.');
  const trained = { original, best: original, heldOut: undefined, stopped: 'no-headroom', steps: [] } as const;
  return noProposalReason({ ...trained, cap: undefined }, [], { attempts: 1, invalid: 1, last });
};
const folded = (lost: string): unknown =>
  foldEvent(emptySummary('r', 0), { kind: 'meta-skill', epoch: 1, step: 1, textHash: '', changed: false, lost }, 1);
const template = (text: string): unknown => validatePrompt({ path: 'p.md', text }, []);

/** Texts that people did not write, a hundred kilobytes of them: what reads them takes as long as they are. */
describe('a long text that is made to be slow to read', () => {
  const rows: readonly (readonly [what: string, look: (text: string) => unknown, part: string, end: string])[] = [
    ['quotes of a skill that do not end', read, '“', ''],
    ['the parts of a name in a task', inTask, 'a-', ''],
    ['braces of a prompt that do not end', template, '{{', ''],
    ['blanks at the end of a reason', ended, ' ', 'x'],
    ['dots at the end of what was lost', folded, '. ', 'x'],
    ['comments of a skill that do not end', read, '<!-- ', ''],
    ['one sentence of a skill', read, 'answer ', ''],
    ['figures of a skill', read, '1,', ''],
    ['blanks behind a heading', headings, ' ', 'x'],
    ['tags of a prompt that do not end', prompts, '<a>\n', ''],
    ['blank lines before the parts of a prompt', prompts, '\n```\n```\n\n', ''],
  ];
  for (const [what, look, part, end] of few(rows, 5))
    it(`is read in time that grows as it does: ${what}`, () => {
      const head = look === headings ? '# a' : '';
      assertLinear((size) => void look(`${head}${part.repeat(Math.ceil(size / part.length))}${end}`), 12_500);
    });
});
