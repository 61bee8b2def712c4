import type { BuildOptions, Plugin } from 'esbuild';

export const besideEachOther: Plugin;
export const besides: readonly BuildOptions[];
