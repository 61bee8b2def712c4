import path from 'node:path';
import * as z from 'zod';
import { removeInside } from '../files/writeInside.js';
import { readBounded, type SealedFormat, type Sealing, unseal, writeSealedInside } from '../files/sealedFile.js';
import { withFileLocks } from '../state/skillLocks.js';
import { HiddenSecrets, withoutSecrets, withSecrets } from '../state/hiddenSecrets.js';
import type { SkillStore } from '../state/store.js';

/** What the person decided on one edit of a proposal. */
export type Decision =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'edited'; readonly content: string };

/** By edit id (`E1`, `E2`, ...); an edit without an entry is still open. */
export type Decisions = Readonly<Record<string, Decision>>;

interface DecisionsFile {
  readonly proposalId: string;
  readonly decisions: Decisions;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

const format: SealedFormat<DecisionsFile> = {
  format: 'whetstone-decisions',
  version: 1,
  schema: z.object({
    proposalId: z.string(),
    decisions: z.record(
      z.string(),
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('accepted') }),
        z.object({ kind: z.literal('rejected'), reason: z.string() }),
        z.object({ kind: z.literal('edited'), content: z.string() }),
      ]),
    ),
    secrets: HiddenSecrets,
  }),
};

/** What was decided on exactly this proposal, here. Kept apart from the proposal, whose bytes never change. */
export async function readDecisions(store: SkillStore, proposalId: string): Promise<Decisions> {
  const text = await readBounded(fileOf(store));
  const reading = text === undefined ? undefined : unseal(sealing(store), text);
  if (reading?.kind !== 'verified' || reading.body.proposalId !== proposalId) return {};
  return withSecrets(store, reading.body.decisions, reading.body.secrets);
}

/** Adds decisions, the newest on an edit wins; gives all of them. Those on an earlier proposal are dropped. */
export async function noteDecisions(
  store: SkillStore,
  proposalId: string,
  decided: Decisions,
  signal: AbortSignal,
): Promise<Decisions> {
  return changeDecisions(store, proposalId, (before) => ({ ...before, ...decided }), signal);
}

/** Takes decisions back: these edits are open again. Files of one proposal may be reopened at the same moment. */
export async function takeDecisionsBack(
  store: SkillStore,
  proposalId: string,
  edits: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const kept = (before: Decisions): Decisions =>
    Object.fromEntries(Object.entries(before).filter(([id]) => !edits.includes(id)));
  await changeDecisions(store, proposalId, kept, signal);
}

/** Nobody else changes them meanwhile. Where none are left, there is no file. */
async function changeDecisions(
  store: SkillStore,
  proposalId: string,
  change: (before: Decisions) => Decisions,
  signal: AbortSignal,
): Promise<Decisions> {
  const file = fileOf(store);
  return withFileLocks(store, { paths: [file], what: 'noting a decision' }, signal, async () => {
    const decisions = change(await readDecisions(store, proposalId));
    if (Object.keys(decisions).length === 0) {
      await removeDecisions(store);
      return decisions;
    }
    const { value, secrets } = withoutSecrets(store, decisions);
    const body = { proposalId, decisions: value, ...(secrets === undefined ? {} : { secrets }) };
    await writeSealedInside(store.places.workspaceState, sealing(store), file, body);
    return decisions;
  });
}

/** For when a new proposal takes the place of the one decided on. */
export async function removeDecisions(store: SkillStore): Promise<void> {
  await removeInside(store.places.workspaceState, fileOf(store));
}

function sealing(store: SkillStore): Sealing<DecisionsFile> {
  return { key: store.key, format, about: `skill ${store.places.skillKey}` };
}

function fileOf({ places }: SkillStore): string {
  return path.join(places.workspaceState, 'decisions', `${places.skillKey}.json`);
}
