import type { Verdict } from '../../gate/verdict/verdict.js';
import { verdictWord } from '../../wording/gateWords.js';
import { t } from '../../wording/translate.js';
import type { Row } from './row.js';

/** A verdict as a word, an icon and a colour of the theme. */
export function verdictWords({ kind }: Pick<Verdict, 'kind'>): { readonly word: string } & (typeof looks)['accepted'] {
  return { word: verdictWord(kind, t), ...looks[kind] };
}

const looks: Readonly<Record<Verdict['kind'], { readonly icon: string; readonly color: Row['color'] }>> = {
  accepted: { icon: 'pass', color: 'passed' },
  rejected: { icon: 'error', color: 'failed' },
  inconclusive: { icon: 'question', color: 'queued' },
  unmeasured: { icon: 'circle-slash', color: 'skipped' },
};
