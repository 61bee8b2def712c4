import type { PresetName } from '../../engine/runOptions.js';
import type { Finding } from '../../models/doctor/finding.js';
import type { SpendCap } from '../../ports/spend.js';
import type { OsScheduler } from '../../schedule/osSchedule.js';
import type { ModelSpecs } from '../models/chooseModels.js';

/** Everything a night of the operating system does by: kept sealed in user state, so that the entry itself stays short. */
export interface InstalledSchedule {
  readonly folders: readonly string[];
  /** A time, or a cron expression. */
  readonly at: string;
  readonly models: ModelSpecs;
  readonly preset: PresetName;
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly excluded: readonly string[];
  readonly autoAdopt: readonly string[];
  readonly onBattery: 'run' | 'skip';
  readonly caps: { readonly night: SpendCap; readonly day: SpendCap; readonly month: SpendCap };
}

/** The program that the face itself runs in; it serves as Node where there is no other. */
export interface HostProgram {
  readonly path: string;
  /** True for an editor's own binary, which is Node only when it is told so. */
  readonly electron: boolean;
  /** True where a Node of the machine's own is the better choice: an editor's is replaced with every update. */
  readonly replaceable: boolean;
}

export interface OsScheduleRequest extends InstalledSchedule {
  /** The command line that ships with the face; a copy of it is what runs, so that an update does not break it. */
  readonly cli: string;
  readonly host: HostProgram;
  /** Keys that the person stored, by the host that they are for. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What is or would be installed. Holds nothing secret. */
export interface OsScheduleView {
  readonly id: string;
  readonly scheduler: OsScheduler;
  /** The exact text that the scheduler gets. */
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly mode: string; readonly secret: boolean }[];
  readonly logFile: string;
  readonly installed: boolean;
}

export interface DoctorRequest {
  readonly version: string;
  readonly folders: readonly string[];
  readonly skills: readonly string[];
}

/** What keeps Whetstone from working here, if anything does. Holds nothing secret: it is made to be sent to others. */
export interface DoctorResult {
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

/** The part of the use cases that works while no window is open. */
export interface OsScheduleMethods {
  /** What an installation would do. Changes nothing. */
  showOsSchedule(request: OsScheduleRequest, signal: AbortSignal): Promise<OsScheduleView>;
  /** Checks that a night would run in the scheduler's bare environment, and only then installs it. */
  installOsSchedule(request: OsScheduleRequest, signal: AbortSignal): Promise<OsScheduleView>;
  /** False where nothing was installed. */
  removeOsSchedule(folders: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** What was installed under this id, or for these folders; undefined where nothing was. */
  installedOsSchedule(
    which: { readonly id: string } | { readonly folders: readonly string[] },
  ): Promise<InstalledSchedule | undefined>;
  /** Brings the copy that installed nights run up to date with the command line given. Does nothing where none is installed. */
  refreshOsCopy(cli: string): Promise<boolean>;
  doctor(request: DoctorRequest, signal: AbortSignal): Promise<DoctorResult>;
}
