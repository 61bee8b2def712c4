import { unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import type { SealedState } from '../files/sealedState.js';
import type { UserStore } from './store.js';

const CertifiedTexts = z.object({
  /** By the skill's name in user state. */
  skills: z.record(
    z.string(),
    z.object({
      /** Changes when the file that this was read from does. */
      stamp: z.string(),
      spent: z.number(),
      certifications: z.number(),
      /** Short forms of the hashes and keys of the tasks that the skill was certified on. */
      keys: z.array(z.string()),
    }),
  ),
});

/** On which texts the skills of this person were certified, and how often: made from their certifications. */
export type CertifiedTexts = z.output<typeof CertifiedTexts>;

/** The one file that spares reading the certifications of every skill. Made again where it is missing or broken. */
export const certifiedTexts: SealedState<CertifiedTexts> = {
  format: { format: 'whetstone-certified-texts', version: 1, schema: CertifiedTexts },
  file: 'certified-texts.json',
  derived: true,
};

/** Nothing of a skill that is cleaned stays in it: the next certification makes it anew from what there is. */
export async function forgetCertifiedTexts({ folder }: Pick<UserStore, 'folder'>): Promise<void> {
  await unlessMissing(unlink(path.join(folder, certifiedTexts.file)));
}
