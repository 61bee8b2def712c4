import type { AttemptResult, Environment } from '../ports/environment.js';
import type { ProgramConsent, ProgramContents, Programs } from '../ports/programs.js';
import type { EnvironmentDeclaration } from '../tasks/readers/whetstoneFile.js';
import { declaredStart, type DeclaredStart, type ModuleStart } from './declaredStart.js';
import { lineFor, readResult } from './programReply.js';

export interface ProgramSources {
  readonly programs: Programs;
  readonly consent: ProgramConsent;
  /** The folder of the skill: the declaration's folder is relative to it. */
  readonly folder: string;
  /** What the person allows is what runs. Asked only before an attempt: a program that no task uses is never read. */
  readonly contents: ProgramContents;
  readonly moduleStart: ModuleStart;
}

const outputLimitBytes = 4_000_000;

/**
 * A declared program or module attempts the task and judges itself: it gets one JSON line `{phase, split, seed, task,
 * skill, memory, options}` and gives `{id, hard, soft, fail_reason?, conversation?, ...}`. It runs only after the person
 * allowed exactly this content, in a throw-away copy of its folder. Its own time limit is the skill's doing and scored.
 */
export function createProgramEnvironment(
  name: string,
  declared: EnvironmentDeclaration,
  sources: ProgramSources,
): Environment {
  const start = declaredStart(declared, sources.folder, sources.moduleStart);
  return {
    name,
    async attempt(request, signal) {
      const refused = await refusal(start, sources, signal);
      if (refused !== undefined) return refused;
      const line = lineFor(request, declared.options);
      const timeLimitMs = declared.timeLimitSeconds * 1000;
      const result = await sources.programs.run(
        { ...start.started, input: `${JSON.stringify(line)}\n`, timeLimitMs, outputLimitBytes },
        signal,
      );
      return readResult(result, request, declared.timeLimitSeconds);
    },
  };
}

/** Why it may not run; undefined where the person allowed exactly what is there now. */
async function refusal(
  { what, bound, folder, formerly }: DeclaredStart,
  { contents, consent }: ProgramSources,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const found = await contents.of(bound, signal);
  if (found.kind === 'unreadable')
    return invalid(`What the program “${what}” would run cannot be looked at: ${found.reason}`);
  const { text: content, shown, unbound } = found;
  if (!(await consent.allows({ what, content, formerly: formerly(found), folder, shown, unbound }, signal)))
    return invalid(`The program “${what}” was not allowed to run.`);
  const now = await contents.of(bound, signal);
  if (now.kind !== 'found' || now.text !== content)
    return invalid(`The program “${what}” changed while it was asked about.`);
  return undefined;
}

function invalid(reason: string): AttemptResult {
  return { kind: 'invalid', reason };
}
