import { UserError } from '../../errors.js';
import type { SimulatedOptions } from '../../simulated/options.js';
import { createSimulatedModel } from '../../simulated/simulatedModel.js';
import type { LanguageModel } from '../../ports/languageModel.js';

type Setting = (value: number, before: SimulatedOptions) => SimulatedOptions;

const settings: Readonly<Record<string, Setting>> = {
  seed: (seed, before) => ({ ...before, seed }),
  lapse: (lapseRate, before) => ({ ...before, lapseRate }),
  latency: (latencyMs, before) => ({ ...before, latencyMs }),
  noise: (judgeNoise, before) => ({ ...before, judgeNoise }),
  useless: (useless, before) => ({ ...before, optimizer: { ...before.optimizer, useless } }),
  harmful: (harmful, before) => ({ ...before, optimizer: { ...before.optimizer, harmful } }),
  malformed: (malformed, before) => ({ ...before, optimizer: { ...before.optimizer, malformed } }),
  obedient: (obedient, before) => ({ ...before, obedient: obedient === 1 }),
};

/** The simulated model out of `simulated?lapse=0.1&seed=2`. */
export function simulatedFrom(spec: string): LanguageModel {
  const given = [...new URLSearchParams(spec.split('?')[1] ?? '')];
  const options = given.reduce<SimulatedOptions>((before, [name, value]) => {
    const setting = settings[name];
    const number = Number(value);
    if (setting === undefined || value === '' || !Number.isFinite(number)) {
      throw new UserError(
        'model-not-chosen',
        `The simulated model has no option “${name}=${value}”.`,
        `Its options are: ${Object.keys(settings).join(', ')}.`,
      );
    }
    return setting(number, before);
  }, {});
  return createSimulatedModel(options);
}
