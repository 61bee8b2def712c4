import * as z from 'zod';
import type { SealedState } from '../files/sealedState.js';

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
