import assert from 'node:assert/strict';
import path from 'node:path';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { UseCases } from '../../src/app/useCases.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { SpendCap } from '../../src/ports/spend.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { few } from '../builders/few.js';
import { aSession } from '../builders/someSessions.js';
import { neverAborted } from '../builders/storage.js';
import { aNightRequest, aNightWorkspace, aSettableClock, counted, silent } from './nightWorkspace.js';
import { tellSession } from './toldSessions.js';
import { incidents, remarks } from './toldIncidents.js';

const [remark = ''] = remarks;
const now = Date.UTC(2026, 10, 2, 3);

interface Row {
  readonly cap: SpendCap;
  readonly skills: readonly string[];
  /** Of the night as a whole, beside the caps of its runs. */
  readonly night?: SpendCap;
}

const one = ['incident-summary'];
const two = ['incident-summary', 'code-review'];

const rows: readonly Row[] = few(
  [
    { cap: { calls: 5 }, skills: one },
    { cap: { usd: 0.05 }, skills: two },
    { cap: { tokens: 20_000 }, skills: one },
    { cap: { usd: 0.02 }, skills: one },
    { cap: { calls: 20 }, skills: two },
    { cap: { calls: 20 }, skills: one },
    { cap: { calls: 1 }, skills: one },
    { cap: { tokens: 8_000 }, skills: two },
    { cap: {}, skills: two, night: { calls: 30, tokens: 100_000 } },
  ],
  2,
);

describe('the caps of a run', () => {
  for (const { cap, skills, night = {} } of rows) {
    const [unit = '', most = ''] = Object.entries({ ...night, ...cap })[0] ?? [];
    it(`hold what a night takes for it, sessions included: ${most} ${unit}, ${skills.length} skills`, async () => {
      const { told, result, calls } = await aNight(skills, { settings: [{ caps: cap }], cap: night });
      for (const of of ['calls', 'tokens', 'usd'] as const) {
        const allowed = Math.min((cap[of] ?? Infinity) * skills.length, night[of] ?? Infinity);
        assert.ok(told[of] <= allowed, `${told[of]} ${of} were told, ${allowed} are allowed`);
        assert.ok((result.spend[of] ?? 0) <= told[of], `${result.spend[of]} ${of} were taken, ${told[of]} told`);
      }
      assert.equal(result.spend.calls, calls);
      assert.ok(calls > 0);
      if (cap.tokens === undefined) assert.ok((result.sessions?.spend.calls ?? 0) > 0, 'sessions were asked about');
    });
  }
});

/** What a person is told that it takes at most, and what it took. */
async function aNight(
  skills: readonly string[],
  wish: Partial<NightRequest>,
): Promise<{
  readonly told: Readonly<Record<'calls' | 'tokens' | 'usd', number>>;
  readonly result: NightResult;
  readonly calls: number;
}> {
  const workspace = aNightWorkspace(skills, { clock: aSettableClock(now) });
  try {
    for (const name of skills) workspace.keepTasks(name, 8);
    const home = path.dirname(workspace.state);
    for (const [index, asked] of incidents.slice(0, 7).entries())
      tellSession(home, workspace.folder, {
        id: `s${index}`,
        at: now - 3_600_000 - index * 60_000,
        said: [asked, remark],
        skill: 'incident-summary',
      });
    const model = counted(priced());
    const useCases = workspace.useCases(model, { allowsSending: () => Promise.resolve(true) });
    await useCases.allowSessions('claude-code', true, neverAborted);
    await letSend(workspace.folder, workspace.skillPath('incident-summary'), useCases);
    const before = model.calls();
    const request = aNightRequest(workspace.folder, {
      skills: skills.map((name) => workspace.skillPath(name)),
      consent: 'given',
      ...wish,
    });
    const { train, sessions } = await useCases.planNight(request, neverAborted);
    const asked = sessions?.size ?? assert.fail('no session is asked about');
    const [first, ...others] = [...train.map(({ preflight }) => preflight), asked].map((size) => ({
      ...size,
      attempts: 0,
    }));
    const sum = useCases.sumOfSizes(first ?? assert.fail('nothing is trained'), others);
    const result = await useCases.night(request, silent, neverAborted);
    const told = { calls: sum.calls.high, tokens: sum.tokens.high, usd: sum.usd?.high ?? Infinity };
    return { told, result, calls: model.calls() - before };
  } finally {
    workspace.dispose();
  }
}

/** The simulated model under the name of one that costs. */
function priced(): LanguageModel {
  const model = createSimulatedModel();
  const identity = { provider: 'openai', endpoint: 'https://api.openai.com/v1', model: 'gpt-5-mini', simulated: false };
  return { identity, complete: (request, signal) => model.complete(request, signal) };
}

/** By day the person says that the model may be sent words of sessions; at night nobody is asked. */
async function letSend(folder: string, skillPath: string, useCases: UseCases): Promise<void> {
  const said = [{ asked: 'Summarise the incident of this morning for the people on call.' }];
  const sessions = [aSession('by-day', said, { folder, realFolder: folder })];
  const targets = [{ skillPath, workspaceFolders: [folder], folders: [folder] }];
  await useCases.mineSessions({ sessions, targets, by: 'model', mostSessions: 1, trusted: true }, neverAborted);
}
