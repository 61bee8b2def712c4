import * as vscode from 'vscode';
import type { AnswerToLabel, JudgeReport } from '../../app/judge/judge.js';
import { UserError } from '../../errors.js';
import { judgePage, labelPage, pageKeys } from '../../wording/judge/judgePage.js';
import { gradeWord } from '../../wording/judge/judgeWords.js';
import { pageHtml, type PageButton } from '../../wording/taskPage.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import type { LabelChoice, LabelsChoice, SkillChoice, TaskChoice } from '../commands/commands.js';
import { commandLink, runCommand } from '../commands/runCommand.js';
import { requestFor } from '../workbench.js';
import { showAnswers } from './showAnswers.js';
import { buttonOf, openPage, pageParts, type TaskPages } from './taskPages.js';
import type { TaskParts } from './taskParts.js';

type Parts = Pick<TaskParts, 'useCases' | 'overviews'>;

/** The answers that a person goes through, and how far they are. */
interface Labelling {
  readonly skillPath: string;
  readonly answers: readonly AnswerToLabel[];
  readonly at: number;
  /** How many labels counted before, and which answers were labelled since. */
  readonly before: number;
  readonly labelled: ReadonlySet<string>;
  /** What happened last, in words. */
  readonly said: string;
}

/** Where a skill stands among those that a command may be for: those of a lower rank come first. */
export type RankOf = (skillPath: string) => Promise<{ readonly rank: number; readonly detail?: string }>;

/** A button of the page with what it hands to its command. */
interface LabelKey extends PageButton {
  readonly given: LabelChoice;
}

/** The commands that open a page and act on it: a task, the answers to label, and what the labels say of the judge. */
export function pageCommands(
  parts: TaskParts,
  tasks: TaskPages,
  choose: (given: SkillChoice, standing: RankOf) => Promise<string>,
) {
  const judge = new JudgePages(parts);
  const chosen = (given: SkillChoice): Promise<string> => choose(given, (skillPath) => judge.standing(skillPath));
  return {
    'whetstone.showTask': (task: TaskChoice) => tasks.show(task),
    'whetstone.showAnswers': (task: TaskChoice) => showAnswers(task, tasks, parts),
    'whetstone.checkJudge': async (given: SkillChoice) => judge.begin(await chosen(given)),
    'whetstone.showJudge': async (given: SkillChoice) => judge.report(await chosen(given)),
    'whetstone.labelAnswer': (given: LabelChoice) => judge.label(given),
    'whetstone.countLabels': (given: LabelsChoice) => judge.count(given),
  };
}

/** One page: it shows the answer to label, and at the end what the labels say of the judge. Each label is kept at once. */
class JudgePages {
  readonly #parts: Parts;
  #panel: vscode.WebviewPanel | undefined;
  #labelling: Labelling | undefined;
  #keys: readonly LabelKey[] = [];
  #isSaving = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether there is something to label for a skill, and why not. */
  async standing(skillPath: string): ReturnType<RankOf> {
    const report = await this.#reportOf(skillPath).catch(() => undefined);
    if (report === undefined) return { rank: 3, detail: vscode.l10n.t('It cannot be opened.') };
    const { judge, judgedTasks, toLabel } = report;
    if (toLabel.length > 0) return { rank: 0, detail: vscode.l10n.t('Answers to label: {0}', toLabel.length) };
    if (judge !== undefined) return { rank: 1, detail: vscode.l10n.t('Every answer that is kept is labelled.') };
    return judgedTasks > 0
      ? { rank: 2, detail: vscode.l10n.t('Nothing is graded yet: run or evaluate it first.') }
      : { rank: 3, detail: vscode.l10n.t('No task of it is graded by a judge: none has expectations or a rubric.') };
  }

  /** Begins with the answers that are not labelled yet; where there are none it shows what the labels say. */
  async begin(skillPath: string): Promise<void> {
    const { toLabel: answers, judge, agreement } = await this.#reportOf(skillPath);
    if (judge === undefined) throw nothingGraded();
    if (answers.length === 0) return this.report(skillPath);
    await this.#show({ skillPath, answers, at: 0, before: agreement?.labels ?? 0, labelled: new Set(), said: '' });
  }

