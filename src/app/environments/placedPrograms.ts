import type { AttemptRunner, StaysHere } from '../../ports/attemptRunner.js';
import type { Programs } from '../../ports/programs.js';
import { exactText } from '../../wording/shownText.js';
import { english } from '../../wording/translate.js';
import type { World } from '../world.js';
import type { NeededProgram } from './programsAtStart.js';

/** The programs of a run: on other machines where they may run there and one of them takes them, else as given. */
export function placedPrograms(attempts: AttemptRunner | undefined, runId: string, programs: Programs): Programs {
  const place = attempts?.program;
  if (place === undefined) return programs;
  const here: Programs['run'] = (request, signal) => programs.run(request, signal);
  return { run: (request, signal) => place({ runId, request }, here, signal) };
}

/** Which programs of a run are run by workers, and why not the others; nothing without a queue, or where it is not there. */
export async function placeNotes(
  { attempts }: Pick<World, 'attempts'>,
  needed: readonly NeededProgram[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { staysHere, place = '' } = attempts ?? {};
  if (staysHere === undefined || needed.length === 0) return [];
  try {
    const looked = await Promise.all(
      needed.map(async ({ what, started, asksTarget }) => {
        const why = asksTarget ? 'asks-target' : await staysHere({ ...started, ...nothing }, signal);
        return why === undefined ? undefined : hereSentence(exactText(what), why);
      }),
    );
    const here = looked.filter((sentence) => sentence !== undefined);
    const count = looked.length - here.length;
    const there =
      count === 0
        ? []
        : [english('Programs that are run by the workers at {0}: {1} of {2}.', place, count, needed.length)];
    return [...there, ...here];
  } catch {
    signal.throwIfAborted();
    return []; // the start of the run says what is wrong with the queue
  }
}

const nothing = { input: '', timeLimitMs: 0, outputLimitBytes: 0 };

function hereSentence(program: string, why: StaysHere): string {
  switch (why) {
    case 'not-taken':
      return english(
        'This runs on this machine, for no worker has it in its list (“whetstone worker allow” adds it there): {0}',
        program,
      );
    case 'asks-target':
      return english('This runs on this machine, for it asks the target at an address of this machine: {0}', program);
    case 'bound':
      return english('This runs on this machine, for it names or reads what other machines do not have: {0}', program);
    case 'too-large':
      return english(
        'This runs on this machine, for its folder is too large to be sent or cannot be read: {0}',
        program,
      );
  }
}
