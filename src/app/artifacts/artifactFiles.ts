import path from 'node:path';
import type { Redactor } from '../../redaction/redactor.js';
import { redactingValues, type RedactValue } from '../../redaction/redactValue.js';
import { writeAllInside } from '../../storage/files/writeInside.js';
import { runFolder } from '../../storage/runs/runFolder.js';
import type { OpenSkill } from '../openSkill.js';
import type { Artifact } from './stepArtifacts.js';

/** Where the artifacts of a run are written, without secrets. */
export interface ArtifactFiles {
  /** In the folder of the run, and in the one that the person named. */
  write(artifacts: readonly Artifact[]): Promise<void>;
  /** In the one that the person named alone; nothing where they named none. */
  writeOut(artifacts: readonly Artifact[]): Promise<void>;
}

export interface ArtifactPlace {
  readonly skill: Pick<OpenSkill, 'store'>;
  readonly redactor: Redactor;
  /** A folder of the person's, as a real path. */
  readonly out?: string | undefined;
}

export function artifactFiles({ skill, redactor, out }: ArtifactPlace, runId: string): ArtifactFiles {
  const { places } = skill.store;
  const folder = runFolder(places, runId);
  const texts = (artifacts: readonly Artifact[]): readonly (readonly [file: string, text: string])[] => {
    const clean = redactingValues(redactor);
    return artifacts.map((each) => [each.file, textOf(each, clean)] as const);
  };
  const inFolder = (root: string, files: ReturnType<typeof texts>): ReadonlyMap<string, string> =>
    new Map(files.map(([file, text]) => [path.join(root, file), text]));
  const toPerson = async (files: ReturnType<typeof texts>): Promise<void> => {
    if (out !== undefined) await writeAllInside(out, inFolder(out, files), mayBeLost);
  };
  return {
    async write(artifacts) {
      const files = texts(artifacts);
      await writeAllInside(places.workspaceState, inFolder(folder, files), { mode: 0o600, ...mayBeLost });
      await toPerson(files);
    },
    async writeOut(artifacts) {
      if (out !== undefined) await toPerson(texts(artifacts));
    },
  };
}

/** Many small files that are made again from the journal's texts where they are missed. */
const mayBeLost = { survives: 'process' } as const;

function textOf({ content }: Artifact, clean: RedactValue): string {
  const cleaned = clean(content).value;
  return typeof cleaned === 'string' ? cleaned : `${JSON.stringify(cleaned, undefined, 2)}\n`;
}
