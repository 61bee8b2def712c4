// A run in a process of its own, that the tests end wherever they like. The argument is its order as JSON.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { AnswersAwaited } from '../../../src/errors.js';
import { createHandoffModel } from '../../../src/models/handoff/handoffModel.js';
import { replyKey } from '../../../src/models/wrappers/replyKey.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import type { SimulatedOptions } from '../../../src/simulated/options.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import type { Proposal } from '../../../src/ports/proposal.js';
import { sha256 } from '../../../src/hash.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { createUseCases } from '../../../src/app/useCases.js';
import type { RunEvent } from '../../../src/engine/journal/runEvents.js';
import { aNightRequest } from '../nightWorkspace.js';
import { KillPoints, repliesBefore, type KillCounts, type KillKind, type KillPoint } from './killPoints.js';

export interface TrainOrder {
  readonly folder: string;
  readonly home: string;
  readonly skillPath: string;
  /** Every call is noted here before it is made, as the name of the file that its reply is stored in. */
  readonly callLog: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly model?: SimulatedOptions;
  readonly kill?: KillPoint;
  /** A night instead of a run: one that was cut off is resumed as a person would, or the next night comes. */
  readonly night?: 'resumed' | 'next';
  /** Somebody answers by hand, in the folder of prompts. */
  readonly handoff?: true;
  /** How far ahead the clock is: the lock of a process that was killed has run out by then. */
  readonly aheadMs: number;
}

/** What a child says when it comes to its end. */
export interface TrainReport {
  readonly proposal: Proposal | undefined;
  readonly counts: KillCounts;
  readonly resumed: number;
  /** How many prompts wait, where the run does, and where. */
  readonly waiting?: number;
  readonly prompts?: string;
}

const order: TrainOrder = JSON.parse(process.argv[2] ?? '{}');
const points = new KillPoints(order.kill);
/** What the process can be ended in the middle of asking for. */
const whileAsked = new Map<string, KillKind>([
  ['meta_skill', 'noting'],
  ['appendix', 'joining'],
]);
let before: string | undefined;
/** What the optimizer was asked for last. */
let question: string | undefined;
/** Whether two texts are being held against each other. */
let compares = false;
const clock = { ...nodeClock, running: undefined, now: () => nodeClock.now() + order.aheadMs };
const useCases = createUseCases({
  environment: { WHETSTONE_HOME: path.join(order.home, 'state') },
  platform: 'linux',
  home: order.home,
  clock,
  models: () => {
    const model = order.handoff === true ? createHandoffModel('handoff') : counted(createSimulatedModel(order.model));
    return Promise.resolve({ target: model, optimizer: model, judge: model });
  },
  byHand: () => order.handoff === true,
  trusted: () => true,
  consent: { allows: () => Promise.resolve(false) },
  caps: () => ({ day: {}, month: {} }),
  tell: () => undefined,
});

const neverAborted = new AbortController().signal;
const request = { skillPath: order.skillPath, workspaceFolders: [order.folder] };
await points.watchFiles();
const report = await train().catch(waiting);
process.stdout.write(`${JSON.stringify(report)}\n`);

/** Goes on with what was cut off, takes what was finished, or begins. */
async function train(): Promise<TrainReport> {
  const { unfinished, pending, runs } = await useCases.overview(request, neverAborted);
  const cutOff = unfinished[0] ?? runs.find(({ outcome }) => outcome === 'waiting');
  if (order.night === 'next' || (order.night !== undefined && cutOff === undefined)) return night();
  if (cutOff === undefined && pending !== undefined)
    return { proposal: pending.proposal, counts: points.counts, resumed: 0 };
  const { proposal, summary } = await useCases.optimize(
    {
      ...request,
      preset: 'standard',
      settings: [order.settings],
      purpose: 'optimize',
      trusted: true,
      resume: cutOff === undefined ? undefined : { run: cutOff.runId },
    },
    see,
    neverAborted,
  );
  return { proposal, counts: points.counts, resumed: summary.resumed };
}

function waiting(error: unknown): TrainReport {
  if (!(error instanceof AnswersAwaited)) throw error;
  return { proposal: undefined, counts: points.counts, resumed: 0, waiting: error.waiting, prompts: error.folder };
}

async function night(): Promise<TrainReport> {
  const { folder, skillPath, settings } = order;
  const asked = aNightRequest(folder, { skills: [skillPath], preset: 'standard', settings: [settings] });
  await useCases.night(asked, { began: () => undefined, observe: (_, event) => see(event) }, neverAborted);
  const { pending } = await useCases.overview(request, neverAborted);
  return { proposal: pending?.proposal, counts: points.counts, resumed: 0 };
}

function see(event: RunEvent): void {
  if (event.kind === 'stage') compares = event.stage === 'slow-update';
  if (event.kind === 'epoch-compared') compares = false;
}

function attempted(): void {
  if (compares) points.reach('comparing');
  if (question === 'slow_update') points.reach('guided');
}

function counted(model: LanguageModel): LanguageModel {
  return {
    identity: model.identity,
    async complete(asked, signal) {
      points.reach('call');
      const after = repliesBefore.find((name) => name === before);
      if (after !== undefined) points.reach(after);
      before = asked.replySchema?.name;
      if (asked.role === 'target') attempted();
      appendFileSync(order.callLog, `${sha256(replyKey(model.identity, asked))}\n`);
      if (asked.role === 'optimizer') question = asked.replySchema?.name;
      const asking = whileAsked.get(asked.replySchema?.name ?? '');
      if (asking !== undefined) points.reach(asking);
      const reply = await model.complete(asked, signal);
      points.reach('answered');
      return reply;
    },
  };
}
