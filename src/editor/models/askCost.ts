import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import type { LocalModel } from '../../app/models/serverCosts.js';
import { neverAborted } from '../cancellation.js';
import { askText, pickOne } from '../shown/questions.js';

type Cost = NonNullable<LocalModel['cost']>;

/**
 * Asks once about each chosen model that answers on this machine: what listens there may pass requests on to a paid
 * service, and only the person knows. Whoever closes the question begins nothing.
 */
export async function askAboutCosts(useCases: Pick<UseCases, 'localModels' | 'stateCost'>): Promise<void> {
  for (const local of await useCases.localModels(neverAborted())) {
    if (local.cost !== undefined) continue;
    const cost = await askCost(local);
    if (cost === undefined) throw new vscode.CancellationError();
    await useCases.stateCost(local, cost, neverAborted());
  }
}

/** What the person says that a model costs; undefined where they closed the question. */
export async function askCost({ endpoint, model }: LocalModel): Promise<Cost | undefined> {
  const picked = await pickOne(
    [
      {
        icon: 'check',
        label: vscode.l10n.t('No, it is free'),
        detail: vscode.l10n.t('The model runs on this machine, and nobody is billed.'),
        kind: 'free' as const,
      },
      {
        icon: 'credit-card',
        label: vscode.l10n.t('Yes, it costs money'),
        detail: vscode.l10n.t('It passes requests on to a paid service. You give the price of a million tokens.'),
        kind: 'price' as const,
      },
      {
        icon: 'question',
        label: vscode.l10n.t('I don’t know'),
        detail: vscode.l10n.t('The price stays unknown, and a run is capped in calls.'),
        kind: 'unknown' as const,
      },
    ].map(({ kind, ...row }) => ({ ...row, answer: kind })),
    {
      title: vscode.l10n.t('Does this server cost money?'),
      placeHolder: vscode.l10n.t('{0} at {1} (asked once; Choose Model changes it)', model, endpoint),
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) return undefined;
  return picked.answer === 'price' ? askPrice(model) : { kind: picked.answer };
}

async function askPrice(model: string): Promise<Cost | undefined> {
  const text = await askText({
    title: vscode.l10n.t('What do a million tokens of {0} cost, in USD?', model),
    prompt: vscode.l10n.t('In and out, such as 0.15/0.60.'),
    ignoreFocusOut: true,
    validateInput: (given) =>
      readPrice(given) === undefined ? vscode.l10n.t('Write two amounts with a slash, such as 0.15/0.60.') : undefined,
  });
  return text === undefined ? undefined : readPrice(text);
}

function readPrice(text: string): Cost | undefined {
  const [, input, output] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  return input === undefined || output === undefined
    ? undefined
    : { kind: 'price', input: Number(input), output: Number(output) };
}

/** An answer in a few words. */
export function costWords(cost: LocalModel['cost']): string {
  if (cost === undefined) return vscode.l10n.t('cost: not asked yet');
  if (cost.kind === 'unknown') return vscode.l10n.t('cost: not known');
  if (cost.kind === 'free' || (cost.input === 0 && cost.output === 0)) return vscode.l10n.t('free');
  return vscode.l10n.t('{0}/{1} USD a million tokens', cost.input, cost.output);
}
