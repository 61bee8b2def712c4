import assert from 'node:assert/strict';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';
import { ChatServer } from '../../fakes/ChatServer.js';

const skill = '.agents/skills/price-change';

/** A chat model cannot work on files: who says so has not asked it, nor the person, for anything. */
describe('tasks that an agent works on, and a chat model as the target', () => {
  const opened: CommandLine[] = [];
  let server: ChatServer;
  before(async () => {
    server = await ChatServer.start();
  });
  after(async () => {
    opened.forEach((each) => each.dispose());
    await server.stop();
  });

  const refused =
    /14 tasks are attempted by an agent program, and the target (\S+) is none: (?:[\w-]+, ){5}…\. Give one, such as with --target claude-code \(codex, copilot-cli, gemini-cli, opencode do it too\), or --target simulated to try it.*“whetstone tasks disable \S+SKILL\.md(?: [\w-]+){14}”\./;
  const commands = [
    ['optimize'],
    ['optimize', '--dry-run'],
    ['evaluate'],
    ['evaluate', '--yes'],
    ['check'],
    ['gather'],
    ['night'],
  ];
  for (const [name = '', ...more] of commands) {
    it(`${[name, ...more].join(' ')} refuses it without a key, a connection or a question`, async () => {
      const line = demo();
      const keyless = await line.run(name, path.join(line.folder, skill), ...more, '--model', 'openai/gpt-5-mini');
      assert.match(keyless.err, refused);
      assert.equal(refused.exec(keyless.err)?.[1], 'openai/gpt-5-mini');
      assert.notEqual(keyless.code, 0);
      const { err, out } = await line.run(
        name,
        path.join(line.folder, skill),
        ...more,
        '--model',
        `${server.baseUrl}#m`,
      );
      assert.match(err, refused);
      assert.doesNotMatch(`${err}${out}`, /\?/u, 'nothing is asked');
      assert.equal(server.requests.length, 0);
    });
  }

  it('is one that is answered by hand too, and a name that is no model is told as that', async () => {
    const line = demo();
    const evaluate = (model: string) => line.run('evaluate', path.join(line.folder, skill), '--model', model);
    assert.match((await evaluate('handoff')).err, /the target handoff is none: /);
    assert.match((await evaluate('opnai/x')).err, /names no model/);
  });

  function demo(): CommandLine {
    // Whoever asked would get an answer that fits no question.
    const environment = { OPENAI_API_KEY: '' };
    const line = aCommandLine({ copy: path.resolve('media/demo'), answers: ['?'], environment });
    opened.push(line);
    return line;
  }
});
