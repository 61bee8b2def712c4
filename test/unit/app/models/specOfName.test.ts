import assert from 'node:assert/strict';
import { nameOf } from '../../../../src/app/models/runModels.js';
import { specOfName } from '../../../../src/app/models/specOfName.js';
import { createSimulatedModel } from '../../../../src/simulated/simulatedModel.js';

describe('the model behind a name that a run wrote down', () => {
  const table: readonly (readonly [name: string, spec: string | undefined])[] = [
    ['openai/gpt-5-mini', 'openai/gpt-5-mini'],
    ['openrouter/meta/llama-3', 'openrouter/meta/llama-3'],
    [nameOf(createSimulatedModel()), 'simulated'],
    [nameOf(createSimulatedModel({ seed: 7 })), undefined],
    ['custom/m', undefined],
    ['azure/my-deployment', 'azure/my-deployment'],
    ['vscode/copilot/gpt-4.1', undefined],
  ];
  for (const [name, spec] of table)
    it(`${name} is ${spec ?? 'for the person to say'}`, () => assert.equal(specOfName(name), spec));
});
