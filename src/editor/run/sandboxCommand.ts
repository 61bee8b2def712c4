import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import type { SandboxState } from '../../ports/sandbox.js';
import { sandboxSentence } from '../../wording/programs/containment.js';
import { neverAborted } from '../cancellation.js';
import { showInformation } from '../shown/messages.js';
import type { UseCasesSource } from '../workbench.js';

/** The command “Sandbox for Programs”: says whether there is one here, and turns it off or on for this person. */
export async function sandboxForPrograms(source: UseCasesSource): Promise<SandboxState> {
  const useCases = await source();
  const state = await useCases.sandboxState(neverAborted());
  void offerToTurn(state, useCases);
  return state;
}

async function offerToTurn(state: SandboxState, useCases: UseCases): Promise<void> {
  const isOff = state.kind === 'off';
  const turn = isOff ? vscode.l10n.t('Turn On') : vscode.l10n.t('Turn Off on This Machine');
  if ((await showInformation(sandboxSentence(state), turn)) !== turn) return;
  await showInformation(sandboxSentence(await useCases.turnSandbox(isOff, neverAborted())));
}
