import * as vscode from 'vscode';
import type { SandboxState } from '../../ports/sandbox.js';
import { sandboxSentence } from '../../wording/programs/containment.js';
import { neverAborted } from '../cancellation.js';
import { showInformation } from '../shown/messages.js';
import type { UseCasesSource } from '../workbench.js';

/** The command “Sandbox for Programs”: says whether there is one here, and turns it off or on for this person. */
export async function sandboxForPrograms(source: UseCasesSource): Promise<SandboxState> {
  const useCases = await source();
  const state = await useCases.sandboxState(neverAborted());
  const isOff = state.kind === 'off';
  const turn = isOff ? vscode.l10n.t('Turn On') : vscode.l10n.t('Turn Off on This Machine');
  const picked = await showInformation(sandboxSentence(state), turn);
  if (picked !== turn) return state;
  const after = await useCases.turnSandbox(isOff, neverAborted());
  await showInformation(sandboxSentence(after));
  return after;
}
