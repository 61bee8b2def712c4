import { LLMock } from '@copilotkit/aimock';
import { modelQuestion } from '../../../src/simulated/server/modelQuestion.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { completionForm } from '../../../src/wire/completionForm.js';

/** A server whose wire is the mock's, which keeps every request; what is said over it is what the simulated model says. */
export async function startMockedServer(): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  const model = createSimulatedModel();
  let attempt = 0;
  mock.on({}, async (request) => {
    const asked = completionForm.read(JSON.parse(JSON.stringify(request)));
    if (typeof asked === 'string') throw new Error(asked);
    const question = modelQuestion(asked, {});
    attempt += 1;
    const { text } = await model.complete({ ...question, attempt }, new AbortController().signal);
    return { content: text };
  });
  return mock;
}
