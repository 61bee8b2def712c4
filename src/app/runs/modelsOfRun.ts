import { judgeManner } from '../../checks/judgeManner.js';
import { editableFiles } from '../environments/editableFiles.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { RunBatches } from '../../models/batch/gatheredCalls.js';
import type { PriceOverrides } from '../../models/prices.js';
import { patientLedger } from '../../models/wrappers/patientLedger.js';
import { redactedReplies } from '../../models/wrappers/redactedReplies.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { SpendLedger } from '../../ports/spend.js';
import type { ReplyStore } from '../../ports/stores.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { RunHandoff } from '../handoff/runHandoff.js';
import { CallsAhead } from '../models/callsAhead.js';
import { runBatches } from '../models/runBatches.js';
import { heldBy, runModels, type RoleModels } from '../models/runModels.js';
import type { StageWatch } from '../models/stageWatch.js';
import { programsOf } from './bound/attemptBound.js';
import { leavesRoomAhead } from './bound/roomAhead.js';
import { findMemoryFile } from './memoryFile.js';
import type { ModelsAhead, RunModels, StageOfRun } from './runContextFor.js';
import type { RunJournal } from './runJournal.js';
import { isConsolidation } from './runOptionsFor.js';
import type { RunStart } from './runStart.js';

interface RunModelParts {
  readonly bare: RoleModels;
  /** Those that their servers know. */
  readonly ready: ReadonlySet<LanguageModel>;
  readonly ledger: SpendLedger;
  readonly replies: ReplyStore;
  readonly journal: RunJournal;
  readonly redactor: Redactor;
  readonly prices: PriceOverrides;
  readonly watch: StageWatch;
  readonly handoff: RunHandoff | undefined;
}

/** The models of a run with everything around them: as most stages ask them, ahead of a stage, and for a verdict. */
export async function modelsOfRun(
  start: RunStart,
  { bare, ledger: own, replies, journal, handoff, ...given }: RunModelParts,
): Promise<RunModels & { readonly batches: RunBatches | undefined }> {
  const ledger = handoff?.over(own) ?? own;
  const { world, options, callCap } = start;
  const documents = await documentsOf(start);
  const patient = patientLedger(ledger);
  const batches = runBatches(start, {
    bare,
    journal,
    replies: redactedReplies(replies, given.redactor),
    prices: given.prices,
    ledger: patient,
    caps: heldBy({ world, options, callCap }),
    note: (call) => given.watch.note(call),
  });
  const parts = {
    world,
    options,
    callCap,
    documents: [...documents, ...Object.values((await editableFiles(start)) ?? {})],
    ...given,
    replies: start.fresh === true ? askedAnew(replies) : replies,
    ledger: patient,
    batches,
    runId: journal.runId,
    answeredFor: handoff?.answeredFor,
    workedMs: journal.summary().workedMs,
    record: journal.record,
    limiters: new Map(),
  };
  const asked = { text: documents.join('\n'), bare, ledger, runId: journal.runId, prices: given.prices };
  const ahead = (at: StageOfRun): ModelsAhead => modelsAhead(runModels(bare, { ...parts, of: at }), options);
  return {
    models: runModels(bare, parts),
    manner: judgeManner(bare.judge),
    batches,
    // What waits for its stage would keep a batch from being sent.
    ahead: batches === undefined && (await isRoomAhead(start, asked)) ? ahead : undefined,
    freshFor: (run) => runModels(bare, { ...parts, storedFor: run }),
  };
}

/** Answers from nothing that is stored, and stores what comes. */
function askedAnew(store: ReplyStore): ReplyStore {
  return { get: () => Promise.resolve(undefined), put: (key, reply) => store.put(key, reply) };
}

function isRoomAhead(
  { world, skill, tasks, options, callCap }: RunStart,
  {
    bare,
    ...asked
  }: Pick<RunModelParts, 'bare' | 'ledger' | 'prices'> & { readonly text: string; readonly runId: string },
): Promise<boolean> {
  const { training, heldOut } = tasks.result.split;
  const made = { folder: skill.folder, programs: programsOf(tasks), options, models: bare };
  return leavesRoomAhead({ ...made, ...asked, training, heldOut, caps: heldBy({ world, options, callCap }) });
}

/** At most as many calls as may be under way at once are made before their stage. */
function modelsAhead({ target, judge }: RoleModels, { concurrency }: RunOptions): ModelsAhead {
  const calls = new CallsAhead(concurrency);
  return {
    models: { target: calls.over(target), judge: calls.over(judge) },
    arrive: () => calls.arrive(),
    drop: () => calls.drop(),
  };
}

/** What the optimizer edits: the skill, and in a consolidation the memory file that goes with it. */
async function documentsOf({ skill, options, purpose }: RunStart): Promise<readonly string[]> {
  const evolves = isConsolidation(purpose) && options.consolidate.memory;
  const memory = evolves ? await findMemoryFile(skill.places) : undefined;
  return [skill.text, ...(memory === undefined ? [] : [memory.text])];
}
