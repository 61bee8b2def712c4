import * as vscode from 'vscode';
import type { AdoptionsUnderWay } from '../review/adoptionsUnderWay.js';
import { neverAborted } from './cancellation.js';
import { runCommand } from './commands/runCommand.js';
import type { MeasureRequest, ReviewHost } from './review/reviewHost.js';
import { confirmMeasuring } from './run/confirmMeasuring.js';
import { runRequestFor } from './run/runRequestFor.js';
import { withRunProgress, type RunParts } from './run/withRunProgress.js';
import { readSettings } from './settings.js';
import type { SkillCatalog } from './skills/skillCatalog.js';
import type { Branch } from './tree/branch.js';
import type { SkillsTree } from './tree/skillsTree.js';
import { requestFor } from './workbench.js';

interface HostParts extends RunParts {
  readonly storage: vscode.Uri;
  readonly catalog: SkillCatalog;
  readonly adoptions: AdoptionsUnderWay;
  readonly tree: Pick<SkillsTree, 'shownBranch'>;
  readonly view: Pick<vscode.TreeView<Branch>, 'visible' | 'reveal'>;
}

/** What the review asks of the rest of Whetstone, answered by the use cases. */
export function reviewHostOf(parts: HostParts): ReviewHost {
  const { storage, useCases, overviews, adoptions } = parts;
  return {
    storage,
    adoptions,
    onDidChange: overviews.onDidChange,
    pending: async (skillPath) => (await overviews.of(skillPath)).pending,
    waiting: () => waitingSkills(parts),
    decide: async (skillPath, decisions) => {
      await (await useCases()).decide({ ...requestFor(skillPath), decisions }, neverAborted());
      overviews.refresh(skillPath);
    },
    explain: async (skillPath, proposal, edits, reason) => {
      await (await useCases()).explain({ ...requestFor(skillPath), proposal, edits, reason }, neverAborted());
      overviews.refresh(skillPath);
    },
    reopen: async (skillPath, proposal, edits) => {
      await (await useCases()).reopen({ ...requestFor(skillPath), proposal, edits }, neverAborted());
      overviews.refresh(skillPath);
    },
    refuseWrite: async (skillPath, write) =>
      (await useCases()).refuseWrite({ ...requestFor(skillPath), ...write }, neverAborted()),
    noteAdoption: async (skillPath, change) => {
      await (await useCases()).noteAdoption({ ...requestFor(skillPath), ...change }, neverAborted());
      overviews.refresh(skillPath);
    },
    saveTogether: async (skillPath, change, save) => {
      const request = { ...requestFor(skillPath), ...change };
      await adoptions.saving(skillPath, async () => {
        await (await useCases()).saveTogether(request, save, neverAborted());
      });
      overviews.refresh(skillPath);
    },
    measurement: async (skillPath) => (await overviews.of(skillPath)).measurement,
    unmeasuredBase: async (skillPath) => {
      const { measurement } = await overviews.of(skillPath);
      return measurement.kind === 'unmeasured' ? (await useCases()).unmeasuredBase(requestFor(skillPath)) : undefined;
    },
    price: async ({ skillPath, ...texts }) => {
      const request = { ...runRequestFor(skillPath), ...texts, startsNothing: true };
      return (await useCases()).measurePrice(request, neverAborted());
    },
    measure: (request) => measure(request, parts),
    showReport: async (skillPath) => {
      await runCommand('whetstone.showReport', skillPath);
    },
    showRows: (skillPath) => void showRows(skillPath, parts),
  };
}

/** The skills whose proposals wait; one that cannot be read has none. */
async function waitingSkills({ catalog, overviews }: Pick<HostParts, 'catalog' | 'overviews'>): Promise<string[]> {
  const skills = await catalog.skills();
  const found = await Promise.all(
    skills.map(async ({ realPath }) => ({
      realPath,
      overview: await overviews.of(realPath).catch(() => undefined),
    })),
  );
  return found.filter(({ overview }) => overview?.pending !== undefined).map(({ realPath }) => realPath);
}

async function showRows(skillPath: string, { tree, view }: Pick<HostParts, 'tree' | 'view'>): Promise<void> {
  const branch = view.visible ? await tree.shownBranch(skillPath) : undefined;
  if (branch === undefined) return;
  // A view that goes away in this moment has no rows to show.
  await view.reveal(branch, { select: false, focus: false, expand: true }).then(undefined, () => undefined);
}

async function measure({ skillPath, ...texts }: MeasureRequest, parts: RunParts): ReturnType<ReviewHost['measure']> {
  const useCases = await parts.useCases();
  const title = vscode.l10n.t('Measuring what you accepted');
  const requestNow = () => ({ ...runRequestFor(skillPath), ...texts });
  try {
    const agreed = await confirmMeasuring(
      useCases,
      async () => {
        const price = await useCases.measurePrice(requestNow(), neverAborted());
        const question = vscode.l10n.t('Measure {0} on held-out tasks?', price?.skillName ?? '');
        return { question, go: vscode.l10n.t('Measure'), price };
      },
      skillPath,
    );
    if (!agreed) return undefined;
    const simulated = readSettings()['whetstone.model.target'].startsWith('simulated');
    const verdict = await withRunProgress({ skillPath, title }, parts, (observe, signal) =>
      useCases.measure(requestNow(), observe, signal),
    );
    return { verdict, simulated };
  } catch (error) {
    if (error instanceof vscode.CancellationError) return undefined;
    throw error;
  }
}
