import type { ProgramContent, ProgramRequest, ProgramToRun } from '../ports/programs.js';
import { reachOf, reachWords } from '../tasks/readers/declaredReach.js';
import type { EnvironmentDeclaration, ModuleDeclaration } from '../tasks/readers/whetstoneFile.js';

/** What is started for a module: a process of ours that loads the file, which is named from the working directory. */
export type ModuleStart = (file: string) => Pick<ProgramRequest, 'command' | 'arguments' | 'environment' | 'module'>;

/** How a declaration is started. */
export interface DeclaredStart {
  /** What the person is asked about, in one line. */
  readonly what: string;
  /** What a yes is bound to. */
  readonly bound: ProgramToRun;
  /** Where the person can look at it. */
  readonly folder: string | undefined;
  readonly started: Pick<
    ProgramRequest,
    'command' | 'arguments' | 'folder' | 'only' | 'environment' | 'reach' | 'module'
  >;
  /** What an earlier version would have asked about; see `ProgramQuestion`. */
  readonly formerly: (found: Extract<ProgramContent, { kind: 'found' }>) => string | undefined;
}

/** What a declared program or module is started as, in the skill's folder. Its options tell it what to do: a yes is to them too. */
export function declaredStart(
  declared: EnvironmentDeclaration,
  skillFolder: string,
  moduleStart: ModuleStart,
): DeclaredStart {
  if ('module' in declared) return startOfModule(declared, skillFolder, moduleStart);
  const { command, arguments: words, options = {} } = declared;
  const folder = declared.folder === undefined ? undefined : `${skillFolder}/${declared.folder}`;
  const hasOptions = Object.keys(options).length > 0;
  const reach = reachOf(declared);
  const apart = reachWords(declared);
  const told = [...(hasOptions ? [`options=${JSON.stringify(options)}`] : []), ...apart];
  return {
    what: [command, ...words, ...told].join(' '),
    bound: { command, arguments: words, told, apart, reads: reach?.reads, folder, within: skillFolder },
    folder,
    started: { command, arguments: words, folder, reach },
    formerly: ({ plain }) => {
      if (told.length > 0) return undefined; // it was no part of what was asked about
      const files = plain?.map(({ path, hash }) => `${path} ${hash ?? '-'}`);
      return files === undefined ? undefined : JSON.stringify([command, words, files.join('\n')]);
    },
  };
}

/** Known by its bytes and its options, not by what runs it: a yes in the editor counts on the command line. */
function startOfModule(declared: ModuleDeclaration, skillFolder: string, moduleStart: ModuleStart): DeclaredStart {
  const file = declared.module.replaceAll('\\', '/').replace(/^(?:\.\/+)+/u, '');
  const reach = reachOf(declared);
  const apart = reachWords(declared);
  const told = [...(declared.options === undefined ? [] : [JSON.stringify(declared.options)]), ...apart];
  const nothingFormer = { formerly: () => undefined };
  if (declared.folder !== undefined) {
    const folder = `${skillFolder}/${declared.folder}`;
    const command = `./${file}`;
    const bound = { command, arguments: [], told, apart, reads: reach?.reads, folder, within: skillFolder };
    const started = { ...moduleStart(file), folder, reach };
    return { ...nothingFormer, what: [command, ...told].join(' '), bound, folder, started };
  }
  const place = `${skillFolder}/evals/${file}`;
  const at = place.lastIndexOf('/');
  const [folder, only] = [place.slice(0, at), place.slice(at + 1)];
  return {
    ...nothingFormer,
    what: [place, ...told].join(' '),
    bound: { command: place, arguments: [], told, apart, reads: reach?.reads, folder: undefined, within: skillFolder },
    folder,
    started: { ...moduleStart(only), folder, only, reach },
  };
}
