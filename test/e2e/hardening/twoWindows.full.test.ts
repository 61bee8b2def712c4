import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { figure, isWhole } from '../../hardening/figures.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { Workbench } from '../driver/workbench.js';
import { whetstone } from '../results/resultsDriver.js';
import { report } from '../review/reviewCases.js';
import { chooseReview, openForReviews, pressIn, readSkill, stage } from '../review/reviewDriver.js';

const rounds = isWhole ? 8 : 2;
const minute = 60_000;
const byHand = 'Written by hand, at that very moment.';

/** Two windows on one folder, and a command line beside them, all of them at the same proposal. */
describe('two windows on one folder', () => {
  let first: Workbench;
  let second: Workbench;
  pictureOnFailure(() => first);
  before(async function () {
    this.timeout(4 * minute);
    first = await openForReviews();
    const page = await first.page.context().newPage();
    await page.goto(first.page.url());
    second = new Workbench({ page, session: first.session }, 'dark', () => page.close());
    await second.ready();
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  it(`take a proposal once and lose nothing that was written by hand, ${rounds} times`, async function () {
    this.timeout(rounds * 4 * minute);
    const harm: string[] = [];
    for (let round = 0; round < rounds; round += 1) harm.push(...(await takeTogether(`shared-${round}`, round)));
    const result = `hand edits lost ${harm.filter((each) => each.includes('hand')).length}, double adoptions ${harm.filter((each) => each.includes('twice')).length}, torn ${harm.filter((each) => each.includes('torn')).length}`;
    figure({ what: 'two windows and a command line accept at once', tried: rounds, result });
    assert.deepEqual(harm, []);
  });

  async function takeTogether(name: string, round: number): Promise<readonly string[]> {
    const skill = await stage(first, { ...report, name });
    await chooseReview(first, name);
    await chooseReview(second, name);
    const writesByHand = round % 2 === 1;
    // Whoever comes second may find nothing to press any more, or be refused.
    await Promise.allSettled([
      pressIn(first, /Accept All/, 'Accept All'),
      pressIn(second, /Accept All/, 'Accept All'),
      ...(round % 3 === 2 ? [whetstone(first, 'adopt', skill)] : []),
      ...(writesByHand ? [Promise.resolve().then(() => appendFileSync(skill, `\n${byHand}\n`))] : []),
    ]);
    const text = await settled(name);
    const times = (part: string): number => text.split(part).length - 1;
    const whole = [/^---\nname: /u, /Name the file after the input\./u].every((part) => part.test(text));
    return [
      ...(times('at most four charts') > 1 ? [`${name}: an edit is in the file twice`] : []),
      ...(writesByHand && times(byHand) !== 1
        ? [`${name}: what was written by hand is there ${times(byHand)} times`]
        : []),
      ...(whole ? [] : [`${name}: the file is torn`]),
    ];
  }

  /** The text once nobody has changed it for a while. */
  async function settled(name: string): Promise<string> {
    for (let [last, neverAborted] = ['', 0]; ;) {
      await first.page.waitForTimeout(250);
      const text = readSkill(first, name);
      neverAborted = text === last ? neverAborted + 1 : 0;
      if (neverAborted >= 8) return text;
      last = text;
    }
  }
});
