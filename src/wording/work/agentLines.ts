import { grouped } from '../amounts.js';
import { t } from '../translate.js';

/** How an agent works on a task. */
export interface ShownAgent {
  readonly fixture: string | { readonly repository: string; readonly commit: string };
  readonly mode: 'offered' | 'forced';
  readonly program?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly minutes?: number | undefined;
}

/** The same in words, a sentence each: where it starts, how it comes to the skill, which program, and what it may take. */
export function agentLines(agent: ShownAgent): readonly string[] {
  const { fixture, mode, program } = agent;
  return [
    startLine(fixture),
    mode === 'forced' ? t('It is told to use the skill.') : t('It decides itself whether it uses the skill.'),
    ...(program === undefined ? [] : [t('The program is {0}.', program)]),
    ...limitLines(agent),
  ];
}

/** A repository that the skill lies in is named by dots alone, which tell nobody anything. */
function startLine(fixture: ShownAgent['fixture']): string {
  if (typeof fixture === 'string') return t('It works in a copy of {0}.', fixture);
  const { repository, commit } = fixture;
  return /^[./]+$/u.test(repository)
    ? t('It works in a copy of the repository that the skill lies in, at the commit {0}.', commit)
    : t('It works in a copy of {0} at the commit {1}.', repository, commit);
}

function limitLines({ maxTokens, maxTurns, minutes }: ShownAgent): readonly string[] {
  const own = [
    ...(maxTokens === undefined ? [] : [t('An attempt takes at most {0} tokens.', grouped(maxTokens))]),
    ...(maxTurns === undefined ? [] : [t('An attempt takes at most {0} calls to its model.', grouped(maxTurns))]),
    ...(minutes === undefined ? [] : [t('An attempt takes at most {0} minutes.', minutes)]),
  ];
  return own.length > 0 ? own : [t('What an attempt may take is what the options agent.* say.')];
}
