import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a person said to Claude Code in one session. */
export interface ToldSession {
  readonly id: string;
  readonly at: number;
  /** The request first, then what was said of the answer. */
  readonly said: readonly string[];
  /** The skill that was loaded for it; of several messages each its own. */
  readonly skill: string | readonly string[];
  /** The last commit of the folder's repository as it began, which the program notes where there is one. */
  readonly commit?: string | undefined;
}

/** Writes a session of Claude Code into a home, as the program leaves it. */
export function tellSession(home: string, folder: string, { id, at, said, skill, commit }: ToldSession): void {
  const shared = { isSidechain: false, userType: 'external', entrypoint: 'cli', cwd: folder, sessionId: id };
  const time = (step: number): string => new Date(at + step * 60_000).toISOString();
  const status = `Current branch: main\n\nStatus:\n(clean)\n\nRecent commits:\n${commit?.slice(0, 8)} Begin`;
  const begun = {
    ...shared,
    type: 'attachment',
    attachment: { type: 'session_context', context: { gitStatus: status } },
  };
  const turns = said.flatMap((text, index) => [
    {
      ...shared,
      type: 'user',
      uuid: `${id}-${index}`,
      message: { role: 'user', content: text },
      origin: { kind: 'human' },
      promptSource: 'typed',
      timestamp: time(index),
    },
    {
      ...shared,
      type: 'assistant',
      message: {
        id: `s${index}`,
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: `t${index}`,
            name: 'Skill',
            input: { skill: typeof skill === 'string' ? skill : skill[index] },
          },
        ],
      },
      timestamp: time(index),
    },
    {
      ...shared,
      type: 'assistant',
      message: { id: `m${index}`, role: 'assistant', content: [{ type: 'text', text: 'Here it is.' }] },
      timestamp: time(index),
    },
  ]);
  const lines = [...(commit === undefined ? [] : [{ ...begun, timestamp: time(0) }]), ...turns];
  const file = path.join(home, '.claude/projects/-a-folder', `${id}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  utimesSync(file, at / 1000 - 100_000, at / 1000);
}
