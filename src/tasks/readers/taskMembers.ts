import { memberOf, type JsonNode } from '../json/jsonTree.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec } from '../task.js';

/** The members of an entry in `evals.json` for the fields that are given; undefined takes one away. */
export function evalMembers(fields: Partial<TaskSource>, existing: JsonNode | undefined): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>();
  if (fields.prompt !== undefined) members.set('prompt', fields.prompt);
  if ('expectedOutput' in fields) members.set('expected_output', fields.expectedOutput);
  if (fields.files !== undefined) members.set('files', unlessEmpty(fields.files));
  if (fields.expectations !== undefined) {
    const has = (name: string): boolean => existing !== undefined && memberOf(existing, name) !== undefined;
    // Both names mean the same; the one in use stays in use.
    const name = has('assertions') && !has('expectations') ? 'assertions' : 'expectations';
    members.set(name, unlessEmpty(fields.expectations));
    if (has('assertions') && name === 'expectations') members.set('assertions', undefined);
  }
  return existing === undefined ? new Map([...members].filter(([, value]) => value !== undefined)) : members;
}

/** The members of an entry in `whetstone.json` for the fields that are given; what is the default is not written. */
export function whetstoneMembers(fields: Partial<TaskSource>): ReadonlyMap<string, unknown> {
  const given: Readonly<Record<string, unknown>> = fields;
  const written: readonly (readonly [name: string, field: string, value: unknown])[] = [
    ['checks', 'checks', unlessEmpty(fields.checks?.map(checkMember))],
    ['references', 'references', unlessEmpty(fields.references)],
    ['context', 'context', fields.context],
    ['system', 'system', fields.system],
    ['tools', 'tools', unlessEmpty(fields.tools)],
    ['environment', 'environment', fields.environment],
    ['agent', 'agent', agentMember(fields.agent)],
    ['tags', 'tags', unlessEmpty(fields.tags)],
    ['split', 'assigned', fields.assigned],
    ['origin', 'origin', fields.origin],
    ['draft', 'draft', fields.draft === true ? true : undefined],
    ['enabled', 'enabled', fields.enabled === false ? false : undefined],
  ];
  return new Map(written.filter(([, field]) => field in given).map(([name, , value]) => [name, value]));
}

/** Without what is the default. */
function agentMember(agent: TaskSource['agent']): unknown {
  if (agent === undefined) return undefined;
  const { mode, ...rest } = agent;
  return { ...rest, ...(mode === 'forced' ? { mode } : {}) };
}

function checkMember({ check, hidden, arguments: options }: CheckSpec): unknown {
  return { check, ...options, ...(hidden ? { hidden } : {}) };
}

function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}
