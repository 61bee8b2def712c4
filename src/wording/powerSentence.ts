import { minimumHeldOutTasks } from '../gate/statistics/certification.js';
import { minimumStrictTasks } from '../gate/statistics/strictRule.js';
import { attemptsEnough, type SettledTask, type TaskPower } from '../gate/power/taskPower.js';
import { count, percent } from './amounts.js';
import type { Say } from './translate.js';

/** The rule of a run, as its options name it. */
type RunRule = 'confident' | 'strict' | 'off';

/** What the held-out tasks can show and what that is told from, for the preflight, before anything is spent. */
export function powerSentence(power: TaskPower, say: Say, rule: RunRule = 'confident'): string {
  const { n, found20, found40 } = power;
  const tasks = count(n, 'held-out task', say);
  if (rule === 'strict' && n >= minimumStrictTasks && n < minimumHeldOutTasks)
    return say('With {0} the strict rule alone decides: one look, luck not excluded.', tasks);
  if (n < minimumHeldOutTasks)
    return say('With {0} no improvement can be shown; at least {1} are needed.', tasks, minimumHeldOutTasks);
  const found = say(
    'With {0}, a gain of 40 points is detected {1}, a gain of 20 {2}.',
    tasks,
    howOften(found40, say),
    howOften(found20, say),
  );
  return rule === 'confident' ? `${found} ${toldFrom(power, say)}` : found;
}

/** Whose pass rates the figures stand on. */
function toldFrom({ n, known: { tasks, attempts } }: TaskPower, say: Say): string {
  if (attempts === undefined)
    return say('Told assuming every pass rate: no task has {0} earlier attempts yet.', attemptsEnough);
  const { low, high } = attempts;
  const many = low === high ? say('{0} earlier attempts', low) : say('{0} to {1} earlier attempts', low, high);
  return tasks === n
    ? say('Told from {0} a task.', many)
    : say('Told from {0} at {1} of {2} tasks, assuming every pass rate for the others.', many, tasks, n);
}

/** Whether the rule of a run cannot accept anything on so few tasks; where the gate is off nothing is to be shown. */
export function showsNothing(n: number, rule: RunRule): boolean {
  return rule !== 'off' && n < (rule === 'strict' ? minimumStrictTasks : minimumHeldOutTasks);
}

/** Rounded down, so that no sentence promises more than was measured. */
function howOften(share: number, say: Say): string {
  if (share >= 0.99) return say('almost always');
  if (share >= 0.95) return say('nearly always');
  if (share >= 0.6) return say('in {0} of 10 runs', Math.floor(share * 10));
  if (share >= 0.45) return say('in about half of the runs');
  return share >= 0.2 ? say('in less than half of the runs') : say('in less than one run in five');
}

/** The held-out tasks that cannot decide, by what they are, and what they cost; nothing where there is none. */
export function settledLines(power: TaskPower, say: Say): readonly string[] {
  const { n, alwaysPass, alwaysFail } = power;
  return [
    ...(alwaysPass.length === 0
      ? []
      : [
          costSentence(power, say),
          say(
            'Passed in all known attempts with the skill as it is, so that no gain shows there, but damage does: {0}. They stay held out.',
            named(alwaysPass),
          ),
        ]),
    ...(alwaysFail.length === 0
      ? []
      : [
          alwaysFail.length === 1
            ? say('1 of {0} held-out tasks always fails: an edit may make it pass, or its check is broken.', n)
            : say(
                '{0} of {1} held-out tasks always fail: an edit may make them pass, or their checks are broken.',
                alwaysFail.length,
                n,
              ),
          say(
            'Failed in all known attempts with the skill as it is: {0}. They stay held out, and count as passable here.',
            named(alwaysFail),
          ),
        ]),
  ];
}

/** How many always pass, and how often a gain is found with them instead of with other tasks in their place. */
export function costSentence({ n, alwaysPass, found20, found40, instead }: TaskPower, say: Say): string {
  const who =
    alwaysPass.length === 1
      ? say('1 of {0} held-out tasks always passes', n)
      : say('{0} of {1} held-out tasks always pass', alwaysPass.length, n);
  if (instead === undefined) return say('So far {0}.', who);
  return say(
    '{0}: a gain of 20 points would be found in {1} instead of {2} of runs, one of 40 in {3} instead of {4}.',
    who,
    percent(found20),
    percent(instead.found20),
    percent(found40),
    percent(instead.found40),
  );
}

const mostNamed = 8;

/** `refund (8), late-train (9)`: each with the number of its attempts. */
function named(tasks: readonly SettledTask[]): string {
  const names = tasks.slice(0, mostNamed).map(({ id, attempts }) => `${id} (${attempts})`);
  return [...names, ...(tasks.length > names.length ? ['…'] : [])].join(', ');
}

/** What is to be done: harder tasks where more of them always pass, their checks first where more always fail. */
export function settledAdvice({ alwaysPass, alwaysFail }: TaskPower): 'harder' | 'checks' | 'nothing' {
  if (alwaysFail.length > alwaysPass.length) return 'checks';
  return alwaysPass.length === 0 ? 'nothing' : 'harder';
}

/** The same for a report, where nothing can be pressed: with what is to be done in words. */
export function settledReport(power: TaskPower | undefined, say: Say): readonly string[] {
  if (power === undefined) return [];
  const advice = {
    harder: [
      say(
        'Harder tasks would show more: “Draft Tasks for This Skill”, in a terminal “whetstone tasks draft”, drafts some.',
      ),
    ],
    checks: [
      say('Look first at the checks of those that always fail: in the tree, in a terminal “whetstone tasks show”.'),
    ],
    nothing: [],
  };
  return [...settledLines(power, say), ...advice[settledAdvice(power)]];
}

/** One task that cannot decide, as what it is. */
export function settledTaskSentence({ attempts }: SettledTask, always: 'pass' | 'fail', say: Say): string {
  return always === 'pass'
    ? say('Passed in all {0} known attempts: it cannot show a gain, and still shows damage.', attempts)
    : say('Failed in all {0} known attempts: an edit may make it pass, or its check is broken.', attempts);
}
