import path from 'node:path';
import { sha256 } from '../../hash.js';
import { placeOf } from '../nights/nightSchedule.js';

/** Where what belongs to nights of the operating system lies in user state. */
export interface OsPlaces {
  readonly id: string;
  readonly folder: string;
  /** The stable copy of the command line, shared by all entries of this user. */
  readonly cli: string;
  readonly environmentFile: string;
  readonly logFile: string;
}

const idLength = 12;

export function osPlaces(userState: string, folders: readonly string[]): OsPlaces {
  const id = sha256(placeOf(folders)).slice(0, idLength);
  const folder = path.join(userState, 'os-schedule');
  return {
    id,
    folder,
    cli: osCopy(userState),
    environmentFile: path.join(folder, `${id}.env`),
    logFile: path.join(folder, `${id}.log`),
  };
}

/** The stable copy of the command line; what it loads lies beside it, as in what ships. */
export function osCopy(userState: string): string {
  return path.join(userState, 'os-schedule', 'program', 'cli.js');
}
