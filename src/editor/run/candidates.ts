import * as vscode from 'vscode';
import { certifySentence } from '../../wording/candidateText.js';
import { shortVerdict } from '../../wording/shortVerdict.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import type { CandidateChoice } from '../commands/commands.js';
import { runCommand } from '../commands/runCommand.js';
import { showInformation } from '../shown/messages.js';
import { requestFor } from '../workbench.js';
import { confirmMeasuring } from './confirmMeasuring.js';
import { runRequestFor } from './runRequestFor.js';
import { withRunProgress, type RunParts } from './withRunProgress.js';

/** Certifies another candidate of the waiting proposal, once the person has seen what that takes. */
export async function certifyCandidate({ skillPath, candidate }: CandidateChoice, parts: RunParts): Promise<void> {
  const useCases = await parts.useCases();
  const requestNow = () => ({ ...runRequestFor(skillPath), candidate });
  const agreed = await confirmMeasuring(
    useCases,
    async () => {
      const told = await useCases.candidatePrice(requestNow(), neverAborted());
      return {
        question: vscode.l10n.t('Certify candidate {0} on held-out tasks?', candidate),
        go: vscode.l10n.t('Certify'),
        price: told.price,
        told: certifySentence(told, t),
        always: true, // it takes a share of the error budget, whatever it costs
      };
    },
    skillPath,
  );
  if (!agreed) return;
  const title = vscode.l10n.t('Certifying {0}', candidate);
  const { summary, proposal } = await withRunProgress({ skillPath, title }, parts, (observe, signal) =>
    useCases.certifyCandidate(requestNow(), observe, signal),
  );
  const verdict = summary.verdict === undefined ? '' : shortVerdict(summary.verdict);
  const place =
    proposal?.candidates?.proposed.id === candidate
      ? vscode.l10n.t('It is the one that is proposed now.')
      : vscode.l10n.t('What was proposed before stays so.');
  void showInformation(`${candidate}: ${verdict} ${place}`);
}

/** Puts another candidate in front and shows its edits: not measured, unless it was certified. */
export async function reviewCandidate({ skillPath, candidate }: CandidateChoice, parts: RunParts): Promise<void> {
  const useCases = await parts.useCases();
  const { candidates } = await useCases.chooseCandidate({ ...requestFor(skillPath), candidate }, neverAborted());
  parts.overviews.refresh(skillPath);
  const before = candidates?.insteadOf?.candidate;
  if (before !== undefined)
    void showInformation(
      vscode.l10n.t('{0} is the one that is proposed now. {1} stands under “Other candidates”.', candidate, before),
    );
  await runCommand('whetstone.review', skillPath);
}
