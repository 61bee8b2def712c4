import { type CronExpression, timeOfDay } from './cronExpression.js';
import { assertEnvironment, assertWritable, refused, type OsEntry, escapeXml } from './osEntry.js';

/** The task's name in the Task Scheduler. */
export function windowsTaskName(id: string): string {
  return String.raw`\Whetstone\night-${id}`;
}

/** How the task is registered and removed: program and arguments, for a call without a shell. */
export function schtasksCommands(
  id: string,
  xmlFile: string,
): { readonly install: readonly string[]; readonly remove: readonly string[] } {
  const name = windowsTaskName(id);
  return {
    install: ['schtasks.exe', '/Create', '/TN', name, '/XML', xmlFile, '/F'],
    remove: ['schtasks.exe', '/Delete', '/TN', name, '/F'],
  };
}

/**
 * The task's definition, to be stored as UTF-16 with a byte order mark. Runs as the person who registers it, with no
 * more rights than they have, and makes up for one time that was slept through.
 */
export function windowsTaskXml(entry: OsEntry, wrapperFile: string): string {
  assertWindows(entry, wrapperFile);
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(`Whetstone: nightly run for ${entry.root}`)}</Description>
  </RegistrationInfo>
  <Triggers>
${triggers(entry.cron).join('\n')}
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%SystemRoot%\\System32\\cmd.exe</Command>
      <Arguments>${escapeXml(`/d /c ""${wrapperFile}""`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** The batch file that the task starts: reads the environment file, then runs the night with its words in the log. */
export function windowsWrapper(entry: OsEntry): string {
  assertWindows(entry, entry.program);
  const command = [entry.program, ...entry.arguments].map(batchQuote).join(' ');
  return [
    '@echo off',
    'setlocal DisableDelayedExpansion',
    // Paths and keys are stored as UTF-8.
    'chcp 65001 >nul',
    `for /f "usebackq tokens=1,* delims==" %%a in (${batchQuote(entry.environmentFile)}) do set "%%a=%%b"`,
    `${command} >>${batchQuote(entry.logFile)} 2>&1`,
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n');
}

/** The environment file that the wrapper reads: `NAME=value` lines, taken literally. */
export function windowsEnvironmentFile(variables: Readonly<Record<string, string>>): string {
  assertEnvironment(variables);
  for (const [name, value] of Object.entries(variables))
    if (value.startsWith('=')) throw refused(`The value of ${name} starts with “=”, which a batch file would drop`);
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\r\n`)
    .join('');
}

function assertWindows(entry: OsEntry, wrapperFile: string): void {
  assertWritable(entry, isAbsolute);
  if (!isAbsolute(wrapperFile)) throw refused(`“${wrapperFile}” is not an absolute path`);
  for (const text of [entry.program, entry.environmentFile, entry.logFile, wrapperFile, ...entry.arguments]) {
    if (text.includes('"')) throw refused(`“${text}” holds a quotation mark, which a batch file cannot pass on`);
    if (text.endsWith('\\')) throw refused(`“${text}” ends with a backslash, which would swallow the quotation mark`);
  }
  if (wrapperFile.includes('%')) throw refused(`“${wrapperFile}” holds a %, which the Task Scheduler would expand`);
}

function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/u.test(path);
}

function batchQuote(word: string): string {
  return `"${word.replaceAll('%', '%%')}"`;
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Days of the month and weekdays are separate triggers: together they mean either. */
function triggers(cron: CronExpression): readonly string[] {
  return schedules(cron).map(
    (schedule) =>
      `    <CalendarTrigger><StartBoundary>2000-01-01T${timeOfDay(cron)}:00</StartBoundary><Enabled>true</Enabled>${schedule}</CalendarTrigger>`,
  );
}

function schedules(cron: CronExpression): readonly string[] {
  if (cron.days === '*' && cron.weekdays === '*' && cron.months === '*')
    return ['<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>'];
  if (cron.weekdays === '*') return [byMonthDay(cron)];
  return cron.days === '*' ? [byWeekday(cron, cron.weekdays)] : [byMonthDay(cron), byWeekday(cron, cron.weekdays)];
}

function byMonthDay(cron: CronExpression): string {
  const days = cron.days === '*' ? Array.from({ length: 31 }, (_, index) => index + 1) : cron.days;
  const list = days.map((day) => `<Day>${day}</Day>`).join('');
  return `<ScheduleByMonth><DaysOfMonth>${list}</DaysOfMonth>${monthsOf(cron)}</ScheduleByMonth>`;
}

function byWeekday(cron: CronExpression, weekdays: readonly number[]): string {
  const days = `<DaysOfWeek>${weekdays.map((day) => `<${weekdayNames[day]} />`).join('')}</DaysOfWeek>`;
  if (cron.months === '*') return `<ScheduleByWeek><WeeksInterval>1</WeeksInterval>${days}</ScheduleByWeek>`;
  const weeks = ['1', '2', '3', '4', 'Last'].map((week) => `<Week>${week}</Week>`).join('');
  return `<ScheduleByMonthDayOfWeek><Weeks>${weeks}</Weeks>${days}${monthsOf(cron)}</ScheduleByMonthDayOfWeek>`;
}

function monthsOf(cron: CronExpression): string {
  const months = cron.months === '*' ? monthNames.map((_, index) => index + 1) : cron.months;
  return `<Months>${months.map((month) => `<${monthNames[month - 1]} />`).join('')}</Months>`;
}
