import { messageOf, UserError } from '../../../errors.js';
import type { WorkJudging } from '../../../ports/languageModel.js';
import type { ProgramResult } from '../../../ports/programs.js';
import type { AgentSources } from '../agentLogin.js';

/**
 * Judges what an agent left on another machine as it would have been judged there: in a place of its own, held as agents
 * are. What would be written elsewhere than into that place is judged by nothing, which is no score.
 */
export function workJudge(
  { skillsFolder }: Pick<WorkJudging, 'skillsFolder'>,
  { workplaces }: Pick<AgentSources, 'workplaces'>,
): WorkJudging {
  return {
    skillsFolder,
    async judge({ fixture, skill, judges }, left, signal) {
      if (workplaces === undefined) throw nowhere();
      const place = await workplaces.open({ fixture, skill, skillsFolder }, signal);
      try {
        const refused = await place.take(left).then(() => undefined, messageOf);
        if (refused !== undefined) return judges.map(() => ({ kind: 'not-started', reason: refused }));
        const judged: ProgramResult[] = [];
        for (const judge of judges) judged.push(await place.judge(judge, signal));
        return judged;
      } finally {
        await place.close();
      }
    },
  };
}

function nowhere(): UserError {
  return new UserError(
    'environment-refused',
    'What agents leave on workers cannot be judged here.',
    'Start a worker with the role judge that has the programs in its list, or use a machine with a sandbox.',
  );
}
