import * as vscode from 'vscode';
import type { ToldSize } from '../../app/runs/bound/toldSize.js';
import type { UseCases } from '../../app/useCases.js';
import {
  giveUpLine,
  holdingLine,
  isAtStake,
  repeatsLines,
  serverLines,
  sizeLine,
} from '../../wording/preflightLines.js';
import { timeLines } from '../../wording/preflight/paidInTime.js';
import { retold, t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { askAboutCosts } from '../models/askCost.js';
import { showInformation } from '../shown/messages.js';
import { requestFor } from '../workbench.js';
import { askCap } from './askCap.js';
import { previewIsRead } from './previewIsRead.js';

/** A measurement that is about to begin, as it is told: read afresh once a cap was set. */
export interface MeasurementToConfirm {
  readonly question: string;
  /** What is to be known of it before its size. */
  readonly about?: readonly string[];
  /** The button that begins it. */
  readonly go: string;
  /** Undefined where no model would be asked. */
  readonly price: ToldSize | undefined;
  /** What it takes, in a sentence of its own; the size in one line where there is none. */
  readonly told?: string;
  /** Asked about also where it is free and short. */
  readonly always?: boolean;
  /** Opens what would be sent, and gives the document: it can be read before the answer. */
  readonly preview?: () => Promise<string>;
}

/**
 * Says what a measurement takes, usually and at most, and what holds it, until the person has decided; a cap can be set in
 * between. What is free and short is begun at once. `skillPath`: of whose tasks some are attempted.
 */
export async function confirmMeasuring(
  useCases: UseCases,
  readNow: () => Promise<MeasurementToConfirm>,
  skillPath?: string,
): Promise<boolean> {
  if (skillPath !== undefined) await useCases.refuseUnfitTarget(requestFor(skillPath));
  await useCases.reachModels(neverAborted());
  await askAboutCosts(useCases);
  for (let looked = false; ; looked = true) {
    const told = await readNow();
    if (told.always !== true && !looked && (told.price === undefined || !isAtStake(told.price))) return true;
    const decided = await ask(told);
    if (decided !== 'later') return decided === 'go';
  }
}

/** What the person decides; `later` once they set a cap or read what would be sent. */
async function ask({
  question,
  about = [],
  go,
  price,
  told,
  preview,
}: MeasurementToConfirm): Promise<'go' | 'later' | undefined> {
  const cap = vscode.l10n.t('Set a Cap');
  const look = vscode.l10n.t('Preview What Is Sent');
  const buttons = [go, cap, ...(preview === undefined ? [] : [look])];
  const detail = [...about, ...detailOf(price, told)].join('\n');
  const picked = await showInformation(question, { modal: true, detail }, ...buttons);
  if (picked === go) return 'go';
  if (picked === cap) await askCap({ minutesFirst: price?.paidInTime !== undefined });
  else if (picked === look) await previewIsRead(await preview?.());
  else return undefined;
  return 'later';
}

function detailOf(price: ToldSize | undefined, told: string | undefined): readonly string[] {
  return [...(told === undefined ? [] : [told]), ...(price === undefined ? [] : sizeText(price, told))];
}

/** Cost, calls and time first, then where requests go and what holds. */
function sizeText(price: ToldSize, told: string | undefined): readonly string[] {
  return [
    ...(told === undefined ? [sizeLine(price)] : []),
    ...timeLines(price, { face: 'editor', lined: told === undefined }),
    ...repeatsLines(price),
    ...serverLines(price.servers),
    holdingLine(price.holds, t, price.callCap),
    giveUpLine(price.givesUp),
    ...[...price.caps, ...price.prices].map(retold),
  ];
}
