import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../../src/errors.js';
import { parseSchedule } from '../../../src/schedule/cronExpression.js';
import { launchdPlist } from '../../../src/schedule/launchd.js';
import type { OsEntry } from '../../../src/schedule/osEntry.js';
import { planOsSchedule, schedulerOf } from '../../../src/schedule/osSchedule.js';
import { windowsEnvironmentFile, windowsTaskXml, windowsWrapper } from '../../../src/schedule/windowsTask.js';

describe('launchdPlist', () => {
  it('carries a command that runs as it stands, whatever the paths hold', () => {
    const home = mkdtempSync(path.join(tmpdir(), 'whetstone-<&"\'>-'));
    try {
      const environmentFile = path.join(home, 'night.env');
      writeFileSync(environmentFile, 'WORD="a<b>&c"\n');
      const entry = posix({
        root: home,
        program: process.execPath,
        arguments: ['-e', 'console.log(process.env.WORD, process.argv[1])', 'x & <y>'],
        environmentFile,
        logFile: path.join(home, 'night.log'),
      });
      const [shell = '', ...rest] = stringsOf(launchdPlist(entry), 'ProgramArguments');
      execFileSync(shell, rest, { env: {} });
      assert.equal(readFileSync(entry.logFile, 'utf8'), 'a<b>&c x & <y>\n');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  const table: readonly (readonly [at: string, intervals: readonly string[]])[] = [
    ['03:17', ['Hour=3 Minute=17']],
    ['0 4 * * 1,5', ['Weekday=1 Hour=4 Minute=0', 'Weekday=5 Hour=4 Minute=0']],
    ['0 4 1 * *', ['Day=1 Hour=4 Minute=0']],
    ['0 4 1 6 0', ['Month=6 Day=1 Hour=4 Minute=0', 'Month=6 Weekday=0 Hour=4 Minute=0']],
  ];
  for (const [at, intervals] of table)
    it(`starts at “${at}” on the same days as cron`, () => {
      const plist = launchdPlist(posix({ cron: parseSchedule(at) }));
      const dicts = [...plist.matchAll(/^ {4}<dict>(.*)<\/dict>$/gmu)].map((match) =>
        (match[1] ?? '').replaceAll(/<key>(\w+)<\/key><integer>(\d+)<\/integer>/gu, '$1=$2 ').trim(),
      );
      assert.deepEqual(dicts, intervals);
    });
});

describe('windowsTaskXml', () => {
  const table: readonly (readonly [at: string, parts: readonly string[]])[] = [
    ['03:17', ['2000-01-01T03:17:00', '<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>']],
    ['0 4 * * 1-2', ['<ScheduleByWeek>', '<DaysOfWeek><Monday /><Tuesday /></DaysOfWeek>']],
    ['0 4 1,15 * *', ['<DaysOfMonth><Day>1</Day><Day>15</Day></DaysOfMonth>', '<January />', '<December />']],
    ['0 4 * 6 *', ['<Day>1</Day>', '<Day>31</Day>', '<Months><June /></Months>']],
    ['0 4 * 6 0', ['<ScheduleByMonthDayOfWeek>', '<Week>Last</Week>', '<Sunday />', '<Months><June /></Months>']],
    ['0 4 1 * 0', ['<ScheduleByMonth>', '<ScheduleByWeek>']],
  ];
  for (const [at, parts] of table)
    it(`starts at “${at}” on the same days as cron`, () => {
      const xml = windowsTaskXml(windows({ cron: parseSchedule(at) }), wrapperFile());
      for (const part of parts) assert.ok(xml.includes(part), `${part} is missing in ${xml}`);
    });

  it('starts the wrapper by an absolute program, escaped for XML', () => {
    const xml = windowsTaskXml(windows({ root: 'C:\\a & b' }), 'C:\\R&D <x>\\night.cmd');
    assert.ok(xml.includes('<Command>%SystemRoot%\\System32\\cmd.exe</Command>'));
    assert.ok(xml.includes('<Arguments>/d /c &quot;&quot;C:\\R&amp;D &lt;x&gt;\\night.cmd&quot;&quot;</Arguments>'));
    assert.ok(xml.includes('nightly run for C:\\a &amp; b'));
  });

  const refused: readonly (readonly [name: string, entry: Partial<OsEntry>, file: string, why: RegExp])[] = [
    ['a program found by PATH', { program: 'node.exe' }, wrapperFile(), /not an absolute path/u],
    ['a quotation mark in an argument', { arguments: ['a"b'] }, wrapperFile(), /quotation mark/u],
    [
      'an argument that would swallow its closing quotation mark',
      { arguments: ['C:\\x\\'] },
      wrapperFile(),
      /backslash/u,
    ],
    ['a wrapper path that would be expanded', {}, 'C:\\100%\\night.cmd', /expand/u],
  ];
  for (const [name, entry, file, why] of refused)
    it(`refuses ${name}`, () => {
      assert.throws(
        () => windowsTaskXml(windows(entry), file),
        (error: unknown) => error instanceof UserError && why.test(error.message),
      );
    });
});

describe('windowsWrapper', () => {
  it('reads the environment, then runs the night with its words in the log', () => {
    assert.equal(
      windowsWrapper(windows({ arguments: ['C:\\w\\cli.js', 'night', '--root', 'C:\\100% mine'] })),
      [
        '@echo off',
        'setlocal DisableDelayedExpansion',
        'chcp 65001 >nul',
        'for /f "usebackq tokens=1,* delims==" %%a in ("C:\\state\\night.env") do set "%%a=%%b"',
        '"C:\\Program Files\\nodejs\\node.exe" "C:\\w\\cli.js" "night" "--root" "C:\\100%% mine" >>"C:\\state\\night.log" 2>&1',
        'exit /b %ERRORLEVEL%',
        '',
      ].join('\r\n'),
    );
  });

  it('writes the environment file so that the wrapper takes it literally', () => {
    assert.equal(windowsEnvironmentFile({ KEY: 'a%b&c=d', N: '1' }), 'KEY=a%b&c=d\r\nN=1\r\n');
    assert.throws(() => windowsEnvironmentFile({ KEY: '=a' }), UserError);
    assert.throws(() => windowsEnvironmentFile({ KEY: 'a\r\nPATH=x' }), UserError);
    assert.throws(() => windowsEnvironmentFile({ 'A B': 'a' }), UserError);
  });
});

describe('planOsSchedule', () => {
  it('knows the scheduler of each platform', () => {
    assert.deepEqual(['linux', 'freebsd', 'darwin', 'win32'].map(schedulerOf), [
      'crontab',
      'crontab',
      'launchd',
      'schtasks',
    ]);
  });

  it('writes keys into one file for its owner only and never shows them', () => {
    const environment = { OPENAI_API_KEY: 'sk-secret' };
    const plans = [
      planOsSchedule('crontab', { entry: posix(), environment, folder: '/unused' }),
      planOsSchedule('launchd', { entry: posix(), environment, folder: '/Users/ada/Library/LaunchAgents' }),
      planOsSchedule('schtasks', { entry: windows(), environment, folder: 'C:\\state' }),
    ];
    for (const { text, files, install } of plans) {
      const secret = files.filter((file) => file.text.includes('sk-secret'));
      assert.deepEqual(
        secret.map((file) => [file.mode, file.secret]),
        [[0o600, true]],
      );
      assert.ok(!text.includes('sk-secret'));
      assert.ok(!JSON.stringify(install).includes('sk-secret'));
    }
  });

  it('names the programs that install and remove it', () => {
    const launchd = planOsSchedule('launchd', { entry: posix(), environment: {}, folder: '/agents' });
    assert.deepEqual(launchd.install, [['/bin/launchctl', 'load', '-w', '/agents/dev.whetstone.night.abc123.plist']]);
    const schtasks = planOsSchedule('schtasks', { entry: windows(), environment: {}, folder: 'C:\\state' });
    assert.deepEqual(schtasks.remove, [['schtasks.exe', '/Delete', '/TN', '\\Whetstone\\night-abc123', '/F']]);
    assert.deepEqual(
      schtasks.files.map((file) => [file.path, file.encoding]),
      [
        ['C:\\state\\night.env', 'utf8'],
        ['C:\\state\\night-abc123.cmd', 'utf8'],
        ['C:\\state\\night-abc123.xml', 'utf16le-bom'],
      ],
    );
  });
});

function wrapperFile(): string {
  return 'C:\\state\\night-abc123.cmd';
}

function posix(some: Partial<OsEntry> = {}): OsEntry {
  return {
    id: 'abc123',
    root: '/home/ada/project',
    cron: parseSchedule('03:17'),
    program: '/usr/bin/node',
    arguments: ['/opt/whetstone/cli.js', 'night'],
    environmentFile: '/home/ada/state/night.env',
    logFile: '/home/ada/state/night.log',
    ...some,
  };
}

function windows(some: Partial<OsEntry> = {}): OsEntry {
  return {
    id: 'abc123',
    root: 'C:\\project',
    cron: parseSchedule('03:17'),
    program: 'C:\\Program Files\\nodejs\\node.exe',
    arguments: ['C:\\w\\cli.js', 'night'],
    environmentFile: 'C:\\state\\night.env',
    logFile: 'C:\\state\\night.log',
    ...some,
  };
}

/** The strings of the array under a key, as launchd would read them. */
function stringsOf(plist: string, key: string): readonly string[] {
  const array = new RegExp(`<key>${key}</key>\\s*<array>(.*?)</array>`, 'su').exec(plist)?.[1] ?? '';
  return [...array.matchAll(/<string>(.*?)<\/string>/gsu)].map((match) =>
    (match[1] ?? '').replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  );
}
