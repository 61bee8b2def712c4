// A stand-in for Claude Code at work in a folder, as a program of its own: the prompt holds, after “PLAN ”, one line of
// JSON with what it does. It asks the server of the plan once for each turn, tells what that took, and says that it is done.
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

const plan = JSON.parse(/PLAN (\{.*\})/u.exec(readFileSync(0, 'utf8'))?.[1] ?? '{}');
const { script = '', url, turns = 1, tokens = 1_000, waitMs = 0 } = plan;

void work();

async function work() {
  if (script !== '') spawnSync('/bin/sh', ['-c', script]);
  for (let turn = 1; turn <= turns; turn += 1) {
    if (url !== undefined) await (await fetch(`${url}?tokens=${tokens}`)).text();
    const usage = { input_tokens: tokens, output_tokens: 1 };
    const content = [{ type: 'text', text: turn === turns ? 'It is done.' : `Turn ${turn}.` }];
    tell({ type: 'assistant', message: { id: `msg_${turn}`, role: 'assistant', model: 'stand-in', content, usage } });
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  const usage = { input_tokens: tokens * turns, output_tokens: 8 * turns };
  tell({ type: 'result', subtype: 'success', is_error: false, num_turns: turns, result: 'It is done.', usage });
}

function tell(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}
