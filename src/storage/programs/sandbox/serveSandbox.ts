import { rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../../errors.js';
import { openContainment, type Containment } from './containment.js';
import type { PlacedStart } from './helperProcess.js';
import type { ProgramEnd, FromHelper, StartPlaces, ToHelper } from './messages.js';
import { helperMark, isMark, leaveNothingRunning } from './nothingLeft.js';
import { probe } from './probe.js';

/**
 * The helper process: it owns the sandbox, its proxy and the programs in it, in a working folder that is empty, because
 * the library guards files of the folder it is called in. It ends with the one who started it, and at once where nobody did.
 */
export function serveSandbox(): void {
  const mark = process.env[helperMark] ?? '';
  if (!isMark(mark) || process.send === undefined) {
    process.stderr.write('This is the helper process of Whetstone’s sandbox: Whetstone starts it, nobody else.\n');
    process.exitCode = 64;
    return;
  }
  const running = new Map<number, AbortController>();
  let containment: Containment | undefined;
  let folder: string | undefined;
  leaveNothingRunning(mark);
  process.on('message', (message: ToHelper) => void take(message));
  process.on('disconnect', () => void end());

  async function take(message: ToHelper): Promise<void> {
    switch (message.kind) {
      case 'start':
        folder = path.dirname(message.settings.own);
        try {
          containment = await openContainment(message.settings);
          tell({ kind: 'started', refusal: await probe(containment, message.settings) });
        } catch (error) {
          tell({ kind: 'started', refusal: messageOf(error) });
        }
        return;
      case 'abort':
        running.get(message.id)?.abort(new Error('aborted'));
        return;
      case 'run': {
        const { id, request, at } = message;
        const ending = new AbortController();
        running.set(id, ending);
        const ended = await runOne(() => containment?.run(request, ending.signal, at && placed(id, at)));
        running.delete(id);
        tell({ kind: 'ended', id, ...ended });
        return;
      }
    }
  }

  async function end(): Promise<void> {
    setTimeout(() => process.exit(1), mostPatienceMs).unref();
    for (const each of running.values()) each.abort(new Error('The one who started the sandbox is gone.'));
    await containment?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    process.exit(0);
  }
}

const mostPatienceMs = 5_000; // with what does not want to end; the rest is ended then

async function runOne(run: () => Promise<ProgramEnd> | undefined): Promise<ProgramEnd> {
  try {
    return (await run()) ?? { result: { kind: 'not-started', reason: 'The sandbox is not open.' }, refused: [] };
  } catch (error) {
    return { result: { kind: 'not-started', reason: messageOf(error) }, refused: [] };
  }
}

function placed(id: number, at: StartPlaces): PlacedStart {
  return {
    at,
    onSaid: (said) => tell({ kind: 'said', id, ...said }),
    onRefused: (host) => tell({ kind: 'refused', id, host }),
    onCarried: (canary) => tell({ kind: 'carried', id, canary }),
  };
}

function tell(message: FromHelper): void {
  process.send?.(message, () => undefined); // nobody may be left to hear it
}
