import { UserError } from '../errors.js';
import type { CronExpression } from './cronExpression.js';

/**
 * What the operating system is asked to start while VS Code is closed. Everything the night needs is in `arguments`
 * and the environment file: a scheduler starts programs with an almost empty environment and no terminal.
 */
export interface OsEntry {
  /** Of the root; one entry a root. Lower-case letters, digits and hyphens. */
  readonly id: string;
  /** The workspace that the night is about; shown in comments. */
  readonly root: string;
  readonly cron: CronExpression;
  /** Absolute: Node, or VS Code's own binary, which serves as Node with ELECTRON_RUN_AS_NODE in the environment file. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Absolute; holds keys, so it must be readable by its owner only. */
  readonly environmentFile: string;
  /** Absolute; its folder must exist. */
  readonly logFile: string;
}

/** Mode of the environment file. */
export const environmentFileMode = 0o600;

/** Throws a UserError where an entry could not be written down safely, or would not find its programs. */
export function assertWritable(entry: OsEntry, isAbsolute: (path: string) => boolean): void {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/u.test(entry.id))
    throw refused(`The id “${entry.id}” may hold only lower-case letters, digits and hyphens`);
  for (const path of [entry.program, entry.environmentFile, entry.logFile, entry.root])
    if (!isAbsolute(path)) throw refused(`“${path}” is not an absolute path, and a scheduler has no working folder`);
  for (const text of [entry.program, entry.environmentFile, entry.logFile, entry.root, ...entry.arguments])
    if (hasControlCharacter(text)) throw refused(`“${JSON.stringify(text)}” holds a line break or control character`);
}

/** Names and values for the environment file must survive it; throws a UserError naming the variable that would not. */
export function assertEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) throw refused(`“${name}” is no name of an environment variable`);
    if (hasControlCharacter(value)) throw refused(`The value of ${name} holds a line break or control character`);
  }
}

/** The one error of this folder that concerns the operating system's schedule. */
export function refused(what: string, cure = 'Change it and try again.'): UserError {
  return new UserError('schedule-refused', `${what}.`, cure);
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Text for an XML element. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
