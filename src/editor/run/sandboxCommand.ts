import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import type { SandboxState } from '../../ports/sandbox.js';
import { sandboxSentence, throwAwaySentence, throwAwayWarning } from '../../wording/programs/containment.js';
import { scriptEditsSentence, unparsedLanguagesSentence } from '../../wording/programs/scriptEdits.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { showInformation, showWarning } from '../shown/messages.js';
import type { UseCasesSource } from '../workbench.js';

/**
 * The command “Sandbox for Programs”: says whether there is one here, turns it off or on for this person, and takes their
 * word that the whole machine is thrown away.
 */
export async function sandboxForPrograms(source: UseCasesSource): Promise<SandboxState> {
  const useCases = await source();
  const state = await useCases.sandboxState(neverAborted());
  void offerToTurn({ state, throwAway: await useCases.isThrowAwayMachine() }, useCases);
  return state;
}

async function offerToTurn(
  { state, throwAway }: { readonly state: SandboxState; readonly throwAway: boolean },
  useCases: UseCases,
): Promise<void> {
  const isOff = state.kind === 'off';
  const turn = isOff ? vscode.l10n.t('Turn On') : vscode.l10n.t('Turn Off on This Machine');
  const declare = throwAway ? vscode.l10n.t('Not a Throw-Away Machine') : vscode.l10n.t('Throw-Away Machine…');
  const said = [sandboxSentence(state), ...(throwAway ? [throwAwaySentence(true)] : [])].join(' ');
  const picked = await showInformation(said, turn, declare);
  if (picked === turn) await showInformation(sandboxSentence(await useCases.turnSandbox(isOff, neverAborted())));
  if (picked === declare) await declareMachine(!throwAway, useCases);
}

/** Taken back without a question. */
async function declareMachine(throwAway: boolean, useCases: UseCases): Promise<void> {
  const yes = vscode.l10n.t('It Is Thrown Away');
  const details = { modal: true, detail: throwAwayWarning() } as const;
  const question = vscode.l10n.t('Is this whole machine thrown away afterwards?');
  if (throwAway && (await showWarning(question, details, yes)) !== yes) return;
  await useCases.declareThrowAwayMachine(throwAway, neverAborted());
  await showInformation(throwAwaySentence(throwAway));
}

/** The command “Edits in Scripts”: says whether edits may change scripts of skills, and turns it on or off for this person. */
export async function editsInScripts(source: UseCasesSource): Promise<boolean> {
  const useCases = await source();
  const on = await useCases.mayEditScripts();
  void offerToTurnScripts(on, useCases);
  return on;
}

async function offerToTurnScripts(on: boolean, useCases: UseCases): Promise<void> {
  const turn = on ? vscode.l10n.t('Turn Off') : vscode.l10n.t('Turn On for This Machine');
  if ((await showInformation(await scriptEditsWords(on, useCases), turn)) !== turn) return;
  await useCases.allowScriptEdits(!on, neverAborted());
  await showInformation(await scriptEditsWords(!on, useCases));
}

/** With what cannot be parsed on this machine, where edits may change scripts. */
async function scriptEditsWords(on: boolean, useCases: UseCases): Promise<string> {
  const unparsed = on ? await useCases.unparsedLanguages(neverAborted()) : [];
  const lacking = [...unparsed].map(([reason, languages]) => unparsedLanguagesSentence(languages, retold(reason)));
  return [scriptEditsSentence(on), ...lacking].join(' ');
}
