// docs/options.md: everything that can be set outside VS Code's settings, on one page. Written by scripts/schemas.mjs, from
// the options as their schema has them and the servers that are known by name.
export function optionsPage(entries, presets) {
  const parts = [...new Set(entries.map(({ name }) => (name.includes('.') ? (name.split('.')[0] ?? '') : '')))];
  const tables = parts
    .filter((part) => part !== '')
    .map((part) => `### ${part}\n\n${tableOf(entries.filter(({ name }) => name.startsWith(`${part}.`)))}`);
  const others = `### Beside the parts\n\n${tableOf(entries.filter(({ name }) => !name.includes('.')))}`;
  return [beginning, ...tables, others, prompts, variablesPart(presets), ''].join('\n\n').replace(/\n+$/, '\n');
}

const beginning = `# Options

<!-- Written by node scripts/schemas.mjs from the schema that options are read by. A test compares. -->

Every option of a run, and every environment variable. The settings of VS Code are in [settings.md](settings.md), which also explains what belongs together.

## Where they stand

From the weakest to the strongest:

1. what is usual, as the tables say it
2. the preset: \`--preset\` on the command line, \`whetstone.preset\` in VS Code
3. what you set for all your windows (\`whetstone.gate.rule\`, \`whetstone.preferences\` and the like)
4. \`.whetstone/config.yaml\`: what it stands on (\`_base_\`), itself, and its part for the skill
5. the settings of the workspace
6. \`WHETSTONE_WORKERS\`
7. \`--set name=value\`, and what you choose for this run

\`\`\`yaml
_base_: ../team/options.yaml # or a list; the later one is stronger, and this file the strongest
train:
  epochs: 2
choice.measures: [score, skill-tokens] # by its whole name, the same as nested
skills:
  .claude/skills/code-review: # for one skill, by its path or that of its folder
    edits.budget: 2
\`\`\`

\`_base_\` is a path relative to the file that names it. It lies inside the workspace, also where a link leads, and leads back to itself nowhere; at most 32 files are read. What holds a workspace's word holds theirs: none of them loosens the gate or turns on \`edits.code\`, and preferences in them are shown to you before they are said.

VS Code completes, explains and checks the file. With an extension for YAML the schema does (\`schemas/config.schema.json\`). A name that there is not is told with the nearest one, wherever that stands.

## Options of a run`;

const prompts = `## Prompts

A file in \`.whetstone/prompts/\` takes the place of the prompt of that name once you have seen and allowed its text; **Customize Optimizer Prompts** lists them all, asks for whom yours counts, and copies one there. The strongest first:

| file | counts for |
|---|---|
| \`.whetstone/prompts/skills/<folder of the skill>/<name>.md\` | one skill |
| \`.whetstone/prompts/environments/<environment>/<name>.md\` | attempts and judgements of the tasks of one environment; what the optimizer is asked too, where all training tasks are in it |
| \`.whetstone/prompts/<name>.md\` | all skills of the workspace |

SkillOpt's names are understood with the texts that belong to them, which say what to do and hold no data: \`analyst_error\` (ours: \`reflectFailures\`), \`analyst_success\` (\`reflectSuccesses\`), \`merge_failure\`, \`merge_success\` and \`merge_final\` (\`merge\`, each for its own merges), \`ranking\` (\`rank\`). The data, our rules for edits and the form of the reply are put behind them.`;

function tableOf(entries) {
  const rows = entries.map(({ name, about, takes, usual, presets: otherwise, upstream }) => {
    const inPresets = otherwise.map(([preset, value]) => `; \`${preset}\`: \`${value}\``).join('');
    const theirs = upstream.length === 0 ? '' : ` SkillOpt: ${upstream.map((each) => `\`${each}\``).join(', ')}.`;
    const often = usual === undefined ? '–' : `\`${usual}\``;
    return `| \`${name}\` | ${cell(takes)} | ${often}${inPresets} | ${cell(about)}${theirs} |`;
  });
  return ['| option | takes | usually | what it is |', '|---|---|---|---|', ...rows].join('\n');
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}

