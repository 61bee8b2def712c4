// What every stand-in for an agent program does: it reads what to do from `behaviour.json` beside the link that it was
// started by, notes how it was started in `starts.jsonl`, reads its input to the end, and speaks in the events of the
// program that it stands for.
const { appendFileSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** `voice` says each thing in the program's own events: answer, failed, half, and what it says before a model is asked. */
exports.standIn = function standIn(version, voice) {
  const folder = path.dirname(process.argv[1]);
  const words = process.argv.slice(2);
  if (words.includes('--version')) return say(version);
  const behaviour = JSON.parse(readFileSync(path.join(folder, 'behaviour.json'), 'utf8'));
  const input = readFileSync(0, 'utf8');
  const start = {
    pid: process.pid,
    words,
    input,
    environment: process.env,
    folder: process.cwd(),
    files: filesOf(process.env.HOME),
  };
  appendFileSync(path.join(folder, 'starts.jsonl'), `${JSON.stringify(start)}\n`);
  if (behaviour.kind === 'bad-flag') return voice.badFlag();
  voice.begin?.();
  setTimeout(() => behave(behaviour, voice, { input, words }), behaviour.ms ?? 0);
};

/** What lies in its home, by name. */
function filesOf(home) {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(home, file), readFileSync(file, 'utf8')]),
  );
}

function behave(behaviour, voice, asked) {
  switch (behaviour.kind) {
    case 'answer':
      return voice.answer(behaviour.text, behaviour.told);
    case 'late':
      return voice.answer('Late.');
    case 'cut':
      return voice.answer(`${behaviour.text} time there was a whetstone and it was sharp. `.repeat(40));
    case 'echo':
      return voice.answer(asked.input.match(/word-\d+/gu)?.at(-1) ?? 'nothing');
    case 'relay': // Asks a server that speaks Anthropic's form, until a login runs out.
      return relay(behaviour, voice, asked);
    case 'empty':
      return voice.answer('');
    case 'status':
      return voice.failed(behaviour.status, behaviour.message ?? `the fake server says ${behaviour.status}`);
    case 'not-logged-in':
      return voice.notLoggedIn();
    case 'drop':
      return voice.dropped();
    case 'half': // The text of an answer, then a death.
      voice.half('Half an answer that is none.');
      return process.exit(1);
    case 'silent-success': // An exit code alone proves nothing.
      return process.exit(0);
    case 'deaf': // Nothing that can be ignored ends it, nor what it starts.
      for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(name, () => undefined);
      return setInterval(() => undefined, 1000);
    case 'hang':
      return setInterval(() => undefined, 1000);
    case 'flood':
      for (;;)
        if (!process.stdout.write(`${'x'.repeat(65_536)}\n`))
          return process.stdout.once('drain', () => behave(behaviour, voice, asked));
    case 'tool': // Asks for one, says something afterwards, and would go on asking.
      voice.tool();
      voice.answer('After the tool.');
      return setInterval(() => voice.tool(), 1000);
    case 'limit': // The model's own limit cuts the answer.
      return voice.limit('Part one.');
    case 'leaves-child': {
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' });
      child.unref();
      return voice.answer(String(child.pid));
    }
  }
}

async function relay({ url, starts }, voice, { input, words }) {
  const noted = readFileSync(path.join(path.dirname(process.argv[1]), 'starts.jsonl'), 'utf8')
    .trim()
    .split('\n');
  if (starts !== undefined && noted.length > starts) return voice.failed(401, 'OAuth token has expired');
  const system = readFileSync(words[words.indexOf('--system-prompt-file') + 1], 'utf8');
  const body = { model: 'simulated-1', max_tokens: 8192, system, messages: [{ role: 'user', content: input }] };
  const reply = await fetch(`${url}/messages`, { method: 'POST', body: JSON.stringify(body) });
  const { content } = await reply.json();
  voice.answer(content.map(({ text }) => text ?? '').join(''));
}

/** Lines of events, or of words. */
const say = (exports.say = (...lines) => {
  for (const line of lines) process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
});
