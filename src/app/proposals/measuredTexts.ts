import * as z from 'zod';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { skillRecord, type SkillRecord } from '../../storage/state/skillRecords.js';
import type { SkillStore } from '../../storage/state/store.js';

/** A whole text of the skill, by the hash of its bytes, and what measuring exactly this text gave. */
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
export async function measuredTexts(store: SkillStore): Promise<ReadonlyMap<string, Verdict>> {
  const reading = await recordOf(store).read();
  if (reading.kind !== 'verified') return new Map();
  return new Map(reading.body.texts.map(({ hash, verdict }) => [hash, verdict]));
}

function recordOf(store: SkillStore): SkillRecord<{ readonly texts: readonly MeasuredText[] }> {
  return skillRecord(store, 'measured-texts', schema);
}
