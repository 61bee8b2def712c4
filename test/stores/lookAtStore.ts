import { skillCertifications } from '../../src/app/runs/certifications/skillCertifications.js';
import { openSkill } from '../../src/app/openSkill.js';
import { createUseCases } from '../../src/app/useCases.js';
import type { World } from '../../src/app/world.js';
import { skillNames } from './storedSkills.js';
import { neverAborted, osRequest, storeWorld, type StorePlace } from './storePlace.js';

/** Everything that is shown of a store, read without changing it. */
export async function lookAtStore(place: StorePlace, at: number) {
  const world = storeWorld(place, at);
  const useCases = createUseCases(world);
  const skills: Record<string, Awaited<ReturnType<typeof lookAtSkill>>> = {};
  for (const name of skillNames) skills[name] = await lookAtSkill(world, place, name);
  const { id, text, logFile } = await useCases.showOsSchedule(osRequest(place), neverAborted);
  return {
    skills,
    nights: await useCases.lastNights([place.work]),
    schedule: await useCases.scheduleState([place.work]),
    spend: await useCases.spendThisMonth(),
    osSchedule: { id, text, logFile },
  };
}

async function lookAtSkill(world: World, place: StorePlace, name: string) {
  const useCases = createUseCases(world);
  const overview = await useCases.overview(place.skill(name), neverAborted);
  const { store } = await openSkill(world, place.skill(name), 'look');
  const certifications = await skillCertifications(store).read();
  const { pending, tasks } = overview;
  return {
    skillKey: overview.skillKey,
    skillId: store.places.skillId,
    documentPath: store.places.documentPath,
    sides: {
      training: idsOf(tasks?.training),
      heldOut: idsOf(tasks?.heldOut),
      sealed: idsOf(tasks?.sealed),
      drafts: idsOf(tasks?.drafts),
    },
    pending:
      pending === undefined
        ? undefined
        : {
            id: pending.proposal.id,
            own: pending.own,
            stale: pending.stale,
            decisions: pending.decisions,
            verdict: pending.proposal.verdict,
            documents: pending.proposal.documents.map(({ kind, path, edits }) => ({
              kind,
              path,
              edits: edits.map(({ id, worth }) => ({ id, worth })),
            })),
          },
    // As 0.1.0 said it.
    taken: { kind: overview.measurement.kind === 'unmeasured' ? 'unmeasured' : 'none' },
    runs: overview.runs.map(({ runId, purpose, outcome, reason }) => ({ runId, purpose, outcome, reason })),
    unfinished: overview.unfinished.map(({ runId }) => runId),
    history: overview.history,
    rejected: overview.rejected,
    certifications: certifications.kind === 'verified' ? shortened(certifications.body) : certifications.kind,
  };
}

function idsOf(side: readonly { readonly id: string }[] = []): readonly string[] {
  return side.map(({ id }) => id);
}

type CertificationBody = Extract<
  Awaited<ReturnType<ReturnType<typeof skillCertifications>['read']>>,
  { readonly kind: 'verified' }
>['body'];

/** The budget, and of each certification that was begun its names and where it stands. */
function shortened({ budget, begun }: CertificationBody) {
  const rows = begun.map(({ stored, ...names }) => ({ ...names, decision: stored?.state.decision }));
  return { budget, begun: rows };
}
