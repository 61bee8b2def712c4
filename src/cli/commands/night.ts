import { grouped } from '../../wording/amounts.js';
import path from 'node:path';
import { UserError } from '../../errors.js';
import type { Command } from 'commander';
import { parseScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { ScheduledRequest } from '../../app/nights/nights.js';
import type { NightPlan } from '../../app/nights/nightPlan.js';
import type { NightWatcher } from '../../app/nights/night.js';
import type { NightRequest } from '../../app/nights/nightSkills.js';
import type { NightResult } from '../../app/nights/nightResult.js';
import { runRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';
import { scoredPercents } from '../../wording/amounts.js';
import { nightWord } from '../../wording/gateWords.js';
import { ownCure, withOwnCure } from '../../wording/ownCure.js';
import { nightLine } from '../../wording/harvest/nightLine.js';
import { nightNotes } from '../../wording/harvest/nightNotes.js';
import { english, t } from '../../wording/translate.js';
import { nightHead } from '../../wording/verdictReport.js';
import { behindSentence } from '../../wording/verdictSentences.js';
import { isAtStake } from '../../wording/preflightLines.js';
import type { UseCases } from '../../app/useCases.js';
import { openToSpend } from '../askCosts.js';
import { wholeCap } from '../caps.js';
import { confirmSpend } from '../confirmSpend.js';
import { modelCalls } from '../spendText.js';
import { createProgress } from '../progress/progressLine.js';
import { table } from '../table.js';
import { oneLine } from '../terminal.js';
import { draftsLine } from '../taskText.js';
import { batchLinesOf, givenPlacesText, nightPlanText, placesText } from './nightPlanText.js';
import { skillsAt, type FindSkills } from '../namedSkills.js';
import { notInstalled } from './doctor.js';

interface NightOptions extends RunCommandOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly exclude: readonly string[];
  readonly autoAdopt: readonly string[];
  readonly skipOnBattery?: boolean;
  readonly scheduled?: string;
  readonly dryRun?: boolean;
}

/** `whetstone night`: one consolidation for every skill with confirmed tasks. Stages; edits a file only where named. */
export function addNight(program: Command, face: CliContext, findSkills: FindSkills): void {
  withRunOptions(
    program.command('night').argument('[places...]', 'skills, or folders to look for skills in (default: here)'),
  )
    .description('train every skill that has confirmed tasks and changed since the last night; edits no file')
    .option('--yes', 'begin without asking, whatever it may cost')
    .option('--force', 'train also where nothing changed')
    .option('--exclude <skill>', 'leave this skill alone, by name (repeatable)', collect, [])
    .option(
      '--auto-adopt <skill>',
      'write what is proved better for this skill, by path, into its file without asking (repeatable)',
      collect,
      [],
    )
    .option('--skip-on-battery', 'do nothing while the machine runs on battery')
    .option(
      '--scheduled <id>',
      'as the operating system starts it: once for each scheduled time, with what was installed',
    )
    .option('--dry-run', 'say which skills a night would train, why and for how much, and stop')
    .action(async (places: readonly string[], options: NightOptions) => {
      if (options.dryRun === true) return printPlan(face, await nightOf(face, places, options, findSkills), options);
      const quiet = options.json === true;
      const progress = createProgress(face.terminal, {}, { named: true });
      const watcher: NightWatcher = {
        began: () => undefined,
        observe: (_path, event, summary) => (quiet ? undefined : progress.show(event, summary)),
      };
      const run =
        options.scheduled === undefined
          ? nightOf(face, places, options, findSkills).then(async (request) =>
              (await openNight(face, request, options)).night(request, watcher, face.signal),
            )
          : firedNight(face, options.scheduled, findSkills);
      report(face, quiet, await run.finally(() => (quiet ? undefined : progress.clear())));
    });
}

/** Spends nothing and writes nothing. */
async function printPlan(face: CliContext, request: NightRequest, options: NightOptions): Promise<void> {
  const plan = await face.open(options).planNight(request, face.signal);
  if (options.json === true) face.terminal.json(plan);
  else face.terminal.out(`${nightPlanText(plan)}\n`);
}

/** Says what the night may take before it begins; the schedule that the person turned on is their yes for its own. */
async function openNight(face: CliContext, request: NightRequest, options: NightOptions): Promise<UseCases> {
  await refuseUnfitTarget(face.open(options), request);
  const useCases = await openToSpend(face, options);
  const plan = await useCases.planNight(request, face.signal);
  const { train, stops, sessions } = plan;
  tellPlaces(face, plan, options);
  const trained = stops.length > 0 ? [] : train.map(({ preflight }) => preflight);
  const asked = sessions?.size === undefined ? [] : [sessions.size];
  const [first, ...others] = [...trained, ...asked].map((size) => ({ ...size, attempts: 0 }));
  refuseForTools(stops);
  if (first === undefined) return useCases; // nothing is spent, and the night says why
  const size = useCases.sumOfSizes(first, others);
  if (isAtStake(size) && trained.length > 1) face.terminal.err(`${severalRuns(trained.length)}\n`);
  for (const line of batchLinesOf(plan)) face.terminal.err(`${line}\n`);
  // Nobody is asked about a server that is not there.
  if (isAtStake(size) && options.yes !== true) await useCases.reachModels(face.signal);
  await confirmSpend(face, size, options);
  return useCases;
}

/** Only where there is no room for all skills. */
function tellPlaces({ terminal }: CliContext, plan: NightPlan, { json }: NightOptions): void {
  if (plan.stops.length > 0 || plan.fleet === undefined || json === true) return;
  terminal.err(`${placesText(plan)}\n`);
}

function severalRuns(runs: number): string {
  return `${runs} skills are trained, each in a run of its own; looking through sessions counts to the first of them.`;
}

/** Where the target can attempt the tasks of none of the skills: before it is asked for. The others are left out by the night. */
async function refuseUnfitTarget(useCases: UseCases, request: NightRequest): Promise<void> {
  const refusals = await Promise.all(
    request.skills.map((skillPath) =>
      useCases.refuseUnfitTarget({ ...request, skillPath }).then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  const [first] = refusals;
  if (refusals.length > 0 && refusals.every(isUnfit)) throw first;
}

function isUnfit(error: unknown): boolean {
  return error instanceof UserError && error.code === 'target-unfit';
}

/** Where the target can be asked about no skill at all another one has to be chosen. */
function refuseForTools(stops: NightResult['stops']): void {
  const [first] = stops;
  if (first === undefined || stops.some(({ name }) => name !== 'tool-tasks')) return;
  throw new UserError('target-unfit', stops.map(({ sentence }) => sentence).join(' '), first.cure);
}

async function nightOf(
  face: CliContext,
  places: readonly string[],
  options: NightOptions,
  findSkills: FindSkills,
): Promise<NightRequest> {
  const wanted = (places.length === 0 ? [face.cwd] : places).map((place) => path.resolve(face.cwd, place));
  const skills = await skillsAt(wanted, findSkills);
  const { skillPath: _unused, ...request } = runRequest(face, '', options);
  const folders = wanted.filter((place) => !skills.includes(place) && path.basename(place) !== 'SKILL.md');
  return {
    ...request,
    skills,
    force: options.force === true,
    excluded: options.exclude,
    autoAdopt: options.autoAdopt.map((entry) => skillEntry(face.cwd, entry)),
    onBattery: options.skipOnBattery === true ? 'skip' : 'run',
    cap: { calls: wholeCap('--max-calls', options.maxCalls), tokens: wholeCap('--max-tokens', options.maxTokens) },
    consent: 'given',
    startedBy: 'person',
    ...(folders.length === 0 ? {} : { folders }),
  };
}

/** Nobody watches: what is written goes to the log of the schedule. */
async function firedNight(face: CliContext, id: string, findSkills: FindSkills): Promise<NightResult | string> {
  const installed = await face.open({}).installedOsSchedule({ id });
  if (installed === undefined) throw notInstalled(id);
  const { folders, models, caps, at, excluded, onBattery, autoAdopt, preset } = installed;
  const { settings, standing, workspaceSettings } = installed;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const request: ScheduledRequest = {
    skills: [...new Set((await Promise.all(folders.map(findSkills))).flat())],
    folders,
    schedule: parseScheduleSettings({ enabled: true, at, excluded, onBattery }, zone),
    workspaceFolders: folders,
    preset,
    settings,
    standing,
    workspaceSettings,
    trusted: true,
    force: false,
    excluded,
    onBattery,
    autoAdopt,
    autoAdoptIn: 'schedule',
    cap: caps.night,
    consent: 'stored',
    startedBy: 'operating-system',
  };
  const watcher = { began: () => undefined, observe: () => undefined };
  const { decision, result } = await face.open({ ...models, caps }).firedNight(request, watcher, face.signal);
  if (result !== undefined) return result;
  if (decision.kind === 'skip') return [decision.sentence, decision.cure].filter((part) => part !== '').join(' ');
  return 'This night was dealt with already: nothing to do.';
}

/** A path of the command line's own folder as it is; what holds no sign of a path is a name. */
export function skillEntry(cwd: string, entry: string): string {
  return /^\.|[\\/]/.test(entry) ? path.resolve(cwd, entry) : entry;
}

function report({ terminal, exit }: CliContext, quiet: boolean, result: NightResult | string): void {
  if (typeof result === 'string') {
    if (quiet) terminal.json({ skipped: result });
    else terminal.out(`${result}\n`);
    return;
  }
  if (quiet) terminal.json(result);
  else terminal.out(`${nightText(result)}\n`);
  if (result.skills.some((skill) => skill.outcome === 'failed')) exit(1);
  else if (result.skills.some((skill) => skill.outcome === 'waiting')) exit(3);
}

/** A table of the night, with the reason of every row. */
export function nightText(night: NightResult): string {
  const { skills, spend, stops, sessions } = night;
  const [stop] = stops;
  if (skills.length === 0)
    return stop === undefined
      ? 'No skill was found here.'
      : `${stop.sentence} ${ownCure(stop.cure, 'terminal')}`.trim();
  const told = skills.filter((skill) => skill.stop !== 'later-night'); // those that wait are listed with their turns
  const rows = told.map((skill) => {
    const { name, outcome, verdict, before, after, metric, reason } = skill;
    return [
      name,
      nightWord(outcome, verdict),
      nightHead(skill, t),
      before === undefined || after === undefined ? '' : scoredPercents({ before, after, metric }, english),
      withOwnCure(behindSentence(reason), 'terminal'),
    ];
  });
  return [
    table(rows),
    '',
    ...givenPlacesText(night),
    ...(sessions === undefined ? [] : nightNotes(sessions, english).map((line) => oneLine(line))),
    `${modelCalls(spend.calls)}, ${grouped(spend.tokens)} tokens.`,
    ...[nightLine(night, english)].filter((line) => line !== ''),
    ...(sessions?.waitingFor ?? []).flatMap(({ skillPath, ...each }) => draftsLine({ ...each, skill: skillPath })),
  ].join('\n');
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
