/** What the trees know of all skills together, for the badge and the status bar. */
export interface SkillCounts {
  /** Skills whose proposals wait. */
  readonly pending: number;
  /** Names of skills that hold part of a proposal, which nobody measured. */
  readonly unmeasured: readonly string[];
}
