import type { ReportData } from '../../src/app/results/reportData.js';
import { someFigures } from './aReviewProposal.js';

const day = 24 * 60 * 60 * 1000;

/** A report with something in every part, and a hostile text where a model could have written one. */
export function aReport(more: Partial<ReportData> = {}): ReportData {
  const spend = { calls: 40, cachedCalls: 3, failedCalls: 0, tokens: 120_000, usd: 0.12, exact: true };
  return {
    skillName: 'incident-summary',
    runId: '20260101-000000-abcdef',
    purpose: 'optimize',
    startedAt: 40 * day,
    endedAt: 40 * day + 60_000,
    workedMs: 60_000,
    outcome: 'proposed',
    reason: 'Better: 12 held-out tasks went from 42 % to 81 %.',
    models: { target: 'a-model', optimizer: 'b-model', judge: 'a-model', simulated: true },
    tasks: { training: 8, heldOut: 12, sealed: 4, setAside: 0 },
    verdict: { kind: 'accepted', reason: 'Better.', figures: someFigures() },
    sealed: { before: 0.4, after: 0.8, n: 4 },
    shown: {
      head: 'accepted',
      lines: ['before 40 %, after 80 %, difference +40 points (95 % interval +20 points to +60 points)'],
      cure: null,
      warnings: [],
    },
    settled: [
      '3 of 12 held-out tasks always pass: a gain of 20 points would be found in 35 % instead of 59 % of runs.',
    ],
    curve: [
      { step: 0, training: undefined, candidate: 0.42, best: 0.42, decision: 'the skill as it was' },
      { step: 1, training: 0.3, candidate: 0.6, best: 0.6, decision: 'accept new best' },
      { step: 2, training: 0.5, candidate: 0.55, best: 0.6, decision: 'reject' },
      { step: 3, training: 0.7, candidate: 0.83, best: 0.83, decision: 'accept new best' },
    ],
    heat: {
      columns: [
        { stage: 'baseline', step: 0, label: 'before' },
        { stage: 'evaluate', step: 1, label: 'step 1, candidate' },
        { stage: 'rollout', step: 1, label: 'step 1, training' },
      ],
      rows: [
        { task: 'login-loop', side: 'heldOut', scores: [0, 1, null] },
        { task: 'cart-items', side: 'heldOut', scores: [0, 0.5, null] },
        { task: 'late-mails', side: 'training', scores: [null, null, 0] },
      ],
    },
    roles: [
      { role: 'target', ...spend },
      { role: 'optimizer', ...spend, tokens: 20_000, usd: 0.3 },
      { role: 'judge', ...spend, tokens: 0, usd: undefined },
    ],
    stages: [{ stage: 'baseline', ...spend, ms: 5000 }],
    edits: [
      {
        id: 'E1',
        op: 'append',
        text: '- Name the symptom first.',
        rationale: '<script>window.hacked = true</script></script><img src=x onerror="window.hacked = true">',
        worth: { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: ['E4'] },
        decision: 'open',
        together: [],
      },
      {
        id: 'E2',
        op: 'replace',
        text: 'Say which version it is,\nand since when.',
        rationale: 'Say which version.',
        worth: { kind: 'not-measured-singly' },
        decision: 'accepted',
        together: [],
      },
    ],
    inSkill: 'part',
    history: [
      { at: 10 * day, before: 0.2, after: 0.42, verdict: 'accepted', adopted: true, partly: true },
      { at: 24 * day, before: 0.42, after: 0.4, verdict: 'rejected', adopted: false, partly: false },
      { at: 40 * day, before: 0.42, after: 0.81, verdict: 'accepted', adopted: false, partly: false },
    ],
    notes: ['Step 2: one reply could not be read.'],
    ...more,
  };
}
