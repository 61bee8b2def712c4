import { parseScheduleSettings } from '../../../src/schedule/scheduleSettings.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { chooseModels } from '../../../src/app/models/chooseModels.js';
import { createUseCases } from '../../../src/app/useCases.js';
import type { Clock } from '../../../src/ports/clock.js';

/** What a stand-in for a window is told: it looks at the clock as an extension host does, without an editor around it. */
export interface WindowOrder {
  readonly folder: string;
  readonly skills: readonly string[];
  readonly state: string;
  readonly at: string;
  readonly model: string;
  /** How far the clock of this window is behind, for turning the schedule on before its time. */
  readonly behindMs: number;
}

async function main(order: WindowOrder): Promise<void> {
  const clock: Clock = {
    now: () => nodeClock.now() - order.behindMs,
    sleep: (ms, signal) => nodeClock.sleep(ms, signal),
  };
  const environment = { ...process.env, WHETSTONE_HOME: order.state };
  const useCases = createUseCases({
    environment,
    platform: process.platform,
    home: order.folder,
    clock,
    models: () =>
      chooseModels(
        { target: order.model, optimizer: undefined, judge: undefined },
        { environment, fetch: globalThis.fetch },
      ),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
  });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { decision, result } = await useCases.tick(
    {
      schedule: parseScheduleSettings({ enabled: true, at: order.at }, zone),
      folders: [order.folder],
      workspaceFolders: [order.folder],
      skills: order.skills,
      preset: 'quick',
      settings: [],
      trusted: true,
      force: false,
      consent: 'stored',
      startedBy: 'window',
    },
    { began: () => process.stdout.write('began\n'), observe: () => undefined },
    new AbortController().signal,
  );
  process.stdout.write(
    `${JSON.stringify({ decision: decision.kind, outcomes: result?.skills.map((s) => s.outcome) })}\n`,
  );
}

const order: WindowOrder = JSON.parse(process.argv[2] ?? '{}');
void main(order);
