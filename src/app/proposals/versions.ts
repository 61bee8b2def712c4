import * as z from 'zod';
import { canonicalJson, sha256 } from '../../hash.js';
import type { PackageFiles } from '../../skill/package/packageFile.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { DocumentKind } from '../../ports/proposal.js';
import { listReceipts, type Receipt } from '../../storage/adoption/receipts.js';
import type { WrittenVersion } from '../../review/measurementStatus.js';
import type { SkillPlace } from '../openSkill.js';
import { documentFiles } from './documentFiles.js';
import { skillState, type SkillState } from '../../storage/state/skillState.js';
import type { SkillStore } from '../../storage/state/store.js';

/** A version of a skill that was once on disk by our hand. */
export interface AdoptedVersion extends WrittenVersion {
  readonly at: number;
  /** Which document its hashes and texts are of: the skill, or the memory file where it changed that alone. */
  readonly document: DocumentKind;
  /** The files that it changed, that document's first. */
  readonly files: readonly string[];
}

/** Every version, newest first. One that nobody had measured when it was written carries what measuring it gave since. */
export async function versionsOf(skill: SkillPlace): Promise<readonly AdoptedVersion[]> {
  const readings = await listReceipts(skill.store);
  const measured = readings.length === 0 ? new Map<string, Verdict>() : await measuredTexts(skill.store);
  const versions = readings.flatMap((reading) =>
    'receipt' in reading ? [versionOf(skill, reading.receipt, reading.kind)] : [],
  );
  return (await Promise.all(versions)).map((version) => {
    const since = version.own && version.verdict === 'unmeasured' ? measured.get(version.afterHash) : undefined;
    return since === undefined ? version : { ...version, verdict: since.kind, measured: since };
  });
}

/** The same once the skill was measured together with the files beside it: the newest version led to what was measured. */
export function withMeasured(
  versions: readonly AdoptedVersion[],
  measured: Verdict | undefined,
): readonly AdoptedVersion[] {
  const newest = measured === undefined ? undefined : versions.find(({ own }) => own);
  if (measured === undefined || newest?.action !== 'adopt') return versions;
  return versions.map((version) => (version === newest ? { ...version, verdict: measured.kind, measured } : version));
}

/** A receipt as a version that people recognise: one of ours unless it is said to be made elsewhere. */
export async function versionOf(
  { places }: Pick<SkillPlace, 'places'>,
  receipt: Receipt,
  kind: 'verified' | 'made-elsewhere' = 'verified',
): Promise<AdoptedVersion> {
  const changed = receipt.documents.filter(({ before, after }) => before !== after);
  const documents = shownFirst(changed.length === 0 ? receipt.documents : changed);
  const [document] = documents;
  return {
    id: String(receipt.seq),
    at: receipt.at,
    action: receipt.action,
    proposalId: receipt.proposalId,
    verdict: receipt.verdict,
    measured: undefined,
    beforeHash: document?.before ?? '',
    afterHash: document?.after ?? '',
    document: document?.kind ?? 'skill',
    files: Object.values(await documentFiles(places, documents)),
    own: kind === 'verified',
  };
}

const order: readonly DocumentKind[] = ['skill', 'file', 'memory'];

/** The skill before the files beside it, and those before its memory file. */
function shownFirst<Document extends { readonly kind: DocumentKind }>(
  documents: readonly Document[],
): readonly Document[] {
  return documents.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/**
 * What a skill with these files beside it is remembered by once it was measured; without files by the hash of its own
 * bytes, as the texts of versions are.
 */
export function measuredKey(skillHash: string, files: PackageFiles = {}): string {
  const rows = Object.entries(files).map(([file, text]) => [file, sha256(text)] as const);
  return rows.length === 0 ? skillHash : sha256(canonicalJson([skillHash, Object.fromEntries(rows)]));
}

/** What measuring exactly this gave, where it was measured here. */
export async function measuredSince(
  store: SkillStore,
  skillHash: string,
  files: PackageFiles,
): Promise<Verdict | undefined> {
  return (await measuredTexts(store)).get(measuredKey(skillHash, files));
}

/** What was measured, by its key, and what measuring exactly this gave. */
interface MeasuredText {
  readonly hash: string;
  readonly verdict: Verdict;
}

const mostRemembered = 50;

const schema = z.custom<{ readonly texts: readonly MeasuredText[] }>(
  (value) =>
    z
      .object({
        texts: z.array(z.object({ hash: z.string(), verdict: z.object({ kind: z.string(), reason: z.string() }) })),
      })
      .safeParse(value).success,
);

/** Remembers what measuring a text gave; a later measurement of the same text takes its place. */
export async function rememberMeasured(store: SkillStore, measured: MeasuredText, signal: AbortSignal): Promise<void> {
  await recordOf(store).update((before) => {
    const others = (before?.texts ?? []).filter(({ hash }) => hash !== measured.hash);
    return { texts: [...others, measured].slice(-mostRemembered) };
  }, signal);
}

/** Verdicts of texts that were measured by themselves here, by the hash of the text. */
async function measuredTexts(store: SkillStore): Promise<ReadonlyMap<string, Verdict>> {
  const reading = await recordOf(store).read();
  if (reading.kind !== 'verified') return new Map();
  return new Map(reading.body.texts.map(({ hash, verdict }) => [hash, verdict]));
}

function recordOf(store: SkillStore): SkillState<{ readonly texts: readonly MeasuredText[] }> {
  return skillState(store, 'measured-texts', schema);
}
