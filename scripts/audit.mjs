// Asks npm's advisory service about the packages that ship, and about those that build. A finding of weight in what ships
// fails; one in what builds is shown. Where the service cannot be reached, that is said, and nothing is claimed.
import { spawnSync } from 'node:child_process';

const shipped = audit(['--omit=dev']);
const all = audit([]);
if (shipped === undefined || all === undefined) {
  process.stdout.write('npm audit: the advisory service cannot be reached; nothing was checked.\n');
} else {
  process.stdout.write(`npm audit, what ships: ${countsOf(shipped)}\nnpm audit, with what builds: ${countsOf(all)}\n`);
  const { moderate, high, critical } = shipped;
  if (moderate + high + critical > 0) process.exitCode = 1;
}

/** How many findings of each weight; undefined where the service gave no answer. */
function audit(more) {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...more], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return JSON.parse(stdout).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}

function countsOf({ low, moderate, high, critical }) {
  return `${critical} critical, ${high} high, ${moderate} moderate, ${low} low`;
}
