import { UserError } from '../../errors.js';
import { canonicalJson } from '../../hash.js';
import { editorProvider } from '../../models/editor/editorModel.js';
import { isHandoff } from '../../models/handoff/handoffModel.js';
import type { AttemptRunner } from '../../ports/attemptRunner.js';
import type { ModelIdentity } from '../../ports/languageModel.js';
import type { WindowQueue } from '../../ports/windowQueue.js';
import { mostFolderBytes } from '../job.js';
import { addressOfWindow, atHome, shownPlace, type QueueWishes } from './addressOfWindow.js';
import { QueueBridge } from './queueBridge.js';
import { startCommandLine } from './startCommandLine.js';

interface WindowParts {
  /** Of the machine's settings: a workspace has no say in them. */
  readonly wishes: () => QueueWishes;
  /** Whether one is set, in a workspace that the person trusts. */
  readonly isSet: () => boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly workspace: () => readonly string[];
  readonly version: string;
}

/** Nothing is looked for and nothing is started until something is asked, and where no queue is set nothing ever is. */
export function windowQueue(parts: WindowParts): WindowQueue {
  let held: { readonly of: string; readonly bridge: QueueBridge } | undefined;
  const { isSet } = parts;
  const bridge = (): QueueBridge => {
    const of = canonicalJson({ ...parts.wishes() });
    if (held?.of !== of) {
      held?.bridge.close();
      held = { of, bridge: bridgeOf(parts) };
    }
    return held.bridge;
  };
  const attempts: AttemptRunner = {
    get place() {
      return isSet() ? (bridge().shown ?? shownPlace(parts.wishes(), parts)) : undefined;
    },
    takes: (model) => !staysHere(model),
    mostFolderBytes,
    run: async (call, here, signal) => {
      const isHere = !isSet() || call.request.role === 'optimizer' || staysHere(call.model);
      return isHere ? here(call.request, signal) : bridge().run(call, here, signal);
    },
    reach: async (model, role, signal) =>
      role === 'optimizer' || staysHere(model) ? false : bridge().reach(model, role, signal),
  };
  return {
    attempts,
    inForce: () => (isSet() ? attempts : undefined),
    look: async (signal) => {
      if (!isSet()) throw new UserError('usage', 'No queue is set.', 'Name one in the setting whetstone.queue.');
      return bridge().look(signal);
    },
    close: () => held?.bridge.close(),
  };
}

/** What nobody but this window can ask, what a person answers, and what takes no time. */
function staysHere(model: ModelIdentity): boolean {
  return model.provider === editorProvider || model.simulated || isHandoff(model);
}

function bridgeOf(parts: WindowParts): QueueBridge {
  const { environment, home, version } = parts;
  const wishes = parts.wishes();
  const start: ConstructorParameters<typeof QueueBridge>[0] = async (ears) => {
    const address = await addressOfWindow(wishes, parts);
    const secretFile = atHome(wishes.secretFile.trim(), home);
    const commandLine = atHome(wishes.commandLine.trim() || 'whetstone', home);
    return startCommandLine(
      { commandLine, address, secretFile, environment, workspace: parts.workspace(), version },
      ears,
    );
  };
  return new QueueBridge(start, version);
}
