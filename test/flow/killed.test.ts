import assert from 'node:assert/strict';
import { concurrently } from '../../src/engine/concurrently.js';
import { aContradictingSkill } from '../builders/aContradictingSkill.js';
import { aForgetfulWorkspace, twoEdits } from '../builders/aForgetfulWorkspace.js';
import { skillText } from '../builders/aRunContext.js';
import { aToolWorkspace } from '../builders/aToolWorkspace.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { isFull as full } from '../builders/few.js';
import { killKinds, type KillCounts, type KillKind, type KillPoint } from './children/killPoints.js';
import type { TrainOrder, TrainReport } from './children/trainChild.js';
import { callLogIn, callsIn, runTraining, storedReplies, trainingScript } from './children/trainProcess.js';

const pointCount = full ? 50 : 1;
/** Two edits that are needed together, one a step: a tie, then a gain, then their worths. */
const settings = { edits: { budget: 1, minimum: 1 }, train: { epochs: 3 }, concurrency: 4 };
const minutes = 60_000;

describe('a run that is killed', function killed() {
  this.timeout(full ? 600_000 : 180_000);
  let script = '';

  before(async () => {
    script = await trainingScript();
  });

  it(`at any of ${pointCount} points is resumed to the same proposal, and asks for no stored reply again`, async () => {
    const job = { script, make: () => aWorkspace(parts()), settings, edits: 2 };
    const unbroken = await whole(job);
    const points = spread(unbroken.counts, pointCount);
    assert.equal(points.length, pointCount);
    const ends = await concurrently(points, 2, (point) => killedAndResumed(job, point, unbroken));
    const resumed = ends.filter((end) => end.resumed).length;
    assert.ok(resumed > pointCount / 2, `only ${resumed} of ${pointCount} runs were there to be resumed`);
    if (full) process.stdout.write(`      ${summaryOf(ends, unbroken.calls)}\n`);
  });

  if (!full) return; // what a run does only where it is asked to, where its tasks have tools, or at the end of an epoch

  it('while guidance is tried or notes are asked for is resumed to the same of both, and asks for no stored reply again', async () => {
    const strict = { ...twoEdits, gate: { rule: 'strict' }, concurrency: settings.concurrency };
    const job = { script, make: aForgetfulWorkspace, settings: strict, edits: 3 };
    const unbroken = await whole(job);
    const { guided, noting, meta_skill: noted } = unbroken.counts;
    assert.ok(guided > 4 && noting === 1 && noted > 0 && unbroken.notes === '', JSON.stringify(unbroken));
    const all = Array.from({ length: guided }, (_, index) => index + 1);
    const points: readonly KillPoint[] = [
      ...all.map((at) => ({ kind: 'guided' as const, at })),
      { kind: 'noting', at: 1 },
      { kind: 'meta_skill', at: 1 },
    ];
    const ends = await concurrently(points, 2, (point) => killedAndResumed(job, point, unbroken));
    assert.ok(ends.every(({ resumed }) => resumed));
  });

  it('after its attempts with tools is resumed to the same lesson of their trajectories', async () => {
    const job = { script, make: aToolWorkspace, settings: { ...settings, gate: { attribution: false } }, edits: 1 };
    const unbroken = await whole(job);
    const afterReflection = 6 * 2 + 2 * 2 + 1 + 1; // two calls each attempt, one to the optimizer, one more
    const end = await killedAndResumed(job, { kind: 'answered', at: afterReflection }, unbroken);
    assert.ok(end.resumed);
  });

  const rewrites = [
    { mode: 'rewrite_from_suggestions', kind: 'rewrite', edits: 2 },
    { mode: 'full_rewrite_minibatch', kind: 'rewrites', edits: 2 },
  ] as const;
  for (const { mode, kind, edits } of rewrites) {
    it(`after the reply of ${mode} is resumed to the same edits`, async () => {
      const own = { edits: { mode }, train: { epochs: 2 }, gate: { attribution: false }, concurrency: 4 };
      const job = { script, make: aContradictingSkill, settings: own, edits };
      const end = await killedAndResumed(job, { kind, at: 1 }, await whole(job));
      assert.ok(end.resumed);
    });
  }

  it('while it keeps a front of candidates is resumed to the same choice, and asks for no stored reply again', async () => {
    const choice = { measures: ['score', 'skill-tokens', 'answer-tokens', 'answer-time'] };
    const job = {
      script,
      make: () => aWorkspace(wordy()),
      settings: { train: { epochs: 2 }, concurrency: 4, choice },
      edits: 3,
    };
    const unbroken = await whole(job);
    const points = [0.3, 0.7].map((share) => ({
      kind: 'answered' as const,
      at: Math.round(unbroken.counts.answered * share),
    }));
    const ends = await concurrently(points, 2, (point) => killedAndResumed(job, point, unbroken));
    assert.ok(ends.every(({ resumed }) => resumed));
  });

  it('after it was told of lapses is resumed to the same reminders', async () => {
    const words = ['Visibility:'];
    const skill = '---\nname: words\n---\n\n# Words\n\n- Include “Visibility:”.\n';
    const job = {
      script,
      make: () => aWorkspace({ tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, words), skill }),
      settings: { ...settings, train: { epochs: 1 }, gate: { attribution: false }, reflect: { skillAware: true } },
      model: { lapseRate: 0.8 },
      edits: 1,
    };
    const unbroken = await whole(job);
    assert.equal(unbroken.proposal?.documents[0]?.edits[0]?.edit.op, 'appendix');
    const end = await killedAndResumed(job, { kind: 'skill_aware_reflection', at: 1 }, unbroken);
    assert.ok(end.resumed);
  });

  it('while reminders are joined is resumed to the same reminders', async () => {
    const words = ['Visibility:'];
    const kept = '<!-- APPENDIX_START -->\n## Execution Notes Appendix\n\n- Be kind.\n<!-- APPENDIX_END -->\n';
    const skill = `---\nname: words\n---\n\n# Words\n\n- Include “Visibility:”.\n\n${kept}`;
    const job = {
      script,
      make: () => aWorkspace({ tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, words), skill }),
      settings: {
        ...settings,
        train: { epochs: 1 },
        gate: { attribution: false },
        reflect: { skillAware: true, reminders: 1 },
      },
      model: { lapseRate: 0.8 },
      edits: 0, // two reminders are one too many, and this optimizer cannot join them
    };
    const unbroken = await whole(job);
    assert.ok(unbroken.counts.joining > 0, JSON.stringify(unbroken.counts));
    const end = await killedAndResumed(job, { kind: 'joining', at: 1 }, unbroken);
    assert.ok(end.resumed);
  });

  it('between accumulated batches, or after its edit budget, is resumed to the same edits', async () => {
    const job = {
      script,
      make: () => aWorkspace(parts()),
      settings: {
        ...settings,
        edits: { budget: 3, minimum: 1, control: 'autonomous' },
        train: { epochs: 1, batchSize: 1, accumulation: 2 },
        gate: { attribution: false },
      },
      edits: 2,
    };
    const unbroken = await whole(job);
    assert.deepEqual([unbroken.counts.reflection, unbroken.counts.edit_budget], [2, 1]);
    const points = (['reflection', 'edit_budget'] as const).map((kind) => ({ kind, at: 1 }));
    const ends = await concurrently(points, 2, (point) => killedAndResumed(job, point, unbroken));
    assert.ok(ends.every(({ resumed }) => resumed));
  });
});

