import type { CronExpression, CronField } from './cronExpression.js';
import { type OsEntry, escapeXml } from './osEntry.js';
import { shellCommand } from './crontab.js';

/** The job's label, also the name of its file in `~/Library/LaunchAgents`. */
export function launchdLabel(id: string): string {
  return `dev.whetstone.night.${id}`;
}

/** The property list of a launch agent. launchd makes up for one time that was slept through, by itself. */
export function launchdPlist(entry: OsEntry): string {
  const command = shellCommand(entry);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${launchdLabel(entry.id)}</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>-c</string>
    <string>${escapeXml(command)}</string>
  </array>
  <key>StartCalendarInterval</key>
  <array>
${calendarIntervals(entry.cron).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <false/>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
}

function calendarIntervals(cron: CronExpression): readonly string[] {
  const time = [`<key>Hour</key><integer>${cron.hour}</integer>`, `<key>Minute</key><integer>${cron.minute}</integer>`];
  return keysOf('Month', cron.months).flatMap((month) =>
    dayKeys(cron).map((day) => `    <dict>${[...month, ...day, ...time].join('')}</dict>`),
  );
}

/** Days of the month and weekdays are separate intervals: together they mean either. */
function dayKeys(cron: CronExpression): readonly (readonly string[])[] {
  if (cron.days === '*') return keysOf('Weekday', cron.weekdays);
  return cron.weekdays === '*'
    ? keysOf('Day', cron.days)
    : [...keysOf('Day', cron.days), ...keysOf('Weekday', cron.weekdays)];
}

function keysOf(name: string, field: CronField): readonly (readonly string[])[] {
  return field === '*' ? [[]] : field.map((value) => [`<key>${name}</key><integer>${value}</integer>`]);
}
