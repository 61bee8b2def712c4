import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A folder with a `crontab` that keeps its lines in a file beside it: installs where no cron is, and harms none. */
export function fakeCrontab(root: string): string {
  const bin = path.join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  const table = path.join(bin, 'table');
  const script = [
    '#!/bin/sh',
    `if [ "$1" = "-l" ]; then if [ -f '${table}' ]; then cat '${table}'; else echo "no crontab for you" >&2; exit 1; fi; exit 0; fi`,
    `cat > '${table}'`,
    '',
  ].join('\n');
  writeFileSync(path.join(bin, 'crontab'), script);
  chmodSync(path.join(bin, 'crontab'), 0o755);
  return bin;
}
