// Simulates the gate and holds its bars; exit 1 when one is missed.
//   node scripts/bench-gate.mjs           tables and bars for people
//   node scripts/bench-gate.mjs bundles   only the groups whose names contain one of these words
//   node scripts/bench-gate.mjs --json    the cells as a JSON array on standard output, the rest on standard error
import { runBench } from './runBench.mjs';

await runBench('gate');
