import { namesHandoff } from '../handoff/handoffSpec.js';
import { messageOf, UserError } from '../../errors.js';
import { examineEndpoint, isHealthy, printReport, type DoctorReport } from '../../models/doctor/doctor.js';
import { failed, ok, type Finding } from '../../models/doctor/finding.js';
import { tinyCall } from '../../models/doctor/timedCall.js';
import { findPrice } from '../../models/prices.js';
import { withBudget } from '../../models/wrappers/withBudget.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import type { UserStore } from '../../storage/state/store.js';
import { endpointFor, fetchFor, type ModelSpecs, type ModelSurroundings } from './chooseModels.js';
import { examineAgent, namesAgent } from './agentModels.js';
import { editorModel, namesEditorModel } from './editorModels.js';
import { statedPrices } from './serverCosts.js';
import type { World } from '../world.js';

/** How the chosen models answered, finding by finding, without anything secret. */
export interface Connection {
  readonly healthy: boolean;
  readonly text: string;
  /** The first thing that is wrong. */
  readonly failure: Finding | undefined;
}

export interface ConnectionSurroundings extends ModelSurroundings {
  readonly clock: Clock;
  /** `wsl`, `ssh-remote` and the like, where the window is on another machine than the extension. */
  readonly remoteName: string | undefined;
  /** True inside of VS Code, whose fetch knows the person's proxy. */
  readonly proxyAware: boolean;
}

/** Asks the chosen models whether they are there: reachable, listed, and a tiny answer each, paid for like any. */
export async function checkConnection(world: World, store: UserStore, signal: AbortSignal): Promise<Connection> {
  const reports = await examineModels(world, store, signal);
  return {
    healthy: reports.every(isHealthy),
    text: reports.map(printReport).join('\n'),
    failure: reports.flatMap(({ findings }) => findings).find(({ state }) => state === 'failed'),
  };
}

/** A report for each chosen model; none where the face brings no way to look. */
export async function examineModels(
  world: World,
  store: UserStore,
  signal: AbortSignal,
): Promise<readonly DoctorReport[]> {
  const ledger = openLedger(store);
  const runId = newRunId(world.clock.now());
  const caps = { run: {}, ...world.caps() };
  const prices = await statedPrices(world);
  const around = (model: LanguageModel): LanguageModel =>
    withBudget(model, { ledger, runId, caps, price: findPrice(model.identity, prices) });
  try {
    return (await world.examine?.(around, signal)) ?? [];
  } finally {
    await ledger.close();
  }
}

/** What a face hands over as {@link World.examine}. */
export async function examineChosen(
  specs: ModelSpecs,
  surroundings: ConnectionSurroundings,
  around: (model: LanguageModel) => LanguageModel,
  signal: AbortSignal,
): Promise<readonly DoctorReport[]> {
  const wanted = [specs.target, specs.optimizer, specs.judge].filter((spec) => spec !== undefined && spec !== '');
  const examineOne = async (spec: string): Promise<DoctorReport> => {
    if (spec === 'simulated' || spec.startsWith('simulated?')) return builtIn(spec);
    if (namesHandoff(spec)) return answeredByHand(spec);
    try {
      if (namesEditorModel(spec)) return await inWindow(spec, surroundings, around, signal);
      if (namesAgent(spec)) return await examineAgent(spec, { ...surroundings, around }, signal);
      const endpoint = await endpointFor(spec, surroundings);
      const fetch = fetchFor(endpoint, surroundings);
      return await examineEndpoint({ endpoint, around, ...surroundings, fetch, surroundings }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UserError)) throw error;
      return { provider: spec, endpoint: '', model: '', findings: [missing(error)] };
    }
  };
  if (wanted.length === 0) return [{ provider: '', endpoint: '', model: '', findings: [notChosen] }];
  return Promise.all([...new Set(wanted)].map((spec) => examineOne(spec ?? '')));
}

async function inWindow(
  spec: string,
  { editorChats, clock }: ConnectionSurroundings,
  around: (model: LanguageModel) => LanguageModel,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const model = await editorModel(spec, editorChats);
  const listed = ok('model listed', 'VS Code offers it in this window.');
  const findings = [listed, await tinyCall(around(model), clock, signal)];
  return { ...model.identity, findings };
}

function builtIn(model: string): DoctorReport {
  const what = 'The simulated model is built in: it needs no key and no network.';
  return { provider: 'simulated', endpoint: '', model, findings: [ok('reachable', what)] };
}

function answeredByHand(model: string): DoctorReport {
  const what = 'Whoever you hand the prompts to answers: it needs no key and no network.';
  return { provider: 'handoff', endpoint: '', model, findings: [ok('reachable', what)] };
}

function missing(error: UserError): Finding {
  const [check, kind] =
    error.code === 'model-key-missing' ? (['key', 'auth'] as const) : (['address', 'endpoint'] as const);
  return { ...failed(check, messageOf(error), error.cure), kind };
}

const notChosen: Finding = {
  ...failed('address', 'No model is chosen.', 'Run “Whetstone: Choose Model”, or give --model on the command line.'),
  kind: 'model-not-found',
};
