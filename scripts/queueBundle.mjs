// The queue as a bundle of its own: for the npm package alone, beside the core, whose errors it throws. Built in the root.
import path from 'node:path';

/** What the core holds and the queue throws or is thrown has to be the same class in both. */
const fromCore = {
  name: 'from-core',
  setup({ onResolve }) {
    onResolve({ filter: /\/failedCall\.js$/ }, ({ path: specifier, resolveDir }) => {
      const file = path.relative('.', path.resolve(resolveDir, specifier)).replaceAll('\\', '/');
      return file === 'src/models/wrappers/failedCall.js' ? { path: './core.js', external: true } : undefined;
    });
  },
};

/** `plugins` are those of the bundles beside it. Speed-ups and drivers that are no part of it are left out. */
export function queueBundle(plugins) {
  return {
    entryPoints: { queue: 'src/bundles/queue.ts' },
    plugins: [fromCore, ...plugins],
    external: ['msgpackr-extract', 'pg', 'redis', 'bullmq-otel', '@valkey/valkey-glide'],
  };
}
