import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { trainingDetail } from '../../wording/harvest/usageWords.js';
import { t } from '../../wording/translate.js';
import { pickOne } from '../shown/questions.js';
import type { FoundSkill } from '../skills/discoverSkills.js';
import type { Overviews } from '../skills/overviews.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { writtenName } from '../skills/writtenName.js';
import type { RankOf } from '../tasks/judgePages.js';
import { draftsToConfirm } from '../tree/skillState.js';
import { skillShownBy } from '../tree/versionDocuments.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import type { SkillChoice } from './commands.js';

/** What is known of the skills that can be chosen. */
interface ChoiceParts {
  readonly catalog: SkillCatalog;
  readonly overviews: Overviews;
  readonly useCases: UseCasesSource;
}

/** The skill that a command was pointed at, else the one in front of the person, else the one they pick. */
export async function chooseSkill(catalog: SkillCatalog, given: SkillChoice, standing?: RankOf): Promise<string> {
  return (await namedSkill(catalog, given)) ?? pickOf(await catalog.skills(), standing);
}

/** The skill that a command was pointed at, else the one in front of the person: by the path that every view knows it by. */
export async function namedSkill(
  catalog: Pick<SkillCatalog, 'pathOf'>,
  given: SkillChoice,
): Promise<string | undefined> {
  const named = given ?? activeSkill();
  return named === undefined ? undefined : catalog.pathOf(named);
}

/** The same for what is about training: a skill that agents used and that had to be corrected is offered first, with how often. */
export function chooseSkillToTrain({ catalog, overviews, useCases }: ChoiceParts, given: SkillChoice): Promise<string> {
  const offers = whileChoosing(async () => {
    const paths = (await catalog.skills()).map(({ realPath }) => realPath);
    return (await useCases()).offerForTraining(paths, requestFor('').workspaceFolders);
  });
  return chooseSkill(catalog, given, async (skillPath) => {
    const offered = await offers();
    const rank = offered.findIndex((each) => each.skillPath === skillPath);
    const waits = (await overviews.of(skillPath).catch(() => undefined))?.pending !== undefined;
    const detail = trainingDetail({ waits, usage: offered[rank]?.usage }, t);
    return detail === undefined ? { rank } : { rank, detail };
  });
}

/** Asked for once, and only where somebody chooses. It only helps: where it cannot be read, skills are offered as they are found. */
function whileChoosing<Row>(read: () => Promise<readonly Row[]>): () => Promise<readonly Row[]> {
  let reading: Promise<readonly Row[]> | undefined;
  return () => (reading ??= read().catch(() => []));
}

/** The skill in front of the person: its file, an earlier text of it, or the file whose proposal they review. */
export function activeSkill(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown =
    input instanceof vscode.TabInputTextDiff ? input.original : vscode.window.activeTextEditor?.document.uri;
  return shown === undefined ? undefined : skillShownBy(shown);
}

/** Only those of which something was adopted. */
export async function pickAdopted({ catalog, useCases }: Pick<ChoiceParts, 'catalog' | 'useCases'>): Promise<string> {
  const [skills, cases] = [await catalog.skills(), await useCases()];
  const versions = await Promise.all(
    skills.map(({ realPath }) => cases.history(requestFor(realPath)).catch(() => [])), // one that cannot be opened has none
  );
  const adopted = skills.filter((_, index) => versions[index]?.some(({ own }) => own) === true);
  if (adopted.length > 0) return pickOf(adopted);
  throw new UserError(
    'nothing-to-undo',
    vscode.l10n.t('No skill here has an adoption that could be undone.'),
    vscode.l10n.t('Accept edits of a proposal first.'),
  );
}

/** Only those of which something waits for answers by hand. */
export async function pickWaiting({ catalog, overviews }: Pick<ChoiceParts, 'catalog' | 'overviews'>): Promise<string> {
  const skills = await catalog.skills();
  const known = await Promise.all(skills.map(({ realPath }) => overviews.of(realPath).catch(() => undefined)));
  const waiting = skills.filter((_, index) => (known[index]?.handed ?? []).length > 0);
  if (waiting.length > 0) return pickOf(waiting);
  throw new UserError('usage', vscode.l10n.t('Nothing waits for answers by hand.'), '');
}

/** The skill in front of the person, or one of those that have drafts, with how many. */
export async function chooseDrafted(
  { catalog, overviews }: Pick<ChoiceParts, 'catalog' | 'overviews'>,
  given: SkillChoice,
): Promise<string> {
  const named = await namedSkill(catalog, given);
  if (named !== undefined) return named;
  const skills = await catalog.skills();
  const known = await Promise.all(skills.map(({ realPath }) => overviews.of(realPath).catch(() => undefined)));
  const counts = new Map(skills.map(({ realPath }, at) => [realPath, known[at]?.tasks?.drafts.length ?? 0]));
  const drafted = skills.filter(({ realPath }) => counts.get(realPath) !== 0);
  if (drafted.length > 0)
    return pickOf(drafted, async (skillPath) => ({ rank: 0, detail: draftsToConfirm(counts.get(skillPath) ?? 0) }));
  throw new UserError(
    'usage',
    vscode.l10n.t('No skill here has drafts to confirm.'),
    vscode.l10n.t('Draft tasks first.'),
  );
}

/** With one skill there is nothing to ask. */
async function pickOf(skills: readonly FoundSkill[], standing?: RankOf): Promise<string> {
  const [only, ...others] = skills;
  if (only !== undefined && others.length === 0) return only.realPath;
  if (skills.length === 0) {
    throw new UserError(
      'skill-missing',
      vscode.l10n.t('No SKILL.md was found in the open folders.'),
      vscode.l10n.t('Open a folder that holds a skill.'),
    );
  }
  const rows = skills.map(async (skill) => ({
    label: await writtenName(skill.realPath),
    description: vscode.workspace.asRelativePath(skill.realPath),
    skill,
    ...(await standing?.(skill.realPath)),
  }));
  const sorted = Promise.all(rows).then((all) => all.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)));
  const picked = await pickOne(sorted, { title: vscode.l10n.t('Which skill?'), matchOnDescription: true });
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.skill.realPath;
}