const own = [
  ['WHETSTONE_MODEL', 'The model of every role where no `--model`, `--target`, `--optimizer` or `--judge` names one.'],
  ['WHETSTONE_API_KEY', 'The key for a model that is given by its address (`https://host/v1#model`).'],
  ['WHETSTONE_CAPS', 'Caps as in `--cap`, separated by commas: `run.usd=1,day.usd=5`.'],
  [
    'WHETSTONE_PRICES',
    'What models cost as in `--price`, separated by commas: `openai/x=1.25/10`, in USD for a million tokens, input and output.',
  ],
  [
    'WHETSTONE_WORKERS',
    'How many model calls go on at the same time, from 1 to 256, over what `concurrency` in a workspace says. In VS Code it counts where the window was started with it.',
  ],
  [
    'WHETSTONE_QUEUE',
    'The queue that attempts and judgements are made on where no `--queue` names one: `redis://localhost:6379`. See [scale.md](scale.md). It never comes from a workspace.',
  ],
  [
    'WHETSTONE_QUEUE_SECRET, WHETSTONE_QUEUE_SECRET_FILE',
    'The secret that both sides of a queue were given, or the file that holds it, where no `--secret-file` names one.',
  ],
  ['WHETSTONE_HOME', 'Where your own state lies: spend, consents, replies. See [storage.md](storage.md).'],
  [
    'WHETSTONE_KEYS',
    'Keys by address as JSON. Written for nights that the operating system starts; not meant to be set by hand.',
  ],
  [
    'WHETSTONE_PROGRAM',
    'Set for programs that an attempt starts, so that one that is left over is found and ended. Setting it does nothing.',
  ],
  [
    'WHETSTONE_SANDBOX',
    'Set for the helper process of the sandbox and what it starts, so that what is left over is found and ended. Setting it does nothing.',
  ],
  [
    'WHETSTONE_CODEX_BASE_URL',
    'Another server for Codex as a model, which has no variable of its own for that: the address before `/responses`. Needs `CODEX_API_KEY`.',
  ],
];

const others = [
  [
    'XDG_STATE_HOME, LOCALAPPDATA',
    'Where your own state lies on Linux and on Windows, where `WHETSTONE_HOME` does not say.',
  ],
  ['AZURE_OPENAI_API_VERSION, OPENAI_API_VERSION', 'The dated interface of Azure, where its address names none.'],
  ['OLLAMA_HOST', 'Where Ollama listens.'],
  [
    'ANTHROPIC_AUTH_TOKEN, CLAUDE_CODE_OAUTH_TOKEN, ANTHROPIC_BASE_URL, CODEX_API_KEY, COPILOT_GITHUB_TOKEN, COPILOT_PROVIDER_BASE_URL, GOOGLE_GEMINI_BASE_URL, OPENCODE_API_KEY, OPENCODE_CONFIG_CONTENT',
    'Keys and servers of agent programs, each handed over to its own program alone. See [agents.md](agents.md#what-is-handed-over).',
  ],
  [
    'HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_USE_ENV_PROXY, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE',
    'Proxies and certificates, as Node.js takes them on the command line; in VS Code its own settings count.',
  ],
  ['NO_COLOR', 'No colours on the command line.'],
];

function variablesPart(presets) {
  const keys = presets
    .filter(({ keyVariables, endpointVariables = [] }) => keyVariables.length + endpointVariables.length > 0)
    .map(({ label, id, keyVariables, endpointVariables = [] }) => {
      const address = endpointVariables.length === 0 ? '' : `; its address: ${coded(endpointVariables)}`;
      return `| ${coded(keyVariables)} | The key of ${label} (\`${id}/…\`)${address}. |`;
    });
  return [
    '## Environment variables',
    '',
    '| variable | what it is |',
    '|---|---|',
    ...rowsOf(own),
    ...keys,
    ...rowsOf(others),
    '',
    'A key that you stored with **Set API Key** is asked for before the environment. Addresses, keys and prices never come from a workspace.',
  ].join('\n');
}

function rowsOf(list) {
  return list.map(([names, about]) => `| ${coded(names.split(', '))} | ${cell(about)} |`);
}

function coded(names) {
  return names.map((name) => `\`${name}\``).join(', ');
}
