import { draftTags, removedFrom, type NoticedTask } from '../../wording/harvest/draftWords.js';
import { english } from '../../wording/translate.js';

/** What stands beside a draft in a list: what to look at before it is confirmed. */
export function draftMarks(task: NoticedTask, isDoubtful: boolean): readonly string[] {
  return [...(isDoubtful ? ['look twice'] : []), ...draftTags(task, english)];
}

/** What is to be known of several drafts before they are confirmed; none where they are like most. */
export function draftNotes(tasks: readonly NoticedTask[]): readonly string[] {
  const forAgents = tasks.filter(({ environment }) => environment === 'agent').length;
  const emptied = tasks.filter((task) => removedFrom(task).length > 0).length;
  return [
    ...(forAgents === 0
      ? []
      : [
          forAgents === 1
            ? '1 draft is for an agent: an agent program, such as claude-code, attempts it in a copy of its repository. A chat model does not.'
            : `${forAgents} drafts are for an agent: an agent program, such as claude-code, attempts them in a copy of their repository. A chat model does not.`,
        ]),
    ...(emptied === 0
      ? []
      : [
          `Secrets were taken out of ${emptied === 1 ? '1 draft' : `${emptied} drafts`}: marks that begin with REDACTED_ stand in their place.`,
        ]),
  ];
}
