import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { allPrompts } from '../../src/prompts/allPrompts.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

/** What is said in the prompts of one environment, and where else it must not be said. */
describe('the prompts of one environment', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((workspace) => workspace.dispose()));

  for (const [environment, isUsed] of [
    ['chat', true],
    ['tools', false],
  ] as const) {
    it(`are ${isUsed ? '' : 'not '}used for merges and judgements of tasks in chat where they are those of ${environment}`, async () => {
      const workspace = aWorkspace({ tasks });
      workspaces.push(workspace);
      const folder = path.join(workspace.folder, '.whetstone/prompts/environments', environment);
      mkdirSync(folder, { recursive: true });
      for (const name of ['merge', 'judge']) writeFileSync(path.join(folder, `${name}.md`), withMark(name));
      const { model, asked } = listened();
      await workspace.useCases(inEveryRole(model), { allowsPrompt: () => Promise.resolve(true) }).optimize(
        {
          skillPath: workspace.skillPath,
          workspaceFolders: [workspace.folder],
          preset: 'quick',
          settings: [{ reflect: { minibatchSize: 1 }, gate: { rule: 'strict', attribution: false } }],
          purpose: 'optimize',
          trusted: true,
        },
        () => undefined,
        new AbortController().signal,
      );
      for (const [schema, name] of [
        ['merge', 'merge'],
        ['judgement', 'judge'],
      ] as const) {
        const prompts = asked.filter((each) => each.schema === schema);
        assert.ok(prompts.length > 0, `${schema} was asked for`);
        assert.ok(
          prompts.every(({ text }) => text.includes(`The mark of ${name}.`) === isUsed),
          prompts[0]?.text,
        );
      }
    });
  }
});

const rubric = { check: 'rubric', rubric: 'The answer contains “gamma”.' };
const tasks = writtenTasks({ training: 4, heldOut: 5, sealed: 0 }, []).map((task, index) => ({
  ...task,
  checks: [{ check: 'contains', text: index % 2 === 0 ? 'alpha' : 'beta' }, rubric],
}));

function withMark(name: string): string {
  const shipped = allPrompts.find(({ template }) => template.name === name)?.template.text ?? '';
  return `The mark of ${name}.\n\n${shipped}`;
}

/** The simulated model, and all that was asked with a form for the reply. */
function listened(): { readonly model: LanguageModel; readonly asked: { schema: string; text: string }[] } {
  const model = createSimulatedModel();
  const asked: { schema: string; text: string }[] = [];
  return {
    asked,
    model: {
      identity: model.identity,
      complete: (request, signal) => {
        const text = request.messages.map(({ content }) => content).join('\n');
        asked.push({ schema: request.replySchema?.name ?? '', text });
        return model.complete(request, signal);
      },
    },
  };
}
