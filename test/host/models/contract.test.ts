import { setTimeout as wait } from 'node:timers/promises';
import { createEditorModel } from '../../../src/models/editor/editorModel.js';
import { modelContract, type Behaviour, type ContractHost, type Fault } from '../../unit/models/modelContract.js';
import { echoChat, echoModels, textIn, type EchoCall } from './echoModels.js';

modelContract('a model that VS Code offers', onEchoModels);

async function onEchoModels(): Promise<ContractHost> {
  const echo = await echoModels();
  const before = echo.answer;
  echo.asked.length = 0;
  return {
    model: createEditorModel(await echoChat()),
    calls: () => echo.asked.length,
    arrange: (behaviour) => {
      echo.answer = (call) => shown(behaviour, call);
    },
    stop: () => {
      echo.answer = before;
      return Promise.resolve();
    },
  };
}

async function shown(behaviour: Behaviour, call: EchoCall): Promise<void> {
  const { LanguageModelTextPart, LanguageModelToolCallPart } = call.vscode;
  const say = (...texts: readonly string[]): void =>
    texts.forEach((text) => call.progress.report(new LanguageModelTextPart(text)));
  switch (behaviour.kind) {
    case 'answer':
      return say(behaviour.text);
    case 'cut':
      return say(behaviour.text, ' time there was a whetstone');
    case 'tool-call': {
      const input: unknown = JSON.parse(behaviour.call.arguments);
      return call.progress.report(new LanguageModelToolCallPart('a', behaviour.call.name, Object(input)));
    }
    case 'echo':
      return say(textIn(call.messages.at(-1)?.content ?? []));
    case 'late':
      await wait(behaviour.ms);
      return say('Late.');
    case 'fault':
      return faults[behaviour.fault](say);
  }
}

const faults: Readonly<Record<Fault, (say: (text: string) => void) => void>> = {
  'rate-limit': () => {
    throw new Error('429 Too Many Requests');
  },
  'server-error': () => {
    throw new Error('oops');
  },
  malformed: (say) => say('  \n'),
  disconnect: (say) => {
    say('half an ans');
    throw new Error('gone');
  },
  empty: () => undefined,
};
