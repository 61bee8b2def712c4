import { namesEditorModel } from './editorModels.js';
import { endpointFor, type ModelSpecs, type ModelSurroundings } from './chooseModels.js';

/** The keys of the chosen models, by value: taken out of every text, whatever their shape. */
export async function knownSecrets(specs: ModelSpecs, surroundings: ModelSurroundings): Promise<readonly string[]> {
  const wanted = [specs.target, specs.optimizer, specs.judge].flatMap((spec) => spec ?? []);
  const real = [...new Set(wanted)].filter(
    (spec) => spec !== '' && !spec.startsWith('simulated') && !namesEditorModel(spec),
  );
  const endpoints = await Promise.all(real.map((spec) => endpointFor(spec, surroundings).catch(() => undefined)));
  return endpoints.flatMap((endpoint) => endpoint?.apiKey ?? []);
}
