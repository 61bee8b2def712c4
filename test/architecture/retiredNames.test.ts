import assert from 'node:assert/strict';
import { readSource, sourceFiles } from './sourceFiles.js';

/** Names that the code gave up, each with the one that took its place. A word that comes back brings its old riddle along. */
const retired: Readonly<Record<string, string>> = {
  Workshop: 'UseCases',
  openWorkshop: 'createUseCases',
  Afterwards: 'WriteBehind',
  laterTexts: 'writeBehindTexts',
  laterCertifications: 'writeBehindCertifications',
  askForLeave: 'requestModelAccess',
  Ground: 'ProposalTexts, or what is meant',
  Standing: 'MeasurementStatus, or what is meant',
  KeptStanding: 'MeasurementStatus',
  TakenPart: 'MeasurementStatus',
  Placing: 'DocumentSlot, or what is meant',
  lookTogether: 'readMany',
  lookForChanges: 'pollChanges',
  lookAtClock: 'tick',
  weighNight: 'planNight',
  inOwnWords: 'withSpecificMessage',
  whyNothing: 'noProposalReason, or what is meant',
  DecisionKeeper: 'DecisionSync',
  longestRising: 'longestIncreasingSubsequence',
  calm: 'neverAborted',
  tameYaml: 'safeYaml',
  whileShown: 'withProgress',
  Compared: 'what it holds',
  Claimed: 'what it holds',
  Told: 'what it holds',
  ReviewRecord: 'ReviewMemo',
  TaskRecord: 'TaskTally',
  RateGate: 'RateLimiter',
  createRateGate: 'createRateLimiter',
  Gates: 'RateLimiters',
  gateKey: 'serverKey',
};

describe('a name that was given up', () => {
  const files = sourceFiles().map((file) => [file, codeOf(readSource(file))] as const);

  it('is looked for in all of the code', () => {
    assert.ok(files.length > 1_000, `only ${files.length} files were found`);
    assert.ok(files.some(([, code]) => /\bneverAborted\b/.test(code)));
  });

  for (const [name, instead] of Object.entries(retired)) {
    it(`does not come back: ${name}`, () => {
      const word = new RegExp(`(?<![\\w$])#?${name}(?![\\w$])`);
      const found = files.filter(([, code]) => word.test(code)).map(([file]) => file);
      assert.deepEqual(found, [], `say ${instead}`);
    });
  }
});

/** A source without its comments and texts, in which the words may stand. */
function codeOf(source: string): string {
  return source
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");
}
