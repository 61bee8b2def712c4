import type { Certifications, CertificationSubject, StoredCertification } from '../../src/engine/runContext.js';
import {
  canCertify,
  meetHeldOut,
  openErrorBudget,
  payCertification,
  type ErrorBudget,
} from '../../src/gate/statistics/errorBudget.js';

/** Certifications of one skill without files: paid from a true error budget, gone on with where they stood. */
export class MemoryCertifications implements Certifications {
  readonly stored = new Map<string, StoredCertification>();
  budget: ErrorBudget | undefined;

  async open(subject: CertificationSubject, first: StoredCertification): ReturnType<Certifications['open']> {
    const budget = meetHeldOut(this.budget ?? openErrorBudget(subject.heldOut), subject.heldOut);
    this.budget = budget;
    const id = JSON.stringify(subject);
    const known = this.stored.get(id);
    if (known !== undefined) return { kind: 'open', id, stored: known };
    if (!canCertify(budget)) return { kind: 'budget-empty', budget };
    this.budget = payCertification(budget, id) ?? budget;
    this.stored.set(id, first);
    return { kind: 'open', id, stored: first };
  }

  async save(id: string, stored: StoredCertification): Promise<void> {
    this.stored.set(id, stored);
  }
}
