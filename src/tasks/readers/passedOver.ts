import * as z from 'zod';
import type { TaskFinding } from '../inspectTask.js';
import { memberOf, valueOf, type JsonNode } from '../json/jsonTree.js';
import type { JoinedRow } from './joinTasks.js';
import { decisive } from './readWhetstone.js';
import { agentEntry, checkEntry } from './whetstoneFile.js';

/** What an entry of `evals.json` says that is read in `whetstone.json` alone. */
interface PassedOver {
  readonly findings: readonly TaskFinding[];
  /** Fields that were most likely meant for the other file: nothing is known of them. */
  readonly unread: readonly string[];
}

/**
 * `evals.json` is a public format: other tools may have fields of any name there, and those of ours are not read. They are
 * named with the place that they belong to. Where the value is clearly ours and would decide how the task is attempted or
 * judged, the task is kept out: as it stands there it would be another one.
 */
export function passedOver({ row, whetstone }: JoinedRow): PassedOver {
  const { node } = row;
  if (node.kind !== 'object') return { findings: [], unread: [] };
  const own = node.members.map(({ key }) => key).filter((key) => decisive.has(key) || key === 'split');
  const isSaid = (key: string): boolean => whetstone !== undefined && Object.hasOwn(whetstone.entry, key);
  const [said, lost] = [own.filter(isSaid), own.filter((key) => !isSaid(key))];
  const meant = lost.filter((key) => isOurs(key, valueIn(node, key)));
  const place = { file: 'evals', code: 'unknown-field', isName: true } as const;
  const file = row.file.path.split(/[\\/]/u).at(-1) ?? '';
  return {
    findings: [
      ...named(lost).map(({ first, names }) => ({
        ...place,
        path: [meant[0] ?? first],
        severity: meant.length > 0 ? ('error' as const) : ('warning' as const),
        message: `Nothing reads ${names} of the task “${row.id}” in ${file}. That belongs into evals/whetstone.json, under “tasks” and “${row.id}”.`,
      })),
      ...named(said).map(({ first, names }) => ({
        ...place,
        path: [first],
        severity: 'warning' as const,
        message: `Nothing reads ${names} of the task “${row.id}” in ${file}: what evals/whetstone.json says counts.`,
      })),
    ],
    unread: meant,
  };
}

/** All of them in one finding: who put one into the wrong file put all of them there. */
function named(keys: readonly string[]): readonly { readonly first: string; readonly names: string }[] {
  const [first] = keys;
  return first === undefined ? [] : [{ first, names: keys.map((key) => `“${key}”`).join(', ') }];
}

/** Values that no other tool means by these names. */
const oursAlone = new Map<string, z.ZodType>([
  ['agent', agentEntry],
  ['environment', z.enum(['agent', 'chat', 'tools'])],
  ['checks', z.array(checkEntry).min(1)],
]);

function valueIn(node: JsonNode, key: string): unknown {
  const member = memberOf(node, key);
  return member === undefined ? undefined : valueOf(member.value);
}

function isOurs(key: string, value: unknown): boolean {
  return oursAlone.get(key)?.safeParse(value).success === true;
}
