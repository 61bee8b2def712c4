import { createChatEnvironment } from '../../../src/environments/chat.js';
import { createProgramEnvironment } from '../../../src/environments/program.js';
import { createRegisteredEnvironment } from '../../../src/environments/registered.js';
import { createToolsEnvironment } from '../../../src/environments/tools.js';
import { ModelError } from '../../../src/errors.js';
import { targetServers } from '../../../src/wire/serveTarget.js';
import { moduleProgram } from '../../../src/storage/programs/moduleProgram.js';
import type { AttemptRequest } from '../../../src/ports/environment.js';
import { MemoryFiles } from '../../fakes/MemoryFiles.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';
import { MemoryContents } from '../../fakes/MemoryContents.js';
import { ScriptedPrograms } from '../../fakes/ScriptedPrograms.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { environmentContract, type EnvironmentUnderTest } from './environmentContract.js';

const sources = { files: new MemoryFiles({}), folder: '/skill', prompts: new Map(), references: new Map() };

for (const [name, create] of [
  ['chat', createChatEnvironment],
  ['tools', createToolsEnvironment],
] as const) {
  environmentContract(name, async (world) => {
    const model = new ScriptedModel().when(
      () => true,
      world === 'works' ? 'hello' : new ModelError('unavailable', 'The server cannot be reached.'),
    );
    return { environment: create(model, sources), ...seenBy(model) };
  });
}

environmentContract('sums', async (world) => {
  const lines: AttemptLine[] = [];
  const programs = new ScriptedPrograms(({ input }) => {
    const line: AttemptLine = JSON.parse(input);
    lines.push(line);
    if (world === 'broken') return { kind: 'not-started', reason: 'there is no python3 on this machine' };
    const output = JSON.stringify({ id: line.task.id, hard: 1, soft: 1, predicted_answer: 'hello' });
    return { kind: 'exited', code: 0, output: `${output}\n`, errorOutput: '' };
  });
  const declared = { command: 'python3', arguments: ['sums.py'], folder: 'evals/env', timeLimitSeconds: 5 };
  const consent = { allows: () => Promise.resolve(true) };
  return {
    environment: createProgramEnvironment('sums', declared, {
      programs,
      consent,
      folder: '/skill',
      contents: new MemoryContents({}),
      moduleStart: moduleProgram,
      target: new ScriptedModel(),
      servers: targetServers,
    }),
    samples: () => lines.map(({ attempt, sample }) => `${sample} ${attempt}`),
    skills: () => lines.map(({ skill }) => skill ?? undefined),
  };
});

interface AttemptLine {
  readonly task: { readonly id: string };
  readonly attempt: number;
  readonly sample: string;
  readonly skill: string | null;
}

environmentContract('browser', async (world) => {
  const requests: AttemptRequest[] = [];
  const environment = createRegisteredEnvironment({
    name: 'browser',
    rollout: async (request) => {
      requests.push(request);
      if (world === 'broken') throw new Error('there is no browser');
      return anAnswer('hello');
    },
  });
  return {
    environment,
    samples: () => requests.map(({ attempt, family }) => `${family} ${attempt}`),
    skills: () => requests.map(({ skill }) => skill),
  };
});

function seenBy(model: ScriptedModel): Omit<EnvironmentUnderTest, 'environment'> {
  return {
    samples: () => model.requests.map(({ attempt, dependsOn }) => `${dependsOn?.join(' ')} ${attempt}`),
    skills: () => model.requests.map((request) => /Say hello/.exec(request.messages[0]?.content ?? '')?.[0]),
  };
}
