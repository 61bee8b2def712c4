import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';
import { OllamaServer } from '../fakes/OllamaServer.js';

const skill = '.claude/skills/incident-summary';

/** The demo skill made longer than the context that Ollama has by itself. */
function aLongSkill(host: string): CommandLine {
  const cli = aCommandLine({ copy: path.resolve('media/demo'), environment: { OLLAMA_HOST: host } });
  const lines = Array.from({ length: 420 }, (_, at) => `- Case ${at}: say what the person on call should know.`);
  appendFileSync(path.join(cli.folder, skill, 'SKILL.md'), `\n# Cases\n\n${lines.join('\n')}\n`);
  return cli;
}

/** Trains it with this target. */
function optimize(cli: CommandLine, target: string, ...more: readonly string[]): ReturnType<CommandLine['run']> {
  return cli.run(
    'optimize',
    path.join(cli.folder, skill),
    '--model',
    'simulated',
    '--target',
    target,
    '--yes',
    ...more,
  );
}

describe('a prompt that is longer than the context of its server', () => {
  let server: OllamaServer;
  const lines: CommandLine[] = [];
  before(async () => void (server = await OllamaServer.start()));
  after(async () => {
    lines.forEach((line) => line.dispose());
    await server.stop();
  });
  const longSkill = (): CommandLine => {
    const cli = aLongSkill(server.host);
    lines.push(cli);
    return cli;
  };

  it('is told before the run, ends it after two, and is never a score', async () => {
    const cli = longSkill();
    const file = path.join(cli.folder, skill, 'SKILL.md');
    const before = readFileSync(file);
    const { code, out, err } = await optimize(cli, `ollama/${OllamaServer.model}`, '--preset', 'quick');
    const said = (out + err).replaceAll(/\s+/g, ' ');
    assert.match(said, /is not loaded yet; usually it is served with a context of 4,096 tokens/);
    assert.match(said, /As target it is asked up to about [67],\d{3} here/);
    assert.match(said, /OLLAMA_CONTEXT_LENGTH=16384/);
    assert.match(said, /read 4096 tokens of a prompt of about [67]\d{3}: it cut the rest without a word/);
    assert.match(said, /This was the second one, so the run ends here/);
    assert.match(
      said,
      /Then “whetstone optimize \S+ --resume --model simulated --target \S+” goes on: what was answered/,
    );
    assert.match(
      said,
      /Or begin a new run: “whetstone optimize \S+ --preset quick --model simulated --target "ollama\/\S+\?num_ctx=16384"”, which asks/,
    );
    assert.equal(code, 1, said);
    assert.ok(server.cut >= 2, 'it cut none');
    assert.doesNotMatch(said, /improved|Not shown/);
    assert.deepEqual(readFileSync(file), before);
  });

  it('is among what keeps a run from working, which a window says first', async () => {
    const { out } = await optimize(longSkill(), `ollama/${OllamaServer.model}`, '--dry-run', '--json');
    const { cannotWork, notes } = JSON.parse(out);
    assert.match(cannotWork[0], /As target it is asked up to about [67],\d{3} here/);
    assert.ok(notes.includes(cannotWork[0]));
  });

  it('is looked at no further by a run that cannot go on with the longer context that is named', async () => {
    const cli = longSkill();
    await optimize(cli, `ollama/${OllamaServer.model}`);
    for (const words of [['--dry-run'], []]) {
      const longer = `ollama/${OllamaServer.model}?num_ctx=16384`;
      const { code, out, err } = await optimize(cli, longer, '--resume', ...words);
      assert.equal(code, 2, out + err);
      assert.match(err, /cannot go on: its target model was \S+, not \S+\?num_ctx=16384/);
      assert.doesNotMatch(out, /this is what a run would take/);
    }
  });

  inFull('is read whole where the person asks Ollama for more', async () => {
    const cli = longSkill();
    const cutBefore = server.cut;
    const { code, out, err } = await optimize(cli, `ollama/${OllamaServer.model}?num_ctx=16384`);
    assert.equal(code, 0, out + err);
    assert.equal(server.cut, cutBefore);
    assert.ok(server.paths.includes('/api/chat'), 'its own interface was not asked');
    assert.match(out, /improved from \d+ % to \d+ %/);
  });
});
