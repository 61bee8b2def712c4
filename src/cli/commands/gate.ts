import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { decideScores, printGateReport } from '../../engine/certify/decideScores.js';
import { messageOf, UserError } from '../../errors.js';
import { acceptanceRules } from '../../gate/rules/acceptanceRules.js';
import { parseOutcomes, type RecordedOutcomes } from '../../gate/rules/recordedOutcomes.js';
import { ruleRow, type RuleRow, type RuleTableSettings } from '../../gate/rules/ruleTable.js';
import { ruleTableNotes, ruleTableText } from '../../gate/rules/ruleTableText.js';
import type { CliContext } from '../commandLine.js';

interface GateOptions {
  readonly json?: boolean;
  /** True where it was given without a file. */
  readonly ruleTable?: string | true;
  readonly resamples: string;
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
    .option('--resamples <number>', 'with --rule-table: how many edits that change nothing are tried', '2000')
    .option('--seed <number>', 'with --rule-table: the seed of the resamples', '1')
    .action(async (options: GateOptions) => {
      if (options.ruleTable === undefined) {
        const decided = decideScores(parse(await readInput()));
        if (options.json === true) face.terminal.json(decided);
        else face.terminal.out(`${printGateReport(decided)}\n`);
      } else {
        const settings = { resamples: wholeNumber(options.resamples, 10), seed: wholeNumber(options.seed, 0) };
        const text = options.ruleTable === true ? await readInput() : await readScores(face, options.ruleTable);
        await compareRules(face, parseOutcomes(parse(text)), { ...settings, json: options.json === true });
      }
    });
}

async function compareRules(
  { terminal, signal }: CliContext,
  sets: readonly RecordedOutcomes[],
  { json, ...settings }: RuleTableSettings & { readonly json: boolean },
): Promise<void> {
  const tables = [];
  for (const outcomes of sets) tables.push({ outcomes, rows: await rowsOf(outcomes, settings, signal) });
  if (json) {
    terminal.json({ ...settings, sets: tables.map(({ outcomes, rows }) => ({ name: outcomes.name, rules: rows })) });
    return;
  }
  for (const { outcomes, rows } of tables) {
    const notes = ruleTableNotes(outcomes, rows, settings);
    terminal.out([outcomes.name, '', ruleTableText(rows), '', ...notes, ''].join('\n'));
  }
}

/** A rule takes a second or so: between two of them the person is heard. */
async function rowsOf(
  outcomes: RecordedOutcomes,
  settings: RuleTableSettings,
  signal: AbortSignal,
): Promise<readonly RuleRow[]> {
  const rows: RuleRow[] = [];
  for (const rule of acceptanceRules) {
    await nextTurn(undefined, { signal });
    rows.push(ruleRow(rule, outcomes, settings));
  }
  return rows;
}

async function readScores({ cwd }: CliContext, file: string): Promise<string> {
  try {
    return await readFile(path.resolve(cwd, file), 'utf8');
  } catch (error) {
    const cure = 'Name a file of scores, or give them on standard input.';
    throw new UserError('usage', `“${file}” cannot be read: ${messageOf(error)}.`, cure, { cause: error });
  }
}

function wholeNumber(text: string, least: number): number {
  if (/^\d{1,7}$/u.test(text) && Number(text) >= least) return Number(text);
  throw new UserError('usage', `“${text}” is no whole number from ${least} on.`, 'Give one, such as 5000.');
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
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