  /** A key was pressed on the answer with this id; one that came too late, for an answer before, does nothing. */
  async label({ skillPath, id, label }: LabelChoice): Promise<void> {
    const now = this.#labelling;
    if (now === undefined || now.skillPath !== skillPath || now.answers[now.at]?.id !== id || this.#isSaving) return;
    if (label === 'stop') return this.report(skillPath);
    if (label === 'back') return this.#show({ ...now, at: Math.max(0, now.at - 1), said: '' });
    if (label === 'skip') return this.#show({ ...now, at: now.at + 1, said: t('Skipped.') });
    this.#isSaving = true;
    try {
      const request = { ...requestFor(skillPath), labels: { [id]: label } };
      await (await this.#parts.useCases()).labelAnswers(request, neverAborted());
    } finally {
      this.#isSaving = false;
    }
    const labelled = new Set([...now.labelled, id]);
    await this.#show({ ...now, at: now.at + 1, labelled, said: t('Labelled: {0}.', gradeWord(label, t)) });
  }

  /** What the labels say of the judge, and where it disagrees. */
  async report(skillPath: string): Promise<void> {
    const report = await this.#reportOf(skillPath);
    if (report.judge === undefined) throw nothingGraded();
    this.#end();
    const { name } = await this.#parts.overviews.of(skillPath);
    this.#draw(vscode.l10n.t('Judge: {0}', name), judgePage(name, report, reportButtons(skillPath, report)));
  }

  /** The person's word on labels that came with the folder; what then counts is shown. */
  async count({ skillPath, whose }: LabelsChoice): Promise<void> {
    await (await this.#parts.useCases()).countOthersLabels(requestFor(skillPath), whose === 'all', neverAborted());
    this.#parts.overviews.refresh(skillPath);
    await this.report(skillPath);
  }

  async #show(labelling: Labelling): Promise<void> {
    const { skillPath, answers, at, said } = labelling;
    const answer = answers[at];
    if (answer === undefined) return this.report(skillPath);
    this.#labelling = labelling;
    const labels = labelling.before + labelling.labelled.size;
    const place = t('Answer {0} of {1}. Labels so far: {2}; at least 12 are needed.', at + 1, answers.length, labels);
    this.#keys = keysOf({ skillPath, id: answer.id }, at);
    const body = labelPage(answer, this.#keys, { place, said });
    this.#draw(vscode.l10n.t('Check the judge'), body);
  }

  #draw(title: string, body: string): void {
    const panel = (this.#panel ??= this.#open(title));
    panel.title = title;
    panel.webview.html = pageHtml(title, body, { ...pageParts(), script: pageKeys });
    panel.reveal();
  }

  #open(title: string): vscode.WebviewPanel {
    const commands = ['whetstone.labelAnswer', 'whetstone.checkJudge', 'whetstone.countLabels'] as const;
    const panel = openPage('whetstone.judge', title, { keys: true, commands });
    const listening = panel.webview.onDidReceiveMessage((message: unknown) => {
      const pressed = this.#keys.find(({ href }) => href === message);
      if (pressed !== undefined) void runCommand('whetstone.labelAnswer', pressed.given);
    });
    panel.onDidDispose(() => {
      listening.dispose();
      this.#panel = undefined;
      this.#end();
    });
    return panel;
  }

  /** The row of the judge tells the labels only now: before, it would tell what the judge said of each. */
  #end(): void {
    if (this.#labelling !== undefined) this.#parts.overviews.refresh(this.#labelling.skillPath);
    this.#labelling = undefined;
    this.#keys = [];
  }

  async #reportOf(skillPath: string) {
    return (await this.#parts.useCases()).judgeReport(requestFor(skillPath), neverAborted());
  }
}

/** One key each; there is nothing to go back to on the first. */
function keysOf(about: Omit<LabelChoice, 'label'>, at: number): readonly LabelKey[] {
  const keys: readonly (readonly [string, LabelChoice['label'], string])[] = [
    ['p', 'pass', vscode.l10n.t('Pass (P)')],
    ['f', 'fail', vscode.l10n.t('Fail (F)')],
    ['s', 'skip', vscode.l10n.t('Skip (S)')],
    ...(at === 0 ? [] : [['b', 'back', vscode.l10n.t('Back (B)')] as const]),
    ['q', 'stop', vscode.l10n.t('Stop (Q)')],
  ];
  return keys.map(([key, label, title]) => {
    const given = { ...about, label };
    return { ...buttonOf(commandLink('whetstone.labelAnswer', title, given)), key, given };
  });
}

/** What can be done from the report: label more answers, and say whose labels count where others' lie there too. */
function reportButtons(
  skillPath: string,
  { toLabel, notYours, letIn }: Pick<JudgeReport, 'toLabel' | 'notYours' | 'letIn'>,
): readonly PageButton[] {
  const count = (title: string, whose: LabelsChoice['whose']): PageButton =>
    buttonOf(commandLink('whetstone.countLabels', title, { skillPath, whose }));
  return [
    ...(toLabel.length === 0
      ? []
      : [buttonOf(commandLink('whetstone.checkJudge', vscode.l10n.t('Label Answers'), skillPath))]),
    ...(notYours === 0 ? [] : [count(vscode.l10n.t('Count the Labels of Others Too'), 'all')]),
    ...(letIn === 0 ? [] : [count(vscode.l10n.t('Count My Labels Alone'), 'own')]),
  ];
}

function nothingGraded(): UserError {
  return new UserError(
    'usage',
    vscode.l10n.t('No answer that a judge model graded is kept for this skill.'),
    vscode.l10n.t('Give its tasks expectations or a rubric, then run or evaluate the skill.'),
  );
}
