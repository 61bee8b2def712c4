import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { sha256 } from '../../src/hash.js';
import { aForgetfulWorkspace } from '../builders/aForgetfulWorkspace.js';
import type { TestWorkspace } from '../builders/aWorkspace.js';
import { aNightRequest } from './nightWorkspace.js';
import { inFull } from '../builders/few.js';

const neverAborted = new AbortController().signal;
const workspaces: TestWorkspace[] = [];
/** One edit a night: it goes to what fails most, and what was forgotten stays so. */
const settings = { edits: { budget: 1, minimum: 1 }, gate: { rule: 'strict', attribution: false } };

describe('over nights', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('what the person changed is held against the text of the last night that spent, and guidance from it is gated', async () => {
    const { workspace, before, night } = await afterOneNight({});
    const { events, result } = await night();
    const [compared] = eventsOf(events, 'epoch-compared');
    assert.equal(compared?.firstHash, sha256(before));
    assert.equal(compared.lastHash, sha256(workspace.skillText()));
    assert.deepEqual([compared.improved, compared.regressed, compared.persistentFail], [2, 2, 3]);
    const attempted = eventsOf(events, 'attempt').filter(({ stage }) => stage === 'slow-update');
    const underBefore = attempted.filter(({ skillHash }) => skillHash === sha256(before));
    assert.equal(underBefore.length, 7, 'each task once under the text of the last night');
    assert.ok(
      attempted.every(({ skillHash }) => skillHash !== compared.lastHash),
      'none again under the text of today',
    );
    assert.equal(eventsOf(events, 'slow-update')[0]?.action, 'accept_new_best');
    assert.equal(eventsOf(events, 'meta-skill').length, 0);
    assert.equal(result.skills[0]?.outcome, 'proposed');
    assert.deepEqual(await opsOf(workspace), ['append', 'slow_update']);
    const third = await night({ force: true });
    assert.deepEqual(eventsOf(third.events, 'epoch-compared'), [], 'nothing changed since');
    const [{ reason, metric } = { reason: '' }] = third.result.skills;
    assert.match(reason, /It takes the place of the proposal from .* \(2 edits\)\./);
    assert.equal(metric, 'mixed');
  });

  inFull('nothing is compared, and no call made for it, where nothing changed or where it is turned off', async () => {
    const { workspace, before, night } = await afterOneNight({});
    writeFileSync(workspace.skillPath, before);
    const same = await night({ force: true });
    assert.ok(eventsOf(same.events, 'attempt').length > 0);
    assert.deepEqual(slowIn(same.events), []);
    const off = await afterOneNight({ slowUpdate: { on: false } });
    const { events } = await off.night();
    assert.deepEqual(slowIn(events), []);
    assert.deepEqual(await opsOf(off.workspace), ['append']);
  });

  inFull('goes on after it was cut off with the text that it began to compare', async () => {
    const { workspace, before, night } = await afterOneNight({});
    const stop = new AbortController();
    await assert.rejects(() => night({}, { stop, when: ({ kind }) => kind === 'epoch-compared' }));
    const events: RunEvent[] = [];
    const resume = { run: undefined };
    await workspace.optimize({ preset: 'standard', resume, onEvent: (event) => events.push(event) });
    assert.equal(eventsOf(events, 'epoch-compared').at(-1)?.firstHash, sha256(before));
    assert.deepEqual(await opsOf(workspace), ['append', 'slow_update']);
  });

  it('it is counted before the night, with an option that takes its cost away', async () => {
    const { plan, night } = await afterOneNight({});
    const [on, off] = [await plan({}), await plan({ slowUpdate: { on: false } })];
    // Seven training tasks under one text, eight held-out ones under guidance, one question, asked twice at most.
    assert.ok(on - off >= 7 + 8 + 2, `${on} and ${off}`);
    const { events } = await night();
    const calls = eventsOf(events, 'call').length;
    assert.ok(calls > 0 && calls <= on, `${calls} of ${on}`);
  });
});

/** When a night is stopped. */
interface Cut {
  readonly stop: AbortController;
  readonly when: (event: RunEvent) => boolean;
}

/** A night on the skill as it is; then the person adds a rule, of which some tasks forget how they ended. */
async function afterOneNight(more: Readonly<Record<string, unknown>>) {
  const workspace = aForgetfulWorkspace();
  workspaces.push(workspace);
  const { folder, skillPath } = workspace;
  const request = (own: Readonly<Record<string, unknown>>) =>
    aNightRequest(folder, { skills: [skillPath], preset: 'standard', settings: [{ ...settings, ...more, ...own }] });
  const night = async (wish: { readonly force?: boolean } = {}, cut?: Cut) => {
    const events: RunEvent[] = [];
    const observe = (_: string, event: RunEvent): void => {
      events.push(event);
      if (cut?.when(event) === true) cut.stop.abort();
    };
    const watcher = { began: () => undefined, observe };
    const signal = cut?.stop.signal ?? neverAborted;
    return { result: await workspace.useCases().night({ ...request({}), ...wish }, watcher, signal), events };
  };
  const plan = async (own: Readonly<Record<string, unknown>>): Promise<number> => {
    const { train } = await workspace.useCases().planNight(request(own), neverAborted);
    return train[0]?.preflight.calls.high ?? 0;
  };
  const before = workspace.skillText();
  const first = await night();
  assert.deepEqual(slowIn(first.events), []);
  writeFileSync(
    skillPath,
    `${before}\n- Keep the answer to at most 120 characters, and let what matters most come first.\n`,
  );
  return { workspace, before, night, plan };
}

function slowIn(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter((event) => event.kind.includes('epoch') || ('stage' in event && event.stage === 'slow-update'));
}

async function opsOf(workspace: TestWorkspace): Promise<readonly string[]> {
  const { pending } = await workspace.overview();
  return (pending?.proposal.documents[0]?.edits ?? []).map(({ edit }) => edit.op);
}

function eventsOf<Kind extends RunEvent['kind']>(events: readonly RunEvent[], kind: Kind) {
  return events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}
