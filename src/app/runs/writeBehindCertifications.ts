import type { Certifications } from '../../engine/runContext.js';

/** Certifications that do not keep their caller waiting for the disk after every pass. */
export interface LaterCertifications extends Certifications {
  /** Resolves when the last pass is stored; throws what went wrong with one of them. */
  settled(): Promise<void>;
}

/**
 * Stores passes beside the work that goes on, in their order. To open one is still waited for: it is paid for before the
 * first attempt. A crash may lose the last pass and costs nothing, for its replies are stored and give it again.
 */
export function writeBehindCertifications(certifications: Certifications): LaterCertifications {
  let saving = Promise.resolve();
  return {
    async open(subject, first) {
      await saving;
      return certifications.open(subject, first);
    },
    save(id, stored) {
      saving = saving.then(() => certifications.save(id, stored));
      saving.catch(() => undefined); // told to whoever waits for it to settle
      return Promise.resolve();
    },
    settled: () => saving,
  };
}
