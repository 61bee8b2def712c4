import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** The variable that everything the helper process starts inherits; its value is drawn anew for each helper. */
export const helperMark = 'WHETSTONE_SANDBOX';

/**
 * Whatever becomes of this process, killed without a word included: nothing that it started lives on. A shell waits for it
 * to end, by a pipe that nobody else has, and then ends all that carries its mark, its relays and programs that were just
 * being started included, until it finds none any more. Throws on what is no mark: every process carries an empty one.
 */
export function leaveNothingRunning(mark: string): void {
  if (!isMark(mark)) throw new Error(`${helperMark} holds no mark of 32 hex digits, so nothing is watched or ended.`);
  const watching = spawn('/bin/sh', ['-c', watchScript, 'sh', mark], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' }, // without the mark
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watching.on('error', () => undefined);
  watching.stdin.on('error', () => undefined);
  watching.unref();
  if (watching.stdin instanceof Socket) watching.stdin.unref();
}

/** Drawn at random: nothing else carries it. */
export function isMark(mark: string): boolean {
  return /^[0-9a-f]{32}$/u.test(mark);
}

/** It looks at the mark itself once more: what it ends cannot be brought back. */
export const watchScript = `case "$1" in *[!0-9a-f]*) exit 64;; esac
[ "\${#1}" -eq 32 ] || exit 64
trap '' HUP INT TERM
read -r _
quiet=0; round=0
while [ "$quiet" -lt 4 ] && [ "$round" -lt 60 ]; do
  found=$(grep -lsaF "$1" /proc/[0-9]*/environ)
  if [ -z "$found" ]; then quiet=$((quiet + 1)); else quiet=0; fi
  for file in $found; do pid="\${file#/proc/}"; kill -9 "\${pid%/environ}"; done
  round=$((round + 1)); sleep 0.1
done`;
