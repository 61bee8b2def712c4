import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tellSession } from '../../flow/toldSessions.js';
import type { CommandPlace, PlacedEnd } from './commandPlace.js';

/** A command that is killed: what comes before it, its words, and how a person goes on after the kill. */
export interface Operation {
  readonly name: string;
  prepare(place: CommandPlace, model: string): Promise<void>;
  words(place: CommandPlace, model: string): readonly string[];
  /** Goes on to the end; resolves to what went wrong, or to nothing. */
  goOn(place: CommandPlace, model: string): Promise<string | undefined>;
}

const training = [
  '--preset',
  'quick',
  '--set',
  'edits.budget=1',
  '--set',
  'edits.minimum=1',
  '--set',
  'train.epochs=2',
  '--set',
  'concurrency=4',
];

function optimizeWords(place: CommandPlace, model: string, ...more: readonly string[]): readonly string[] {
  return ['optimize', place.skillPath, '--model', model, '--yes', ...training, ...more];
}

const optimize: Operation = {
  name: 'optimize',
  prepare: () => Promise.resolve(),
  words: optimizeWords,
  async goOn(place, model) {
    const { unfinished, pending } = await statusOf(place);
    if (unfinished > 0) return failureOf(await place.run(optimizeWords(place, model, '--resume')));
    return pending ? undefined : failureOf(await place.run(optimizeWords(place, model)));
  },
};

const night: Operation = {
  name: 'night',
  prepare: () => Promise.resolve(),
  words: nightWords,
  goOn: async (place, model) => failureOf(await place.run(nightWords(place, model))),
};

function nightWords(place: CommandPlace, model: string): readonly string[] {
  return ['night', place.skillPath, '--model', model, ...training];
}

/** Made again where the first came too soon; a refusal means that it was done. */
function simple(
  name: string,
  prepare: Operation['prepare'],
  words: (place: CommandPlace) => readonly string[],
): Operation {
  return {
    name,
    prepare,
    words,
    async goOn(place) {
      const end = await place.run(words(place));
      return end.code === 2 && /left to undo|no proposal/iu.test(end.err) ? undefined : failureOf(end);
    },
  };
}

const adopt = simple('adopt', propose, (place) => ['adopt', place.skillPath]);
const undo = simple('undo', adopted, (place) => ['undo', place.skillPath]);
const restore: Operation = simple(
  'restore',
  async (place, model) => {
    await adopted(place, model);
    const { out } = await wholly(place, ['history', place.skillPath, '--json']);
    const [version]: readonly { readonly id: string }[] = JSON.parse(out);
    writeFileSync(path.join(place.folder, 'version.txt'), version?.id ?? '');
    await wholly(place, ['undo', place.skillPath]);
  },
  (place) => ['history', place.skillPath, '--restore', readFileSync(path.join(place.folder, 'version.txt'), 'utf8')],
);

const rebase: Operation = {
  name: 'rebase',
  async prepare(place, model) {
    await propose(place, model);
    appendFileSync(place.skillPath, '\nBe brief, please.\n');
  },
  words: (place, model) => ['rebase', place.skillPath, '--model', model, ...training],
  async goOn(place, model) {
    const end = await place.run(rebase.words(place, model));
    return end.code === 2 && end.err.includes('nothing to rebase') ? undefined : failureOf(end);
  },
};

const importTasks: Operation = {
  name: 'tasks import',
  prepare(place) {
    const lines = Array.from({ length: 12 }, (_, at) => ({
      task_id: `imported-${at}`,
      task: `Write a note on subject number ${at} of the list, and sign it.`,
      judge: { kind: 'rule', checks: [{ op: 'contains', arg: 'note' }] },
    }));
    writeFileSync(path.join(place.folder, 'bench.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return Promise.resolve();
  },
  words: (place) => ['tasks', 'import', place.skillPath, 'bench.jsonl'],
  goOn: async (place, model) => failureOf(await place.run(importTasks.words(place, model))),
};

const parts = 'basket search payment invoice delivery voucher review stock'.split(' ');

const mine: Operation = {
  name: 'mine',
  async prepare(place) {
    for (const [at, part] of parts.entries())
      tellSession(place.home, place.folder, {
        id: `told-${part}`,
        at: Date.now() - at * 60_000,
        said: [`Describe the ${part} of the shop in ${at + 3} words for people who never bought anything.`],
        skill: 'words',
      });
    await wholly(place, ['harvest', '--allow', 'claude-code']);
  },
  words: (place, model) => ['mine', place.folder, '--model', model, '--yes', '--allow-sending'],
  async goOn(place, model) {
    const failure = failureOf(await place.run(mine.words(place, model)));
    if (failure !== undefined) return failure;
    const { out } = await wholly(place, ['tasks', 'list', place.skillPath, '--json']);
    const missing = parts.filter((part) => !out.includes(`Describe the ${part} of the shop`));
    return missing.length === 0 ? undefined : `no draft about ${missing.join(', ')}`;
  },
};

export const operations: readonly Operation[] = [optimize, night, adopt, undo, restore, rebase, importTasks, mine];

async function propose(place: CommandPlace, model: string): Promise<void> {
  await wholly(place, optimizeWords(place, model));
}

async function adopted(place: CommandPlace, model: string): Promise<void> {
  await propose(place, model);
  await wholly(place, ['adopt', place.skillPath]);
}

async function wholly(place: CommandPlace, words: readonly string[]): Promise<PlacedEnd> {
  const end = await place.run(words);
  assert.equal(end.code, 0, `${words[0]}: ${end.err}`);
  return end;
}

async function statusOf(place: CommandPlace): Promise<{ readonly unfinished: number; readonly pending: boolean }> {
  const { out } = await wholly(place, ['status', place.skillPath, '--json']);
  const [status]: readonly { readonly unfinished: readonly unknown[]; readonly pending: unknown }[] = JSON.parse(out);
  return { unfinished: status?.unfinished.length ?? 0, pending: (status?.pending ?? null) !== null };
}

function failureOf({ code, err, out }: PlacedEnd): string | undefined {
  return code === 0 ? undefined : `ended with ${code}: ${err}${out}`.slice(0, 600);
}
