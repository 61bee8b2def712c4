import type { OptionEntry } from '../src/app/options/optionReference.js';
import type { Preset } from '../src/models/openai/presets.js';

/** docs/options.md as it is to be. */
export function optionsPage(entries: readonly OptionEntry[], presets: readonly Preset[]): string;
