import * as z from 'zod';
import { agentKinds } from '../../models/agents/agentKinds.js';
import type { PreviewedRequest } from './previewRequests.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** The requests for reading: where to, what was taken out, and every message as whoever gets it reads it. */
export function previewText(requests: readonly PreviewedRequest[]): string {
  return requests.map((request) => [...headOf(request), ...readable(request.body)].join('\n')).join('\n');
}

/** The same with each body as the JSON that goes over the wire. */
export function previewJson(requests: readonly PreviewedRequest[]): string {
  return requests.map((request) => [...headOf(request), ...jsonBlock(request.body)].join('\n')).join('\n');
}

function headOf({ role, about, model, url, redacted }: PreviewedRequest): readonly string[] {
  const kinds = [...new Set(redacted)].join(', ');
  return [
    `# ${role}: ${about}`,
    '',
    url === undefined
      ? `${shownModel(model)}: nothing leaves this machine.`
      : `${shownModel(model)}: ${url.startsWith('http') ? 'POST' : 'handed to'} ${placeOf(url)}`,
    redacted.length === 0 ? 'Nothing in it looked secret.' : `Replaced by placeholders: ${redacted.length} (${kinds}).`,
    '',
  ];
}

/** An address, or the program as people know it. */
function placeOf(url: string): string {
  return agentKinds.find(({ id }) => url === `agent:${id}`)?.label ?? url;
}

const Body = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) });

/** Messages as text, then whatever else goes along; what has another form is shown as it is. */
function readable(body: unknown): readonly string[] {
  const read = Body.safeParse(body);
  if (!read.success) return jsonBlock(body);
  const { messages, ...rest } = read.data;
  const parts = messages.flatMap(({ role, content, ...others }) => [
    `## ${role}`,
    '',
    ...fenced(content, 'text'),
    ...(Object.keys(others).length === 0 ? [] : jsonBlock(others)),
  ]);
  return Object.keys(rest).length === 0 ? parts : [...parts, '## sent along', '', ...jsonBlock(rest)];
}

function jsonBlock(value: unknown): readonly string[] {
  return fenced(JSON.stringify(value, undefined, 2), 'json');
}

/** A fence that nothing in the text closes. */
function fenced(text: string, language: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, text, fence, ''];
}
