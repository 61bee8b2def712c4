import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { isInside } from '../../isInside.js';
import { type RootRequest, stateFolderName } from './workspaceRoot.js';

/**
 * Refuses a skill that a link leads out of the folder it was found in: a clone may bring such a link, and a text of its
 * choice would be sent to models and written. A link to another open folder is the person's own. Outside every open
 * folder, what lies around the skill counts, as far as `.whetstone` or `.git` hold it together. A linked file must be a document.
 * `real` is where the request's path really leads.
 */
export async function refuseLinkOut(request: RootRequest, real: string): Promise<void> {
  const given = path.resolve(request.skillPath);
  const opened = await openFolder(request, given);
  const around = await bounds(given, opened);
  if (around === undefined) return refuseNoDocument(given, real);
  const inFolder = path.join(around.real, path.relative(around.named, given));
  if (inFolder === real) return;
  const others = await Promise.all(request.workspaceFolders.map((folder) => unlessMissing(realpath(folder))));
  const isKnown = [around.real, ...others].some((folder) => folder !== undefined && isInside(folder, real));
  if (!isKnown) throw leadsOut(given, real);
  refuseNoDocument(given, real);
}

/** A folder as it is named, and as it really is: links above it are the person's own. */
interface Folder {
  readonly named: string;
  readonly real: string;
}

/** The innermost of the folders that the person opened, or stands in, that the path was named in. */
async function openFolder(request: RootRequest, given: string): Promise<Folder | undefined> {
  const { explicitRoot, workspaceFolders, cwd } = request;
  const named =
    explicitRoot === undefined ? [...workspaceFolders, ...(cwd === undefined ? [] : [cwd])] : [explicitRoot];
  const both = await Promise.all(named.map(async (folder) => [path.resolve(folder), await folderAt(folder)] as const));
  return both
    .flatMap(([folder, real]) =>
      real === undefined
        ? []
        : [
            { named: folder, real },
            { named: real, real },
          ],
    )
    .filter((folder) => isInside(folder.named, given))
    .sort((left, right) => right.named.length - left.named.length)[0];
}

/** The nearest folder above the skill that is a workspace of its own, up to the one that was opened. */
async function bounds(given: string, opened: Folder | undefined): Promise<Folder | undefined> {
  for (const marker of [stateFolderName, '.git']) {
    for (let named = path.dirname(given); isWithin(named, opened); named = path.dirname(named)) {
      const real = await folderAt(named);
      // A folder that is itself behind a link of the opened one says nothing about what lies around the link.
      const isItself = real !== undefined && (opened === undefined || real === placeIn(opened, named));
      if (isItself && (await unlessMissing(stat(path.join(real, marker)))) !== undefined) return { named, real };
      if (path.dirname(named) === named) break;
    }
  }
  return opened;
}

function isWithin(folder: string, opened: Folder | undefined): boolean {
  return opened === undefined || isInside(opened.named, folder);
}

function placeIn({ named, real }: Folder, folder: string): string {
  return path.join(real, path.relative(named, folder));
}

async function folderAt(folder: string): Promise<string | undefined> {
  return unlessMissing(realpath(folder));
}

function refuseNoDocument(given: string, real: string): void {
  if (path.basename(given) !== path.basename(real) && !/\.md$/i.test(real)) throw leadsOut(given, real);
}

function leadsOut(given: string, real: string): UserError {
  return new UserError(
    'leads-outside',
    `${given} is behind a link that leads to ${real}, so it is not used.`,
    'Open the folder in which the skill really lies, or put the skill itself in place of the link.',
  );
}
