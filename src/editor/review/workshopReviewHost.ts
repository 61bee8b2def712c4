import type * as vscode from 'vscode';
import type { ProposedDocument } from '../../ports/proposal.js';
import type { PendingProposal } from '../../workshop/workshop.js';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../overviews.js';
import type { SkillCatalog } from '../skillCatalog.js';
import { requestFor, type WorkshopSource } from '../workbench.js';
import type { ReviewHost } from './reviewHost.js';

export interface ReviewHostParts {
  readonly workshop: WorkshopSource;
  readonly overviews: Overviews;
  readonly catalog: SkillCatalog;
  readonly storage: vscode.Uri;
  /** What costs money or belongs to another room. */
  readonly others: Pick<ReviewHost, 'measure' | 'price' | 'reopen' | 'showReport'>;
}

/** What the review room asks, answered by the workshop. */
export function workshopReviewHost({ workshop, overviews, catalog, storage, others }: ReviewHostParts): ReviewHost {
  const pending = async (skillPath: string): Promise<PendingProposal | undefined> =>
    (await overviews.of(skillPath)).pending;
  return {
    storage,
    onDidChange: overviews.onDidChange,
    pending,
    async waiting() {
      const paths = (await catalog.skills()).map(({ realPath }) => realPath);
      const found = await Promise.all(paths.map((path) => pending(path).catch(() => undefined)));
      return paths.filter((_, index) => found[index] !== undefined);
    },
    fileOf: documentFile,
    async decide(skillPath, decisions) {
      await (await workshop()).decide({ ...requestFor(skillPath), decisions }, neverAborted());
      overviews.refresh(skillPath);
    },
    async noteAdoption(skillPath, change) {
      await (await workshop()).noteAdoption({ ...requestFor(skillPath), ...change }, neverAborted());
      overviews.refresh(skillPath);
    },
    ...others,
  };
}

/** A skill lies where the person found it; what goes with it lies beside it, seen from the root of the two paths. */
function documentFile(skillPath: string, { proposal }: PendingProposal, document: ProposedDocument): string {
  const skill = proposal.documents.find(({ kind }) => kind === 'skill');
  if (document.kind === 'skill' || skill === undefined || isAbsolute(document.path)) {
    return document.kind === 'skill' ? skillPath : document.path;
  }
  const normal = skillPath.replaceAll('\\', '/');
  const root = normal.endsWith(skill.path) ? normal.slice(0, -skill.path.length) : `${normal}/../`;
  return root + document.path;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path);
}
