// Lays published acceptance rules and the gate over recorded outcomes; exit 1 when what we promise is missed.
//   node scripts/bench-truth.mjs           prints the table, and makes that of docs/truth.md and its picture anew
//   node scripts/bench-truth.mjs --check   writes nothing; exit 1 too where the page is not what was measured
//   node scripts/bench-truth.mjs --json    every figure as one JSON object on standard output
import { runBench } from './runBench.mjs';

await runBench('truth');
