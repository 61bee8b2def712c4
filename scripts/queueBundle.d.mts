import type { BuildOptions, Plugin } from 'esbuild';

export function queueBundle(plugins: readonly Plugin[]): BuildOptions;
