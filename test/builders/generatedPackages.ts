/** A skill with everything beside it, by path from its folder. */
export interface GeneratedPackage {
  readonly name: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

const subjects = [
  'tide-tables',
  'harbour-notes',
  'rope-splicing',
  'lamp-logs',
  'crane-checks',
  'gull-counts',
  'cargo-lists',
  'weather-briefs',
  'buoy-reports',
  'ferry-times',
  'net-mending',
  'chart-symbols',
  'knot-cards',
  'signal-flags',
  'deck-rounds',
  'engine-diary',
  'pilot-letters',
  'berth-plans',
];

/**
 * Eighteen packages of the shapes that people publish: a skill alone, with references one and two folders deep, with
 * scripts, licences, pictures and templates; with every line break, with and without one at the end, with a byte order mark,
 * with tables, code and marked regions.
 */
export function generatedPackages(): readonly GeneratedPackage[] {
  return subjects.map((name, at) => ({ name, files: { ...skillOf(name, at), ...shapes[at % shapes.length]?.(name) } }));
}

const breaks = ['\n', '\r\n', '\n'] as const;

function skillOf(name: string, at: number): GeneratedPackage['files'] {
  const lines = [
    '---',
    `name: ${name}`,
    `description: Helps with ${name.replace('-', ' ')}. Use it where somebody asks for them.`,
    ...(at % 4 === 0 ? ['license: Terms in LICENSE.txt', 'allowed-tools: [Read, Bash]'] : []),
    '---',
    '',
    `# ${name}`,
    '',
    'Read what applies before you begin:',
    '',
    '- [The guide](references/guide.md) for how it is said',
    '- [Cases](references/deep/cases.md) for what is unusual',
    '',
    '## Steps',
    '',
    '1. Look at what is there.',
    '2. Write down what changed.',
    '',
    ...(at % 2 === 0 ? ['```sh', `python3 scripts/${name}.py --check`, '```', ''] : []),
    ...(at % 5 === 0 ? ['<!-- whetstone:keep -->', 'Call the harbour master.', '<!-- /whetstone:keep -->', ''] : []),
    '| Sign | Meaning |',
    '| --- | --- |',
    '| ! | look twice |',
  ];
  const text = lines.join(breaks[at % breaks.length]);
  const whole = at % 6 === 1 ? text : `${text}${breaks[at % breaks.length]}`;
  return { 'SKILL.md': at % 7 === 3 ? `\uFEFF${whole}` : whole };
}

type Shape = (name: string) => GeneratedPackage['files'];

const guide = (name: string, eol: string): string =>
  ['# Guide', '', `How ${name} are written.`, '', '- One fact a line.', '- Times are in UTC.', ''].join(eol);
const cases = [
  '# Cases',
  '',
  '## Fog',
  '',
  'Say how far one sees.',
  '',
  '```json',
  '{ "metres": 200 }',
  '```',
  '',
].join('\n');

const shapes: readonly Shape[] = [
  (name) => ({ 'references/guide.md': guide(name, '\n'), 'references/deep/cases.md': cases }),
  (name) => ({
    'references/guide.md': guide(name, '\r\n'),
    'references/deep/cases.md': cases.replaceAll('\n', '\r\n'),
    [`scripts/${name}.py`]: 'import sys\n\nprint(sys.argv)\n',
    'LICENSE.txt': 'Do with it what you like.\n',
  }),
  (name) => ({
    'REFERENCE.md': guide(name, '\n').trimEnd(),
    'references/guide.md': `\uFEFF${guide(name, '\n')}`,
    'assets/mark.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 10, 13]),
    'assets/form.md': '---\ntitle: A form\n---\n\nName:\nPlace:\n',
    'evals/answers.md': 'nobody may see this\n',
  }),
  (name) => ({
    'references/guide.md': `${guide(name, '\n')}\r\nOne line ends otherwise.\r\n`,
    'references/deep/cases.md': cases.repeat(40),
    'references/with a space/é.md': '# Ausnahmen\n\nÄhnliches steht bei den Gezeiten.\n',
    'examples/first/SKILL.md': '---\nname: inner\ndescription: An example.\n---\n\nAnother skill.\n',
    'scripts/run.sh': '#!/bin/sh\nset -eu\necho "$1"\n',
    'scripts/README.md': 'What the scripts are for.\n',
  }),
  () => ({}),
  (name) => ({
    'FORMS.markdown': '<!-- a note -->\n\n# Forms\n\n1) First\n2) Second\n',
    'references/guide.md': guide(name, '\n'),
    'references/empty.md': '',
    'references/latin.md': Uint8Array.from([0x23, 0x20, 0xe9, 0x0a]),
    'templates/page.html': '<p>\n</p>\n',
  }),
];
