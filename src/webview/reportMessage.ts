import type { ReportData } from '../app/results/reportData.js';

/** What the page is given: figures, and every word on it in the person's language. */
export interface ReportPayload {
  readonly data: ReportData;
  readonly words: ReportWords;
  /** Only where the run chose by more than the score. */
  readonly candidates?: PlainTable | undefined;
  /** Only where tasks are of several types. */
  readonly types?: PlainTable | undefined;
}

/** A table that is shown as it is, in words. */
export interface PlainTable {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The words of the page. `{0}` and so on stand for figures. */
export interface ReportWords {
  readonly language: string;
  readonly title: string;
  readonly verdict: string;
  readonly simulated: string;
  readonly settle: string;
  readonly sealed: string;
  readonly ofAllEdits: string;
  readonly statistics: string;
  readonly begun: string;
  readonly models: string;
  readonly tasks: string;
  readonly spent: string;
  readonly exportHtml: string;
  readonly exportMarkdown: string;
  readonly asTable: string;
  readonly curve: string;
  readonly curveAbout: string;
  /** Where no step was tried on held-out tasks. */
  readonly curveOfTraining: string;
  readonly heat: string;
  readonly heatAbout: string;
  readonly spend: string;
  readonly spendAbout: string;
  readonly edits: string;
  readonly editsAbout: string;
  readonly noEdits: string;
  readonly history: string;
  readonly historyAbout: string;
  readonly notes: string;
  readonly step: string;
  readonly ofTasks: string;
  readonly training: string;
  readonly heldOut: string;
  readonly candidate: string;
  readonly best: string;
  readonly certified: string;
  readonly before: string;
  readonly after: string;
  readonly decision: string;
  readonly task: string;
  readonly side: string;
  readonly role: string;
  readonly calls: string;
  readonly cached: string;
  readonly tokens: string;
  readonly money: string;
  /** With a place for what it is at most. */
  readonly upTo: string;
  readonly time: string;
  readonly edit: string;
  readonly text: string;
  readonly worth: string;
  readonly interval: string;
  readonly reason: string;
  readonly notMeasured: string;
  readonly together: string;
  readonly decidedTogether: string;
  readonly changesScript: string;
  /** With a place for the name of an environment. */
  readonly proposedBy: string;
  readonly when: string;
  readonly adopted: string;
  readonly partly: string;
  readonly yes: string;
  readonly no: string;
  readonly none: string;
  /** What the gate found, by the kind of its verdict. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** What a run, a decision, a role or a stage is called, by its name in the data. */
  readonly named: Readonly<Record<string, string>>;
}

/** What the page asks of the editor. */
export type ReportRequest = { readonly kind: 'export'; readonly format: 'html' | 'markdown' };