/** What is trained, and how many edits it comes to. */
interface Job {
  readonly script: string;
  readonly make: () => TestWorkspace;
  readonly settings: TrainOrder['settings'];
  readonly model?: TrainOrder['model'];
  readonly edits: number;
}

interface Unbroken {
  readonly proposal: TrainReport['proposal'];
  readonly counts: KillCounts;
  readonly calls: number;
  readonly notes: string;
}

interface End {
  readonly point: KillPoint;
  readonly resumed: boolean;
  readonly calls: number;
  /** Calls that were made twice because their reply was not stored yet. */
  readonly repeated: number;
}

async function whole(job: Job): Promise<Unbroken> {
  const workspace = job.make();
  try {
    const report = await finished(job, workspace, 0);
    if (job.edits > 0) assert.equal(report.proposal?.verdict.kind, 'accepted');
    assert.equal(report.proposal?.documents[0]?.edits.length ?? 0, job.edits);
    return { ...report, calls: callsIn(workspace).length, notes: await notesIn(workspace) };
  } finally {
    workspace.dispose();
  }
}

async function killedAndResumed(job: Job, kill: KillPoint, unbroken: Unbroken): Promise<End> {
  const workspace = job.make();
  const name = `${kill.kind} ${kill.at}`;
  try {
    const before = workspace.skillText();
    const first = await runTraining(job.script, orderFor(job, workspace, 0, kill));
    // Lines that come together share a sync: a run may have fewer of them than the one that was counted.
    if (first.code === 0 && kill.kind === 'fsync') return await killedAndResumed(job, earlier(kill), unbroken);
    assert.equal(first.signal, 'SIGKILL', `${name}: ${first.complaints}`);
    const stored = storedReplies(workspace);
    const asked = callsIn(workspace);
    const report = await finished(job, workspace, 2 * minutes);
    const again = callsIn(workspace).slice(asked.length);
    assert.deepEqual(
      again.filter((key) => stored.has(key)),
      [],
      `${name}: stored replies were asked for again`,
    );
    assert.deepEqual(report.proposal, unbroken.proposal, name);
    assert.equal(await notesIn(workspace), unbroken.notes, name);
    assert.equal(workspace.skillText(), before, name);
    const all = [...asked, ...again];
    const repeated = all.length - new Set(all).size;
    assert.ok(repeated <= settings.concurrency, `${name}: ${repeated} replies were lost, more than were under way`);
    return { point: kill, resumed: report.resumed > 0, calls: all.length, repeated };
  } finally {
    workspace.dispose();
  }
}

