import type { Verdict } from '../../gate/verdict/verdict.js';
import { headWord } from '../../wording/verdictReport.js';
import { t } from '../../wording/translate.js';
import type { Row } from './row.js';

/** A verdict as a word, an icon and a colour of the theme. */
export function verdictWords(
  verdict: Parameters<typeof headWord>[0],
): { readonly word: string } & (typeof looks)['accepted'] {
  return { word: headWord(verdict, t), ...looks[verdict.kind] };
}

const looks: Readonly<Record<Verdict['kind'], { readonly icon: string; readonly color: Row['color'] }>> = {
  accepted: { icon: 'pass', color: 'passed' },
  rejected: { icon: 'error', color: 'failed' },
  inconclusive: { icon: 'question', color: 'queued' },
  unmeasured: { icon: 'circle-slash', color: 'skipped' },
};
