import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HarvestPerson } from '../../src/harvest/places.js';
import type { HarvestSource } from '../../src/harvest/session.js';

/** The stories that every source tells, with the end of their ids. */
const stories = { normal: '01', broken: '11', chinese: '12', 'other-project': '13', 'own-call': '14', secrets: '15' };
type Story = keyof typeof stories;
const storyNames = ['normal', 'broken', 'chinese', 'other-project', 'own-call', 'secrets'] as const;

/** When the first of them was written: the rest follow, a second each. */
export const written = Date.UTC(2026, 10, 15, 19);

/** A home folder with sessions of every agent, and the folders that they were had in. */
export interface PreparedHome {
  readonly home: string;
  readonly shop: string;
  readonly other: string;
  readonly person: HarvestPerson;
  /** Writes a file beneath the home, with a time. */
  put(file: string, text: string | Uint8Array, modified?: number): string;
  /** Content, size and times of everything beneath the home; not when a folder was last listed, which the system notes. */
  state(): Readonly<Record<string, string>>;
  dispose(): void;
}

const inMemory = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

export function aPreparedHome(fixtures = path.resolve('test/fixtures/harvest')): PreparedHome {
  const base = realpathSync(mkdtempSync(path.join(inMemory, 'whetstone-home-')));
  const home = path.join(base, 'home');
  const shop = path.join(base, 'shop');
  const other = path.join(base, 'other');
  for (const folder of [home, shop, other]) mkdirSync(folder);
  const put: PreparedHome['put'] = (file, text, modified = written) => {
    const whole = path.join(home, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    utimesSync(whole, modified / 1000 - 100_000, modified / 1000); // last looked at before: a look would be noted
    return whole;
  };
  const tell = (source: HarvestSource, story: Story): string =>
    readFileSync(path.join(fixtures, source, `${story}.jsonl`), 'utf8')
      .replaceAll('/home/user/shop', shop)
      .replaceAll('/home/user/other', other)
      .replaceAll(/(?<=0{8})01(?=")/gu, stories[story]);
  for (const [at, story] of storyNames.entries())
    for (const [source, place] of files(story)) put(place, tell(source, story), written + at * 1000);
  for (const [name, folder] of [
    ['shop', shop],
    ['other', other],
  ] as const) {
    put(`.gemini/tmp/${name}/.project_root`, `${folder}\n`);
    put(`.gemini/tmp/${name}/logs.json`, JSON.stringify(typed));
    for (const code of ['Code', 'Code - Insiders'])
      put(
        `.config/${code}/User/workspaceStorage/${name}/workspace.json`,
        JSON.stringify({ folder: `file://${folder}` }),
      );
    put(`.cursor/projects/${name}/.workspace-trusted`, JSON.stringify({ workspacePath: folder }));
  }
  return {
    home,
    shop,
    other,
    person: { platform: 'linux', home, environment: {} },
    put,
    state: () => stateOf(home),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** What was typed into Gemini. */
const typed = Object.values(stories).map((ending) => ({
  sessionId: `9e311000-0000-4000-8000-0000000000${ending}`,
  messageId: 0,
  type: 'user',
  message: 'typed',
}));

function files(story: Story): readonly (readonly [HarvestSource, string])[] {
  const folder = story === 'other-project' ? 'other' : 'shop';
  const code = story === 'chinese' ? 'Code - Insiders' : 'Code';
  const name = story === 'normal' ? 'a-file' : story;
  const codex = story === 'secrets' ? 'archived_sessions' : 'sessions/2026/11/15';
  return [
    ['claude-code', `.claude/projects/-home-user-${folder}/${name}.jsonl`],
    ['codex', `.codex/${codex}/rollout-2026-11-15T19-00-00-${name}.jsonl`],
    ['copilot-cli', `.copilot/session-state/${name}/events.jsonl`],
    ['gemini-cli', `.gemini/tmp/${folder}/chats/session-2026-11-15T19-00-${name}.jsonl`],
    ['vscode-chat', `.config/${code}/User/workspaceStorage/${folder}/chatSessions/${name}.jsonl`],
    ['cursor-agent', `.cursor/projects/${folder}/agent-transcripts/${name}/${name}.jsonl`],
    ['pi', `.pi/agent/sessions/--home-user-${folder}--/${name}.jsonl`],
  ];
}

export function stateOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(folder, name);
      const { size, mtimeMs, atimeMs, mode } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (!statSync(file).isFile()) return [name, [mode, mtimeMs].join(' ')];
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
      utimesSync(file, (atimeMs ?? 0) / 1000, (mtimeMs ?? 0) / 1000); // this look is not to be noted either
      return [name, [hash, size, mode, mtimeMs, atimeMs].join(' ')];
    }),
  );
}
