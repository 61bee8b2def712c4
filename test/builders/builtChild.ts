import path from 'node:path';
import { build } from 'esbuild';

/** A program of the tests as one file in this folder that Node can start. */
export async function builtChild(source: string, folder: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(source, '.ts')}.mjs`);
  await build({
    entryPoints: [path.resolve(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
  });
  return outfile;
}
