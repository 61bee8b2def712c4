import type { WorkCanaries } from '../../../ports/agentWork.js';
import type { ProgramRequest, ProgramResult } from '../../../ports/programs.js';

/** What the helper process is started with; every path is absolute and resolved. */
export interface HelperSettings {
  /** Programs of the system that it is built on. */
  readonly tools: SandboxTools;
  /** `apply-seccomp`, which closes Unix sockets. */
  readonly seccomp: string;
  /** What nobody in the sandbox reads. */
  readonly denied: readonly string[];
  /** The workspace and our state: no declared read opens a folder that holds one of them. */
  readonly kept: readonly string[];
  /** Our state: no declared read opens anything in it. */
  readonly sealed: readonly string[];
  /** The person's home: what is installed there may be read, each program by itself. */
  readonly home: string;
  /** Where attempts get their folders. */
  readonly attempts: string;
  /** The library's own sockets and certificates; read by those in the sandbox, so that nothing else may lie there. */
  readonly own: string;
  /** Whether keys are masked: encrypted traffic is then opened on its way. */
  readonly masks: boolean;
  readonly limits: SandboxLimits;
}

export interface SandboxTools {
  readonly bwrap: string;
  readonly socat: string;
  readonly rg: string;
  readonly prlimit: string;
  readonly bash: string;
}

/** What one program may take of the machine. */
export interface SandboxLimits {
  readonly processes: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Files and folders that it has at the same time. */
  readonly files: number;
}

export type ToHelper =
  | { readonly kind: 'start'; readonly settings: HelperSettings }
  /** `at`: in folders that are there, of which nothing is copied or removed; what it writes is told as it comes. */
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly request: ProgramRequest;
      readonly at?: StartPlaces | undefined;
    }
  | { readonly kind: 'abort'; readonly id: number };

export type FromHelper =
  /** `refusal`: why nothing runs in it. */
  | { readonly kind: 'started'; readonly refusal: string | undefined }
  | ({ readonly kind: 'said'; readonly id: number } & ProgramOutput)
  /** The proxy kept it from a host, told as often as it asked, up to a bound. */
  | { readonly kind: 'refused'; readonly id: number; readonly host: string }
  | { readonly kind: 'carried'; readonly id: number; readonly canary: 'file' | 'variable' }
  | ({ readonly kind: 'ended'; readonly id: number } & ProgramEnd);

/** Where a program is started whose folders somebody else has made; all of them may be written. */
export interface StartPlaces {
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
  /** A host that is told of however many others were refused before it. */
  readonly watched?: string | undefined;
  /** Planted for this start: told of where a request carries one of their values. */
  readonly canaries?: WorkCanaries | undefined;
}

/** What a program wrote, as it came. */
export interface ProgramOutput {
  readonly from: 'output' | 'error';
  readonly chunk: Uint8Array;
}

/** How a program ended, and what it was kept from. */
export interface ProgramEnd {
  readonly result: ProgramResult;
  readonly refused: readonly SandboxRefusal[];
}

/** What the sandbox kept from a program, as far as it could be seen. */
export interface SandboxRefusal {
  readonly kind: 'read' | 'host';
  readonly what: string;
  /** Whether the person is told how to open it: what a program wants is its own choice, and may be what it is after. */
  readonly advice: 'declare' | 'none';
  /** Its name leads to where no name may lead. */
  readonly leads?: boolean | undefined;
}
