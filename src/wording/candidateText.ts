import type { CandidateMeasures, NamedCandidate, ProposedCandidates } from '../ports/proposal.js';
import { grouped, percent, percentOrNone } from './amounts.js';
import { priceText } from './lensTitles.js';
import { sizeLine } from './preflightLines.js';
import type { Say } from './translate.js';
import { headWord, type HeadOfVerdict } from './verdictReport.js';

/** What a table of candidates is made of: a proposal, or its figures alone. */
export interface CandidateFacts {
  readonly verdict: HeadOfVerdict;
  readonly candidates?:
    | (Omit<ProposedCandidates, 'others'> & { readonly others: readonly (NamedCandidate & CandidateEvidence)[] })
    | undefined;
}

interface CandidateEvidence {
  readonly evidence?: { readonly verdict: HeadOfVerdict } | undefined;
}

/** One row of the table of candidates, in words. */
export interface CandidateWords {
  readonly id: string;
  readonly score: string;
  readonly skillTokens: string;
  readonly answerTokens: string;
  readonly answerTime: string;
  /** `proposed: improved`, `not certified`. */
  readonly status: string;
}

/** The skill as it was, the candidate that is proposed, and the others. */
export function candidateRows(proposal: CandidateFacts, say: Say): readonly CandidateWords[] {
  const { candidates } = proposal;
  if (candidates === undefined) return [];
  const { original, proposed, others } = candidates;
  return [
    { id: say('original'), ...measureWords(original, say), status: say('the skill as it was') },
    ...asChosenRow(proposed, say),
    {
      id: proposed.id,
      ...measureWords(proposed, say),
      status: say('proposed: {0}', certifiedWord({ evidence: proposal }, say)),
    },
    ...others.flatMap((other) => [
      ...asChosenRow(other, say),
      { id: other.id, ...measureWords(other, say), status: certifiedWord(other, say) },
    ]),
  ];
}

/** The candidate that the rule named, where edits of it were dropped since: what is left of it has its name. */
function asChosenRow({ id, asChosen }: NamedCandidate, say: Say): readonly CandidateWords[] {
  if (asChosen === undefined) return [];
  const status =
    asChosen.dropped === 1 ? say('chosen; 1 edit dropped') : say('chosen; {0} edits dropped', asChosen.dropped);
  return [{ id: say('{0} as chosen', id), ...measureWords(asChosen, say), status }];
}

/** What stands beneath the table: which rule chose, and what a dash means. */
export function candidateNotes(proposal: CandidateFacts, say: Say): readonly string[] {
  const { candidates } = proposal;
  if (candidates === undefined) return [];
  const { proposed, others } = candidates;
  const left = [proposed, ...others].filter(({ asChosen }) => asChosen !== undefined).map(({ id }) => id);
  const cells = candidateGrid(proposal, say)?.rows.flat() ?? [];
  const notTried =
    left.length === 0
      ? ''
      : ` ${say('{0} is what was left when edits of it were dropped; as it stands it was tried on held-out tasks alone.', left.join(', '))}`;
  return [
    say('Chosen by the rule “{0}”: {1}.', candidates.rule, ruleWords(candidates.rule, say)),
    ...(cells.includes(notMeasured) ? [`${say('–: not measured.')}${notTried}`] : []),
  ];
}

function ruleWords(rule: string, say: Say): string {
  const words: Readonly<Record<string, string>> = {
    score: say('the highest score on training tasks'),
    'shortest-not-worse': say('the shortest that scores no lower on training tasks than the skill as it was'),
    'cheapest-at-best-score': say(
      'the fewest tokens of an answer among those with the highest score on training tasks',
    ),
    'fastest-at-best-score': say('the shortest time of an answer among those with the highest score on training tasks'),
  };
  return words[rule] ?? rule;
}

/** The table in cells. A measure that nobody took has no column; nothing at all where the run chose by the score alone. */
export function candidateGrid(facts: CandidateFacts, say: Say): CandidateGrid | undefined {
  const rows = candidateRows(facts, say);
  if (rows.length === 0) return undefined;
  const columns: readonly (readonly [head: string, key: keyof CandidateWords])[] = [
    [say('candidate'), 'id'],
    [say('training tasks'), 'score'],
    [say('tokens of the skill'), 'skillTokens'],
    [say('tokens of an answer'), 'answerTokens'],
    [say('time of an answer'), 'answerTime'],
    [say('held-out tasks'), 'status'],
  ];
  const shown = columns.filter(([, key]) => rows.some((row) => row[key] !== notMeasured));
  return { head: shown.map(([head]) => head), rows: rows.map((row) => shown.map(([, key]) => row[key])) };
}

interface CandidateGrid {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const notMeasured = '–';

/** What was found on held-out tasks; a candidate that never was there is not certified. */
export function certifiedWord({ evidence }: CandidateEvidence, say: Say): string {
  const { verdict } = evidence ?? {};
  if (verdict === undefined || verdict.kind === 'unmeasured') return say('not certified');
  return headWord(verdict, say);
}

function measureWords(measures: CandidateMeasures, say: Say): Omit<CandidateWords, 'id' | 'status'> {
  const { score, skillTokens, answerTokens, answerMs } = measures;
  return {
    score: percentOrNone(score),
    skillTokens: grouped(skillTokens),
    answerTokens: answerTokens === undefined ? notMeasured : grouped(answerTokens),
    answerTime: answerMs === undefined ? notMeasured : say('{0} s', (answerMs / 1_000).toFixed(1)),
  };
}

/** What certifying one more takes. */
interface PriceOfCandidate {
  readonly id: string | undefined;
  readonly price: Parameters<typeof sizeLine>[0] | undefined;
  /** None where one goes on that was paid for when it began, or where the rule takes none. */
  readonly share: number;
  readonly left: number;
}

/** `12 to 192 calls, price unknown; 25 % of the error budget`: for a row that has the name already. */
export function certifyCost({ price, share }: PriceOfCandidate, say: Say): string {
  const asked = price === undefined ? say('no model is asked') : priceText(price);
  return share === 0
    ? say('{0}; nothing more of the error budget', asked)
    : say('{0}; {1} of the error budget', asked, percent(share));
}

/**
 * `Certify C2: usually 0.03 USD, at most 0.27 USD · usually 36, at most 192 calls · less than a minute; 25 % of the error
 * budget, of which 75 % are left.`
 */
export function certifySentence({ id, price, share, left }: PriceOfCandidate, say: Say): string {
  const asked = price === undefined ? say('no model is asked') : sizeLine(price);
  if (share === 0)
    return id === undefined
      ? say(
          'Go on measuring: {0}; it takes nothing more of the error budget, of which {1} are left.',
          asked,
          percent(left),
        )
      : say(
          'Certify {0}: {1}; it takes nothing more of the error budget, of which {2} are left.',
          id,
          asked,
          percent(left),
        );
  const rest = [asked, percent(share), percent(left)] as const;
  return id === undefined
    ? say('Go on measuring: {0}; {1} of the error budget, of which {2} are left.', ...rest)
    : say('Certify {0}: {1}; {2} of the error budget, of which {3} are left.', id, ...rest);
}
