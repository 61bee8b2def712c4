import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { SessionSource } from '../../../app/harvest/harvest.js';
import type { UseCases } from '../../../app/useCases.js';
import { UserError } from '../../../errors.js';
import { grouped, list } from '../../../wording/amounts.js';
import { filesThere, sessionsReadSentence, sourceNames } from '../../../wording/harvest/sessionWords.js';
import { english } from '../../../wording/translate.js';
import type { CliContext } from '../../commandLine.js';
import { isYes } from '../../consent.js';
import { oneLine } from '../../terminal.js';

/** Which past sessions a command reads. */
export interface SessionOptions {
  readonly source: readonly string[];
  readonly since: string;
  readonly allow: readonly string[];
  readonly forbid: readonly string[];
  readonly json?: boolean;
}

/** How far back is looked where nobody says otherwise. */
export const usualSince = '30d';

/** Options of every command that reads past sessions. */
export function withSessionOptions(command: Command): Command {
  return command
    .option(
      '--source <program>',
      'read the sessions of this program alone, such as claude-code (repeatable)',
      collect,
      [],
    )
    .option('--since <time>', 'leave out sessions that ended before, such as 36h, 7d or 2026-11-01', usualSince)
    .option('--allow <program>', 'let the sessions of this program be read; remembered (repeatable)', collect, [])
    .option('--forbid <program>', 'take that back (repeatable)', collect, [])
    .option('--json', 'print one JSON object instead of text');
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** The folder that a command is about. Throws where it is none, or a program is named that there is not, before anything else. */
export async function placeNamed(
  folder: string | undefined,
  { source, allow, forbid }: Pick<SessionOptions, 'source' | 'allow' | 'forbid'>,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<string> {
  const names = Object.keys(sourceNames);
  const unknown = [...source, ...allow, ...forbid].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const said = `There is no program “${unknown}” whose sessions can be read.`;
    throw new UserError('usage', said, `It is one of ${names.join(', ')}.`);
  }
  const place = path.resolve(cwd, folder ?? '.');
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) return place;
  const said = found === undefined ? `There is no folder ${place}.` : `${place} is no folder.`;
  throw new UserError('usage', said, 'Name the folder that you work in with your agents, or go there and name none.');
}

/** What of the files that were read was passed over; none where all of it was understood. */
export function passedOverLines(counts: HarvestResult['counts']): readonly string[] {
  const lines = Object.values(counts).reduce((sum, { notUnderstood }) => sum + notUnderstood, 0);
  if (lines === 0) return [];
  return [
    lines === 1
      ? '1 line of the files could not be understood and was passed over.'
      : `${grouped(lines)} lines of the files could not be understood and were passed over.`,
  ];
}

type HarvestResult = Awaited<ReturnType<UseCases['harvestSessions']>>;

/**
 * The sources as they may be read now. What a flag says is remembered first; then a person at the terminal is asked about
 * each that is there and not allowed yet. Without a person nobody is asked.
 */
export async function agreedSources(
  useCases: UseCases,
  { source: wanted, allow, forbid, json }: SessionOptions,
  { terminal, signal }: CliContext,
): Promise<readonly SessionSource[]> {
  for (const name of allow) await useCases.allowSessions(name, true, signal);
  for (const name of forbid) await useCases.allowSessions(name, false, signal);
  const sources = await useCases.sessionSources(signal);
  const asked = sources.filter(({ source, files, allowed }) => !allowed && files > 0 && isWanted(source, wanted));
  const { ask } = terminal;
  if (ask === undefined || json === true || asked.length === 0 || forbid.length > 0) return sources;
  terminal.err(`${sessionsReadSentence(english)}\n`);
  for (const each of asked) {
    const there = oneLine(`${sourceNames[each.source]} (${filesThere(each, english)})`);
    const question = `May Whetstone read the sessions of ${there}? (y/N) `;
    if (isYes(await ask(question, signal))) await useCases.allowSessions(each.source, true, signal);
  }
  return useCases.sessionSources(signal);
}

/** `Claude Code: 12 files in /home/user/.claude/projects`. */
export function sourceLine(source: SessionSource): string {
  return oneLine(`${sourceNames[source.source]}: ${filesThere(source, english)}`);
}

/** Which of them a command reads: those that are named, else all that are allowed. */
export function namedSources({ source }: Pick<SessionOptions, 'source'>): readonly string[] | undefined {
  return source.length === 0 ? undefined : source;
}

/** What `--max-sessions` says. */
export function numberOfSessions(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/u.test(text)) return Number(text);
  throw new UserError(
    'usage',
    `“${text}” is no number of sessions.`,
    'Give a whole number, such as --max-sessions 50.',
  );
}

/** Throws where nothing may be read: an empty list would look like an answer. */
export function refuseNone(command: string, sources: readonly SessionSource[]): void {
  if (sources.some(({ allowed }) => allowed)) return;
  const there = sources.filter(({ files }) => files > 0);
  const [first] = there;
  throw new UserError(
    'sessions-not-allowed',
    'You have allowed the sessions of no program to be read yet.',
    first === undefined
      ? 'No program that is known has left any here.'
      : `${namesOf(there)} left sessions here. Allow one, such as with “whetstone ${command} --allow ${first.source}”; “whetstone harvest --dry-run” says where they lie.`,
  );
}

/** The programs that left sessions and were not read, with what is typed to read them too; none where all were. */
export function notAllowedLines(
  command: string,
  sources: readonly SessionSource[],
  { source: wanted }: Pick<SessionOptions, 'source'>,
): readonly string[] {
  const left = sources.filter(({ source, files, allowed }) => files > 0 && !allowed && isWanted(source, wanted));
  if (left.length === 0) return [];
  const flags = left.map(({ source }) => `--allow ${source}`).join(' ');
  return [
    `Sessions of ${namesOf(left)} were not read, because you have not allowed it. To read them too:`,
    `  whetstone ${command} ${flags}`,
  ];
}

function isWanted(source: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.includes(source);
}

function namesOf(sources: readonly SessionSource[]): string {
  return list(
    sources.map(({ source }) => sourceNames[source]),
    english,
  );
}

/** Throws where a dry run, which remembers nothing, is told to allow or to forbid what is not so already. */
export function refuseToRemember(
  sources: readonly SessionSource[],
  { allow, forbid }: Pick<SessionOptions, 'allow' | 'forbid'>,
): void {
  const changed = [...changes(sources, allow, true), ...changes(sources, forbid, false)];
  if (changed.length === 0) return;
  throw new UserError(
    'usage',
    'A dry run remembers nothing, so it cannot allow or forbid anything.',
    `First “whetstone harvest ${changed.join(' ')}”, then the dry run without that; or leave out --dry-run.`,
  );
}

function changes(sources: readonly SessionSource[], names: readonly string[], may: boolean): readonly string[] {
  return sources
    .filter(({ source, allowed }) => allowed !== may && names.includes(source))
    .map(({ source }) => `${may ? '--allow' : '--forbid'} ${source}`);
}
