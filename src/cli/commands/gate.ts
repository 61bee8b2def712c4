import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { decideScores, printGateReport } from '../../engine/certify/decideScores.js';
import { messageOf, UserError } from '../../errors.js';
import { acceptanceRules } from '../../gate/rules/acceptanceRules.js';
import { parseOutcomes, type RecordedOutcomes } from '../../gate/rules/recordedOutcomes.js';
import { ruleTries, triesOf, type RuleRow, type RuleTableSettings } from '../../gate/rules/ruleTable.js';
import { ruleTableNotes, ruleTableText } from '../../gate/rules/ruleTableText.js';
import { mostScoredTasks } from '../../gate/verdict/scoreTable.js';
import { grouped } from '../../wording/amounts.js';
import type { CliContext } from '../commandLine.js';
import { nowAndThen } from '../progress/progressLine.js';
import { mostGivenBytes } from '../terminal.js';
import { ruleTable } from './ruleTable.js';

interface GateOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  /** True where it was given without a file. */
  readonly ruleTable?: string | true;
  readonly resamples?: string;
  readonly seed: string;
}

/** `whetstone gate < scores.json`: the gate's decision for anyone's paired scores; or how it and other rules do on them. */
export function addGate(program: Command, face: CliContext, readInput: () => Promise<string>): void {
  program
    .command('gate')
    .description(
      'decide paired scores from standard input: { "before": [[...]], "after": [[...]] }, a row a task, a column a pass, null is an invalid result',
    )
    .option('--json', 'print one JSON object instead of text')
    .option(
      '--rule-table [file]',
      'instead: how often this gate and published rules accept an edit that changes nothing, and find one that helps, on tasks that pass as yours do (the attempts under “before”, or recorded outcomes; docs/truth.md)',
    )
    .option('--markdown', 'with --rule-table: every column, as a Markdown table')
    .option(
      '--resamples <number>',
      'with --rule-table: how many edits that change nothing are tried (2000, fewer with many tasks)',
    )
    .option('--seed <number>', 'with --rule-table: the seed of the resamples', '1')
    .action(async (options: GateOptions) => {
      if (options.ruleTable === undefined) {
        const decided = decideScores(parse(await readInput(), 2 * mostScoredTasks));
        if (options.json === true) face.terminal.json(decided);
        else face.terminal.out(`${printGateReport(decided)}\n`);
      } else {
        const resamples =
          options.resamples === undefined ? undefined : wholeNumber(options.resamples, [10, mostResamples]);
        const seed = wholeNumber(options.seed, [0, 9_999_999]);
        const text = options.ruleTable === true ? await readInput() : await readScores(face, options.ruleTable);
        const sets = parseOutcomes(parse(text, mostRows));
        const form = options.json === true ? 'json' : options.markdown === true ? 'markdown' : 'table';
        await compareRules(face, sets, { seed, resamples: resamples ?? resamplesFor(sets, face), form });
      }
    });
}

const usualResamples = 2000;
const fewestResamples = 50;
const mostResamples = 1_000_000;

/** What is done in a minute or two: the time of a try grows with the square of the tasks, and with the steps of a score. */
function resamplesFor(sets: readonly RecordedOutcomes[], { terminal }: CliContext): number {
  const work = Math.max(...sets.map(({ scores, grid }) => scores.length ** 2 * grid));
  const resamples = Math.min(usualResamples, Math.max(fewestResamples, Math.floor(240_000_000 / work)));
  if (resamples < usualResamples)
    terminal.err(
      `So many tasks take long: ${resamples} resamples instead of ${usualResamples}, a minute or two. --resamples asks for more.\n`,
    );
  return resamples;
}

async function compareRules(
  { terminal, signal }: CliContext,
  sets: readonly RecordedOutcomes[],
  { form, ...settings }: RuleTableSettings & { readonly form: 'json' | 'markdown' | 'table' },
): Promise<void> {
  const tables = [];
  for (const outcomes of sets) tables.push({ outcomes, rows: await rowsOf(outcomes, settings, { terminal, signal }) });
  if (form === 'json') {
    terminal.json({ ...settings, sets: tables.map(({ outcomes, rows }) => ({ name: outcomes.name, rules: rows })) });
    return;
  }
  for (const { outcomes, rows } of tables) {
    const notes = ruleTableNotes(outcomes, rows, settings, form === 'markdown' ? 'intervals' : 'shares');
    const text = form === 'markdown' ? ruleTableText(rows) : ruleTable(rows, terminal.paint);
    terminal.out([outcomes.name, '', text, '', ...notes, ''].join('\n'));
  }
}

const turnMs = 100;

/** With many tasks a rule takes long: the person is heard, and told how far it is, several times a second. */
async function rowsOf(
  outcomes: RecordedOutcomes,
  settings: RuleTableSettings,
  { terminal, signal }: Pick<CliContext, 'terminal' | 'signal'>,
): Promise<readonly RuleRow[]> {
  const rows: RuleRow[] = [];
  const tell = nowAndThen(terminal);
  for (const rule of acceptanceRules) {
    await nextTurn(undefined, { signal });
    const tries = ruleTries(rule, outcomes, settings);
    let tried = tries.next();
    for (let done = 1, heard = Date.now(); tried.done !== true; done++) {
      if (Date.now() - heard > turnMs) {
        const share = Math.min(100, Math.floor((100 * done) / triesOf(settings)));
        tell(`rule ${rows.length + 1} of ${acceptanceRules.length}, ${rule.name}: ${share} %`, Date.now());
        await nextTurn(undefined, { signal });
        heard = Date.now();
      }
      tried = tries.next();
    }
    rows.push(tried.value);
  }
  if (terminal.live) terminal.line('');
  return rows;
}

/** A pipe would be waited for, and a device never ends: only a file is read. */
async function readScores({ cwd, signal }: CliContext, file: string): Promise<string> {
  const place = path.resolve(cwd, file);
  try {
    const found = await stat(place);
    if (!found.isFile()) throw new Error('it is no file but a folder, a pipe or a device');
    if (found.size > mostGivenBytes) throw new Error('it is larger than 32 MB');
    return await readFile(place, { encoding: 'utf8', signal });
  } catch (error) {
    const cure = 'Name a file of scores, or give them on standard input.';
    throw new UserError('usage', `“${file}” cannot be read: ${messageOf(error)}.`, cure, { cause: error });
  }
}

function wholeNumber(text: string, [least, most]: readonly [number, number]): number {
  if (/^\d{1,7}$/u.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UserError('usage', `“${text}” is no whole number from ${least} to ${most}.`, 'Give one, such as 5000.');
}

const mostRows = 500_000; // of all arms of all sets

/** Counted before it is parsed: millions of rows fit into a text that is not too long, and take many times its room. */
function refuseManyRows(text: string, most: number): void {
  const outer = 4; // of the object around them, and a little
  let found = 0;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    found += 1;
    if (found <= most + outer) continue;
    const what = `There are more than ${grouped(most)} rows of scores.`;
    throw new UserError('scores-malformed', what, 'Give fewer tasks: a sample will do.');
  }
}

function parse(text: string, most: number): unknown {
  refuseManyRows(text, most);
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ''));
    return value;
  } catch (error) {
    throw new UserError(
      'usage',
      `The scores are not JSON: ${messageOf(error)}.`,
      'Give { "before": [[0, 1]], "after": [[1, 1]] }, on standard input or in the file.',
      { cause: error },
    );
  }
}
