import type { UseCases } from '../app/useCases.js';
import { certifySentence } from '../wording/candidateText.js';
import { t } from '../wording/translate.js';
import type { CliContext } from './commandLine.js';
import { askToGoOn } from './confirmSpend.js';

/** The measurement that is about to begin, and what it takes. */
interface Measuring {
  readonly request: Parameters<UseCases['preflight']>[0];
  readonly told: Awaited<ReturnType<UseCases['candidatePrice']>>;
}

/** Before anything is spent; on the error stream, where it is in nobody's way. Asked about where money is at stake. */
export async function confirmMeasuring(
  face: CliContext,
  useCases: UseCases,
  { request, told }: Measuring,
  { yes = false }: { readonly yes?: boolean },
): Promise<void> {
  face.terminal.err(`${certifySentence(told, t)}\n`);
  if (yes || told.price === undefined || told.price.usd?.high === 0) return;
  const { holds } = await useCases.preflight(request, face.signal);
  await askToGoOn(face, { holds, usd: told.price.usd });
}
