import os from 'node:os';
import { UserError } from '../../errors.js';
import type { AgentConsent, AgentPrograms } from '../../ports/agentPrograms.js';
import { FailedCall } from '../wrappers/failedCall.js';
import type { AgentKind, AgentLogin, AgentPerson, FoundLogin } from './agentKind.js';

/** What an agent program is found and asked through. */
export interface AgentSources {
  readonly programs: AgentPrograms;
  readonly consent: AgentConsent;
  readonly environment: AgentPerson['environment'];
  readonly now?: (() => number) | undefined;
}

export function agentPerson({ environment, programs }: Pick<AgentSources, 'environment' | 'programs'>): AgentPerson {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? os.homedir();
  return { environment, home, read: (file) => programs.readOwn(file) };
}

/** A call under way must not outlive its token by much. */
const leastMs = 60_000;

/** Whether an access token can still be used. */
export function isCurrent({ until }: FoundLogin, now: number): boolean {
  return until === undefined || until > now + leastMs;
}

/**
 * What is handed over for one call, found anew each time: the program renews its own login, and never here. Throws where
 * there is none, where it has run out, and where the person has not allowed that it is used.
 */
export async function currentLogin(
  kind: AgentKind,
  sources: AgentSources,
  signal: AbortSignal,
  model: string | undefined,
): Promise<AgentLogin> {
  const found = await kind.login(agentPerson(sources), model);
  if (found === undefined) throw noLogin(`${kind.label} is not logged in.`, kind.logIn);
  if (!isCurrent(found, sources.now?.() ?? Date.now()))
    throw noLogin(`The login of ${kind.label} has run out.`, renewal(kind));
  if (found.kept !== true || (await sources.consent.allows(kind.id, signal))) return found.handOver();
  const { message, cure } = notAllowed(kind);
  throw noLogin(message, cure);
}

/** Only the program itself may renew its login: what it is handed here cannot. */
export function renewal({ commands, logIn }: AgentKind): string {
  return `Start “${commands[0] ?? ''}” once, which renews it, or log in again: ${logIn}`;
}

function noLogin(what: string, cure: string): FailedCall {
  return new FailedCall('auth', what, { cure, charged: false, sent: false });
}

/** Why nobody can be asked at night: the login has not been allowed, and no key takes its place. */
export function personMissing(
  kind: AgentKind,
  { environment, consent }: Pick<AgentSources, 'environment' | 'consent'>,
): UserError | undefined {
  if (kind.waysIn.some((name) => (environment[name] ?? '') !== '')) return undefined;
  return consent.isAllowed(kind.id) === true ? undefined : notAllowed(kind);
}

function notAllowed({ label }: AgentKind): UserError {
  return new UserError(
    'model-failed',
    `You have not allowed Whetstone to use your login to ${label}.`,
    'Choose the model once more with “Whetstone: Choose Model” and allow it (--allow-login on the command line), or set an API key.',
  );
}

/** A variable that is set, with its value. */
export function variable(person: AgentPerson, ...names: readonly string[]): readonly [string, string] | undefined {
  for (const name of names) {
    const value = person.environment[name] ?? '';
    if (value !== '') return [name, value];
  }
  return undefined;
}

/** Those of the variables that are set. */
export function variables(person: AgentPerson, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => [variable(person, name) ?? []].filter((each) => each.length > 0)));
}
