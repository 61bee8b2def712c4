// Writes schemas/*.json, the schemas that an editor completes task files and options by, and docs/options.md. They are
// generated from the same zod schemas that the files are read by; tests compare.
//   node scripts/schemas.mjs
import { build } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { optionsPage } from './optionsPage.mjs';

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'out', `schemas-${process.pid}`);
const bundle = path.join(out, 'schemas.mjs');
try {
  await build({
    stdin: {
      contents: `
        export { evalsJsonSchema, whetstoneJsonSchema } from './src/tasks/jsonSchemas.js';
        export { configJsonSchema } from './src/app/options/configSchema.js';
        export { optionReference } from './src/app/options/optionReference.js';
        export { presets } from './src/models/openai/presets.js';
        export { allChecks } from './src/checks/registry.js';`,
      resolveDir: root,
    },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    logLevel: 'warning',
  });
  const made = await import(pathToFileURL(bundle).href);
  mkdirSync(path.join(root, 'schemas'), { recursive: true });
  write('evals.schema.json', made.evalsJsonSchema());
  write('whetstone.schema.json', made.whetstoneJsonSchema(made.allChecks));
  write('config.schema.json', made.configJsonSchema());
  writeFileSync(path.join(root, 'docs', 'options.md'), optionsPage(made.optionReference(), made.presets));
} finally {
  rmSync(out, { recursive: true, force: true });
}

function write(name, schema) {
  writeFileSync(path.join(root, 'schemas', name), `${JSON.stringify(schema, null, 2)}\n`);
}
