import * as z from 'zod';
import { UserError } from '../../errors.js';
import { textWithin } from '../openai/boundedBody.js';
import type { AzureLogin } from '../openai/endpoint.js';
import { runAzureCli, type AzureCommand } from './azureCommand.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a login is asked through. */
export interface LoginParts extends AzureCommand {
  readonly fetch: typeof globalThis.fetch;
  /** The token of the editor's Microsoft account for this scope; undefined outside of an editor. */
  readonly account?: ((scope: string) => Promise<string | undefined>) | undefined;
}

interface Token {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const audience = 'https://cognitiveservices.azure.com';
/** Taken for a new one before it runs out: a call under way must not outlive it. */
const renewMs = 5 * 60_000;
const longestMs = 30_000;
const longestReply = 1024 * 1024;

const known = new WeakMap<Environment, Map<AzureLogin, Promise<Token>>>();

/** A token for Azure's models; the same one until it is about to run out. */
export async function azureToken(login: AzureLogin, parts: LoginParts, now = Date.now()): Promise<string> {
  const tokens = known.get(parts.environment) ?? new Map<AzureLogin, Promise<Token>>();
  known.set(parts.environment, tokens);
  const last = tokens.get(login);
  const kept = await last?.catch(() => undefined);
  if (kept !== undefined && kept.expiresAt - renewMs > now) return kept.value;
  if (tokens.get(login) !== last) return azureToken(login, parts, now); // another call asks for one already
  const asked = sources[login](parts, now);
  tokens.set(login, asked);
  return (await asked).value;
}

/** Signs every request with a token that is valid then, in the place of a key. */
export function signedIn(fetch: typeof globalThis.fetch, token: () => Promise<string>): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('api-key');
    headers.set('Authorization', ['Bearer', await token()].join(' '));
    return fetch(input, { ...init, headers });
  };
}

/**
 * Whether a token may be sent there: to Azure's own hosts, to this machine, and where the environment of the person says
 * that their models are. A token opens every resource of the account, so a stranger's address never gets one.
 */
export function mayGetToken(address: string, environment: Environment): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return false;
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:') return url.protocol === 'http:' && isLocal;
  const named = [environment['AZURE_OPENAI_ENDPOINT'], environment['AZURE_ENDPOINT']];
  return isLocal || hosts.test(url.hostname) || named.some((each) => originOf(each) === url.origin);
}

const hosts = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/;

function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

const sources: Readonly<Record<AzureLogin, (parts: LoginParts, now: number) => Promise<Token>>> = {
  azure_cli: byCommandLine,
  managed_identity: byIdentity,
  vscode: byAccount,
};

const CliToken = z.looseObject({
  accessToken: z.string().min(1),
  /** Seconds since 1970; older programs give the local time alone. */
  expires_on: z.number().optional(),
  expiresOn: z.string().optional(),
});

/** `az account get-access-token`, which answers for whoever ran `az login`. */
async function byCommandLine(parts: LoginParts, now: number): Promise<Token> {
  const words = ['account', 'get-access-token', '--resource', audience, '--output', 'json'];
  const stdout = await runAzureCli(words, parts).catch(noCommandLine);
  const { accessToken, expires_on: seconds, expiresOn } = readToken(CliToken, stdout, 'The Azure CLI');
  const expiresAt = seconds === undefined ? Date.parse(expiresOn ?? '') : seconds * 1000;
  return { value: accessToken, expiresAt: Number.isFinite(expiresAt) ? expiresAt : now };
}

function noCommandLine(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 127);
  const said = error instanceof Error && 'stderr' in error ? firstLine(String(error.stderr)) : '';
  throw new UserError(
    'model-key-missing',
    isMissing
      ? 'The Azure CLI (az) was not found.'
      : `The Azure CLI gave no token${said === '' ? '' : `: ${said}`}.`.replace(/\.{2,}$/, '.'),
    isMissing ? 'Install it, run “az login”, then try again; or set an API key.' : 'Run “az login”, then try again.',
    { cause: error },
  );
}

const IdentityToken = z.looseObject({
  access_token: z.string().min(1),
  expires_on: z.union([z.number(), z.string()]).optional(),
});

/** The address on the machine itself at which Azure tells it who it is. */
async function byIdentity({ environment, fetch }: LoginParts, now: number): Promise<Token> {
  const { address, headers } = identityAddress(environment);
  const signal = AbortSignal.timeout(longestMs);
  const response = await fetch(address, { headers, redirect: 'error', signal }).catch(noIdentity);
  const text = await textWithin(response.body ?? [], longestReply);
  if (!response.ok) throw noIdentity(new Error(`${response.status} ${firstLine(text)}`));
  const { access_token: value, expires_on: seconds } = readToken(IdentityToken, text, 'The managed identity');
  const expiresAt = Number(seconds ?? NaN) * 1000;
  return { value, expiresAt: Number.isFinite(expiresAt) ? expiresAt : now };
}

function identityAddress(environment: Environment): {
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
} {
  const { IDENTITY_ENDPOINT: service, IDENTITY_HEADER: secret, AZURE_CLIENT_ID: client } = environment;
  const host = environment['AZURE_POD_IDENTITY_AUTHORITY_HOST'] ?? 'http://169.254.169.254';
  const isService = service !== undefined && secret !== undefined;
  const address = new URL(isService ? service : `${host.replace(/\/+$/, '')}/metadata/identity/oauth2/token`);
  address.searchParams.set('api-version', isService ? '2019-08-01' : '2018-02-01');
  address.searchParams.set('resource', audience);
  if (client !== undefined && client !== '') address.searchParams.set('client_id', client);
  return { address, headers: isService ? { 'X-IDENTITY-HEADER': secret } : { Metadata: 'true' } };
}

function noIdentity(error: unknown): never {
  const said = error instanceof Error ? firstLine(error.message) : '';
  throw new UserError(
    'model-key-missing',
    `This machine has no managed identity that gives a token (${said}).`,
    'Turn the identity on for the machine, set AZURE_CLIENT_ID where it has several, or log in another way.',
    { cause: error },
  );
}

/** An editor renews its tokens itself: it is asked again for each use of more than a few minutes. */
async function byAccount({ account }: LoginParts, now: number): Promise<Token> {
  const value = await account?.(`${audience}/.default`);
  if (value !== undefined && value !== '') return { value, expiresAt: now + 2 * renewMs };
  throw new UserError(
    'model-key-missing',
    account === undefined
      ? 'The Microsoft account of VS Code is known in its windows alone.'
      : 'Nobody is signed in to a Microsoft account in VS Code.',
    account === undefined
      ? 'Here, log in with “az login” and write login=azure_cli.'
      : 'Sign in when VS Code asks, or write login=azure_cli.',
  );
}

function readToken<Given>(form: z.ZodType<Given>, text: string, who: string): Given {
  const token = form.safeParse(parsed(text));
  if (token.success) return token.data;
  throw new UserError('model-key-missing', `${who} gave no token that can be read.`, 'Log in again, then try again.');
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 300);
}