function earlier({ kind, at }: KillPoint): KillPoint {
  return { kind, at: Math.max(1, Math.floor(at * 0.9)) };
}

function parts(): Parameters<typeof aWorkspace>[0] {
  return { tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 1 }, ['Visibility:', 'fathoms']) };
}

/** One rule is said twice, and two are missing. */
function wordy(): Parameters<typeof aWorkspace>[0] {
  const rules = '- Always use the word “Moored”.\n- Be kind.\n- Mention “Moored”.\n';
  const tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 1 }, ['Visibility:', 'fathoms', 'Moored']);
  return { tasks, skill: `${skillText}\n${rules}` };
}

function notesIn(workspace: TestWorkspace): Promise<string> {
  const { skillPath, folder } = workspace;
  return workspace.useCases().metaSkill({ skillPath, workspaceFolders: [folder] }, new AbortController().signal);
}

/** Points of every kind, from the first to the last of it. */
function spread(counts: KillCounts, most: number): readonly KillPoint[] {
  const shares = killKinds.map(
    (_, index) => Math.floor(((index + 1) * most) / killKinds.length) - Math.floor((index * most) / killKinds.length),
  );
  return killKinds.flatMap((kind: KillKind, index) => {
    const share = shares[index] ?? 0;
    return Array.from({ length: share }, (_, number) => ({
      kind,
      at: Math.max(1, Math.round((counts[kind] * (number + 0.7)) / share)),
    }));
  });
}

async function finished(job: Job, workspace: TestWorkspace, aheadMs: number): Promise<TrainReport> {
  const { code, said, complaints } = await runTraining(job.script, orderFor(job, workspace, aheadMs));
  assert.equal(code, 0, complaints);
  return JSON.parse(said);
}

function orderFor(job: Job, workspace: TestWorkspace, aheadMs: number, kill?: KillPoint): TrainOrder {
  const { folder, home, skillPath } = workspace;
  const { settings: own, model } = job;
  const given = { ...(model === undefined ? {} : { model }), ...(kill === undefined ? {} : { kill }) };
  return { folder, home, skillPath, callLog: callLogIn(workspace), settings: own, aheadMs, ...given };
}

function summaryOf(ends: readonly End[], calls: number): string {
  const repeated = ends.map((end) => end.repeated);
  const most = Math.max(...repeated);
  const sum = repeated.reduce((total, count) => total + count, 0);
  return `${ends.length} kills, ${ends.filter((end) => end.resumed).length} resumed; unbroken ${calls} calls; calls whose reply was lost in flight: ${sum} in all, at most ${most} a kill`;
}
