import type { ModelIdentity } from '../../ports/languageModel.js';
import { isOnThisMachine } from '../prices.js';
import { usualLimits, type PatienceLimits } from '../patience.js';

/** How a person is known to Azure without a key: by `az login`, as the machine itself, or by the editor's account. */
export const azureLogins = ['azure_cli', 'managed_identity', 'vscode'] as const;
export type AzureLogin = (typeof azureLogins)[number];

/** Where a model is asked, and how. Never comes from a workspace: a stranger's file must not choose who gets the key. */
export interface Endpoint {
  /** Id of a preset, or `custom`. */
  readonly provider: string;
  /** For Azure the resource (`https://….openai.azure.com`), for all others the address that `/chat/completions` follows. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Azure's dated interface; without it Azure is asked at `/openai/v1`. */
  readonly apiVersion?: string | undefined;
  /** How the person is known to Azure without a key; the key is a token then. */
  readonly login?: AzureLogin | undefined;
  /** Options that only this server knows, such as how long to think. Part of every cache key. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  readonly timeouts?: Partial<PatienceLimits> | undefined;
}

export function timeoutsOf({ timeouts }: Endpoint): PatienceLimits {
  return { ...usualLimits, ...timeouts };
}

/** Who answers, without anything secret: no login, no query. What a server calls its model is no proof of what it is. */
export function identityOf({ provider, baseUrl, model, extraBody }: Endpoint): ModelIdentity {
  const options = Object.entries(extraBody ?? {}).map(([name, value]) => `${name}=${written(value)}`);
  return {
    provider,
    endpoint: publicUrl(baseUrl),
    model,
    simulated: false,
    ...(options.length === 0 ? {} : { options: options.sort().join('&') }),
  };
}

/** Whether this may be our own server for tests, which is told what others need not know. It is no less asked about. */
export function mayBeServeSimulated({ baseUrl, model }: Endpoint): boolean {
  return /^simulated-\d/.test(model) && isOnThisMachine(publicUrl(baseUrl));
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An address fit for logs and keys; what is no address is shown as it is, cut at the first sign of a login. */
export function publicUrl(address: string): string {
  if (!URL.canParse(address)) return address.replace(/^.*@/, '');
  const url = new URL(address);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
