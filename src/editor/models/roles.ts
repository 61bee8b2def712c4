import * as vscode from 'vscode';
import type { AgentId } from '../../ports/agentPrograms.js';
import { readSettings } from '../settings.js';

/** The roles that a model can play, in the order in which they are chosen. */
export const modelRoles = ['target', 'optimizer', 'judge'] as const;

export type ModelRole = (typeof modelRoles)[number];

/** Complete, or it does not compile. */
const programs: Readonly<Record<AgentId, true>> = {
  'claude-code': true,
  codex: true,
  'copilot-cli': true,
  'gemini-cli': true,
  opencode: true,
  'cursor-agent': true,
};

/** Whether a model is an agent program of this machine. */
export function namesProgram(spec: string): boolean {
  return Object.hasOwn(programs, spec.split('/')[0] ?? '');
}

interface RoleWords {
  readonly label: string;
  /** What it is for. */
  readonly detail: string;
  /** The question of the menu that chooses it. */
  readonly question: string;
  /** The model that plays it now, in words. */
  readonly chosen: string;
}

/** A role in words, with the model that plays it now. */
export function roleWords(role: ModelRole): RoleWords {
  const spec = readSettings()[`whetstone.model.${role}`];
  const same = vscode.l10n.t('same as target');
  switch (role) {
    case 'target':
      return {
        label: vscode.l10n.t('Target'),
        detail: vscode.l10n.t('Runs your skill: the model you use the skill with.'),
        question: vscode.l10n.t('Which model runs your skill?'),
        chosen: spec === '' ? vscode.l10n.t('not chosen') : spec,
      };
    case 'optimizer':
      return {
        label: vscode.l10n.t('Optimizer'),
        detail: vscode.l10n.t('Proposes the edits. Use your strongest model.'),
        question: vscode.l10n.t('Which model proposes the edits?'),
        chosen: spec === '' ? same : spec,
      };
    case 'judge':
      return {
        label: vscode.l10n.t('Judge'),
        detail: vscode.l10n.t('Grades expectations written in words.'),
        question: vscode.l10n.t('Which model grades the answers?'),
        chosen: spec === '' ? same : spec,
      };
  }
}
