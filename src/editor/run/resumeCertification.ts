import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import { requestFor } from '../workbench.js';
import { certifySentence } from '../../wording/candidateText.js';
import { retold, t } from '../../wording/translate.js';
import { writtenName } from '../skills/writtenName.js';
import { confirmMeasuring } from './confirmMeasuring.js';
import { tellResult } from './optimizeCommand.js';
import { runRequestFor } from './runRequestFor.js';
import { withRunProgress, type RunParts } from './withRunProgress.js';
import { askText } from '../shown/questions.js';

/** Goes on with a certification that a cap cut off, at the pass where it stood, once the person has seen what that takes. */
export async function resumeCertification(skillPath: string, parts: RunParts): Promise<void> {
  const useCases = await parts.useCases();
  const name = await writtenName(skillPath);
  const verdict = (await parts.overviews.of(skillPath)).pending?.proposal.verdict;
  const cure = verdict?.kind === 'inconclusive' ? [retold(verdict.cure)] : [];
  const agreed = await confirmMeasuring(
    useCases,
    async () => {
      const told = await useCases.candidatePrice(runRequestFor(skillPath), neverAborted());
      return {
        question: vscode.l10n.t('Gather more evidence for {0}?', name),
        go: vscode.l10n.t('Gather More Evidence'),
        price: told.price,
        told: [certifySentence({ ...told, id: undefined }, t), ...cure].join('\n'),
      };
    },
    skillPath,
  );
  if (!agreed) return;
  const title = vscode.l10n.t('Gathering more evidence');
  const result = await withRunProgress({ skillPath, title }, parts, (observe, signal) =>
    useCases.resumeCertification(runRequestFor(skillPath), observe, signal),
  );
  void tellResult(result, skillPath);
}

/** The person's recorded decision: certify more often against the same held-out tasks. */
export async function refillErrorBudget(
  skillPath: string,
  { useCases, overviews }: Pick<RunParts, 'useCases' | 'overviews'>,
): Promise<void> {
  const reason = await askText({
    title: vscode.l10n.t('Refill the error budget of this skill'),
    prompt: vscode.l10n.t(
      'Each measurement against the same held-out tasks lets luck through a little more often. New tasks are the better cure. Say why you want it all the same; it is written down.',
    ),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A reason, so that you know it later.') : undefined),
  });
  if (reason === undefined) return;
  await (await useCases()).refillErrorBudget({ ...requestFor(skillPath), reason: reason.trim() }, neverAborted());
  overviews.refresh(skillPath);
}
