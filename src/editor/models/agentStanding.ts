import * as vscode from 'vscode';
import type { AgentStanding } from '../../app/models/modelOffer.js';

/** How an agent program stands: what a menu shows beside its name. */
export function agentStanding({ state, tested }: AgentStanding): string {
  switch (state.kind) {
    case 'ready': {
      const standing = vscode.l10n.t('{0}, {1}', state.version, payerWords(state.login));
      return tested ? standing : vscode.l10n.t('{0}, not tested by us', standing);
    }
    case 'not-installed':
      return vscode.l10n.t('not installed');
    case 'too-old':
      return vscode.l10n.t('{0} is too old', state.version);
    case 'not-logged-in':
      return vscode.l10n.t('{0}, not logged in', state.version);
    case 'blocked':
      return vscode.l10n.t('blocked: {0}', state.why);
    case 'offline':
      return vscode.l10n.t('{0}, offline', state.version);
  }
}

type Payer = Extract<AgentStanding['state'], { readonly kind: 'ready' }>['login'];

function payerWords(payer: Payer): string {
  switch (payer) {
    case 'subscription':
      return vscode.l10n.t('by your plan');
    case 'api-key':
      return vscode.l10n.t('by your API key');
    case 'own-server':
      return vscode.l10n.t('at a server of your own');
  }
}
