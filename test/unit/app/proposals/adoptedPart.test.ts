import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { EditScope } from '../../../../src/skill/edits/edit.js';
import { sha256 } from '../../../../src/hash.js';
import { writeProposal } from '../../../../src/storage/proposals/proposals.js';
import { adoptPending } from '../../../../src/app/proposals/decisions.js';
import { openSkill } from '../../../../src/app/openSkill.js';
import { aProposedEdit } from '../../../builders/aReviewProposal.js';
import { aDocument, aMachine, aProposal, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const start = '<!-- SKILLOPT-SLEEP:LEARNED START -->';
const end = '<!-- SKILLOPT-SLEEP:LEARNED END -->';
const base = `---\nname: dates\n---\n\n# Dates\n\n${start}\n- Use ISO dates.\n${end}\n\nThe end.\n`;

describe('a part of a proposal that is adopted', () => {
  after(scrapMachines);

  const rows: readonly (readonly [EditScope, string])[] = [
    ['learned', base.replace(`\n${end}`, `\n- Say the zone.\n${end}`)],
    ['body', `${base}\n- Say the zone.\n`],
  ];
  for (const [scope, text] of rows) {
    it(`is made where the whole of it was allowed to land (${scope})`, async () => {
      const machine = await aMachine(base);
      const world = {
        environment: {},
        platform: 'linux' as const,
        home: machine.home,
        clock: new ManualClock(),
        models: () => Promise.reject(new Error('no model')),
        trusted: () => true,
        consent: { allows: () => Promise.resolve(false) },
        caps: () => ({ day: {}, month: {} }),
        tell: () => undefined,
      };
      const skill = await openSkill(world, machine.request, 'work');
      const edits = [
        aProposedEdit({ op: 'append', content: '- Say the zone.', rationale: '' }, { id: 'E1' }),
        aProposedEdit({ op: 'append', content: '- Name the day.', rationale: '' }, { id: 'E2' }),
      ];
      const document = aDocument(base, `${base}whole\n`, { scope, edits, baseHash: sha256(base) });
      await writeProposal(skill.store, aProposal(skill.store, { documents: [document] }));
      await adoptPending(skill, { edits: ['E1'] }, neverAborted);
      assert.equal(await readFile(machine.skillPath, 'utf8'), text);
    });
  }
});
