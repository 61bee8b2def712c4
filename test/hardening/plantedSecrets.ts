import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { TestWorkspace, WrittenTask } from '../builders/aWorkspace.js';
import { type ChatAnswer, type ChatServer, stream } from '../fakes/ChatServer.js';
import { type SampleSecret, sampleSecrets } from '../unit/redaction/secretCorpus.js';

/** The kinds of places that secrets are planted in: what a person writes, and what a model writes back. */
export const places = [
  'prompts',
  'expected outputs',
  'expectations',
  'arguments of checks',
  'contexts',
  'system texts',
  'results of tools',
  'fixture files',
  'the skill',
  'what the skill points to',
  'the memory file',
  'preferences',
  'answers of the target',
  'edits of the optimizer',
  'reasons of the judge',
] as const;
type Place = (typeof places)[number];

/** Secrets for each place, another one everywhere. */
export type Planted = Readonly<Record<Place, readonly SampleSecret[]>>;

/** So many secrets for each place, of kinds in turn. */
export function plantedSecrets(seed: number, each: number): Planted {
  const all = [sampleSecrets(seed), sampleSecrets(seed + 1_000), sampleSecrets(seed + 2_000)].flat();
  const step = Math.floor(all.length / (places.length * each));
  const chosen = all.filter((_, index) => index % step === 0).slice(0, places.length * each);
  const of = (place: Place): readonly SampleSecret[] =>
    chosen.filter((_, index) => index % places.length === places.indexOf(place));
  return {
    prompts: of('prompts'),
    'expected outputs': of('expected outputs'),
    expectations: of('expectations'),
    'arguments of checks': of('arguments of checks'),
    contexts: of('contexts'),
    'system texts': of('system texts'),
    'results of tools': of('results of tools'),
    'fixture files': of('fixture files'),
    'the skill': of('the skill'),
    'what the skill points to': of('what the skill points to'),
    'the memory file': of('the memory file'),
    preferences: of('preferences'),
    'answers of the target': of('answers of the target'),
    'edits of the optimizer': of('edits of the optimizer'),
    'reasons of the judge': of('reasons of the judge'),
  };
}

/** Plants them into the files of a workspace; every task gets some. */
export function plant({ folder, skillPath }: TestWorkspace, tasks: readonly WrittenTask[], planted: Planted): void {
  const skill = path.dirname(skillPath);
  const texts = (place: Place, index?: number): string =>
    planted[place]
      .filter((_, at) => index === undefined || at % tasks.length === index)
      .map(({ text }) => text)
      .join('\n\n');
  const evals = tasks.map(({ id, prompt }, index) => ({
    id,
    prompt: `${prompt}\n\n${texts('prompts', index)}`,
    expected_output: `Something with alpha. ${texts('expected outputs', index)}`,
    expectations: [`It names a letter. ${texts('expectations', index)}`],
    files: [`input-${index}.txt`],
  }));
  const entries = tasks.map(({ id, side }, index) => [
    id,
    {
      split: side,
      checks: [
        { check: 'contains', text: 'alpha' },
        { check: 'not_contains', text: texts('arguments of checks', index) || 'omega' },
      ],
      context: `Mind this. ${texts('contexts', index)}`,
      ...(index % 3 === 0 ? { system: `{skill}\n\nBe brief. ${texts('system texts')}` } : {}),
      ...(index % 3 === 1
        ? { tools: [{ name: 'look', description: 'Looks.', result: texts('results of tools') }] }
        : {}),
    },
  ]);
  write(path.join(skill, 'evals', 'evals.json'), JSON.stringify({ skill_name: 'words', evals }));
  const own = { format: 'whetstone.tasks', version: 1, tasks: Object.fromEntries(entries) };
  write(path.join(skill, 'evals', 'whetstone.json'), JSON.stringify(own));
  tasks.forEach((_, index) => write(path.join(skill, `input-${index}.txt`), texts('fixture files', index)));
  const body = `# Words\n\nAnswer in words. See [more](more.md).\n\n${texts('the skill')}`;
  write(skillPath, `---\nname: words\ndescription: Says words.\n---\n\n${body}\n`);
  write(path.join(skill, 'more.md'), `# More\n\n${texts('what the skill points to')}\n`);
  write(path.join(folder, 'CLAUDE.md'), `# Memory\n\n${texts('the memory file')}\n`);
}

/** What was planted, in one row. */
export function allOf(planted: Planted): readonly (SampleSecret & { readonly place: Place })[] {
  return places.flatMap((place) => planted[place].map((sample) => ({ ...sample, place })));
}

/** A server that repeats what it is told, names secrets of its own, and quotes every placeholder in its edits. */
export function talkingServer(server: ChatServer, planted: Planted): LanguageModel {
  server.answers((response, request) => {
    const told = JSON.stringify(request.body['messages']);
    const asked = JSON.stringify(request.body['response_format'] ?? '');
    const content = /judgement/.test(asked) ? judgement(planted) : replyTo(told, asked, planted);
    answering(content)(response, request);
  });
  const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
  return createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
}

function answering(content: string): ChatAnswer {
  return stream({ deltas: [{ content }] });
}

function judgement(planted: Planted): string {
  const reason = `Because of ${textOf(planted['reasons of the judge'])}`;
  return JSON.stringify({ results: [{ index: 0, pass: true, score: 1, reason }] });
}

function replyTo(told: string, asked: string, planted: Planted): string {
  if (!/reflection|merge|ranking/.test(asked)) {
    const word = told.includes('the first letter') ? 'alpha' : 'Nothing.';
    return `${word}\n\n${told}\n\n${textOf(planted['answers of the target'])}`;
  }
  const quoted = [...new Set(told.match(/REDACTED_[a-z0-9-]+_[0-9a-f]{12}/g) ?? [])].slice(0, 20);
  const own = planted['edits of the optimizer'];
  const edits = [
    {
      op: 'append',
      content: '- Name the first letter.',
      rationale: `No attempt did. ${quoted.join(' ')} ${textOf(own)}`,
    },
    ...quoted.map((each) => ({ op: 'append', content: `- Use ${each}.`, rationale: `They use ${each}.` })),
    ...own.map(({ text }) => ({ op: 'append', content: `- Use ${text}`, rationale: text })),
  ];
  const summary = [{ failure_type: textOf(own), count: 1, description: textOf(own) }];
  return JSON.stringify({ failure_summary: summary, edits, selected: [0], ranking: [0] });
}

function textOf(samples: readonly SampleSecret[]): string {
  return samples.map(({ text }) => text).join('\n\n');
}

function write(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
