import type { UseCases } from '../app/useCases.js';
import { certifySentence } from '../wording/candidateText.js';
import { t } from '../wording/translate.js';
import type { CliContext } from './commandLine.js';
import { confirmToldSpend } from './confirmSpend.js';

/** What a measurement that is about to begin takes. */
type MeasuringPrice = Awaited<ReturnType<UseCases['candidatePrice']>>;

/** Before anything is spent; on the error stream, where it is in nobody's way. Asked about as every other run is. */
export async function confirmMeasuring(
  face: CliContext,
  told: MeasuringPrice,
  options: { readonly yes?: boolean },
): Promise<void> {
  face.terminal.err(`${certifySentence(told, t)}\n`);
  if (told.price !== undefined) await confirmToldSpend(face, told.price, options);
}
