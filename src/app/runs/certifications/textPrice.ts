import type { RoleModels } from '../../models/runModels.js';
import { measureInputOf, measureSizeOf } from '../bound/measureBound.js';
import type { RunSize } from '../bound/runSize.js';
import { toldSizeOf, type ToldSize } from '../bound/toldSize.js';
import { pairOf, provingTasks, type TextsToMeasure } from '../measure.js';
import type { RunSetup } from '../runStart.js';
import { certificationAhead } from './certificationAhead.js';

/** What measuring one text against another takes; undefined where no model would be asked, be it for want of error budget. */
export async function textPriceOf(
  setup: RunSetup,
  texts: TextsToMeasure,
  models: RoleModels,
): Promise<ToldSize | undefined> {
  const { heldOut } = await provingTasks(setup);
  const { isRefused } = await certificationAhead(setup, { pairs: [pairOf(texts)], heldOut, models });
  const whole = isRefused ? undefined : await textSizeOf(setup, texts, models);
  return whole === undefined ? undefined : toldSizeOf(setup, models, { whole });
}

/** The same whatever caps and error budget say. */
export async function textSizeOf(
  setup: RunSetup,
  texts: TextsToMeasure,
  models: RoleModels,
): Promise<RunSize | undefined> {
  const { heldOut } = await provingTasks(setup);
  return measureSizeOf(await measureInputOf(setup, { heldOut, models }), pairOf(texts));
}
