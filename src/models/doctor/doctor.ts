import { examineByAsking, type ServerCheck } from './asking.js';
import type { Finding } from './finding.js';
import { examineSetting, type Surroundings } from './setting.js';
import { publicUrl } from '../openai/endpoint.js';

/** Everything a person, or whoever helps them, needs to know about one endpoint. Holds nothing secret. */
export interface DoctorReport {
  readonly provider: string;
  readonly endpoint: string;
  readonly model: string;
  readonly findings: readonly Finding[];
}

/** Looks at the settings, then asks: at most one list and a few calls of a few tokens. Throws only when aborted. */
export async function examineEndpoint(
  { surroundings, ...asking }: ServerCheck & { readonly surroundings: Surroundings },
  signal: AbortSignal,
): Promise<DoctorReport> {
  const { provider, baseUrl, model } = asking.endpoint;
  const setting = examineSetting(asking.endpoint, surroundings);
  const hopeless = setting.some(({ state }) => state === 'failed');
  const findings = hopeless ? setting : [...setting, ...(await examineByAsking(asking, signal))];
  return { provider, endpoint: publicUrl(baseUrl), model, findings };
}

/** True where calls can be expected to work. */
export function isHealthy({ findings }: DoctorReport): boolean {
  return findings.every(({ state }) => state !== 'failed');
}

/** The report as lines of text, a finding each, with its cure below. */
export function printReport({ provider, endpoint, model, findings }: DoctorReport): string {
  const lines = findings.flatMap(({ check, state, what, cure }) => [
    `${marks[state]} ${check}: ${what}`,
    ...(cure === '' ? [] : [`    ${cure}`]),
  ]);
  return [[provider, endpoint, model].filter((part) => part !== '').join(' '), ...lines, ''].join('\n');
}

const marks: Readonly<Record<Finding['state'], string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '·' };
