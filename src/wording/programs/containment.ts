import type { ProgramQuestion } from '../../ports/programs.js';
import type { SandboxState } from '../../ports/sandbox.js';
import { exactText } from '../shownText.js';
import { english, retold, t, type Say } from '../translate.js';

/**
 * What a program could do, as sentences for whoever is asked whether it may run: what the sandbox leaves it, or that there
 * is none here and why.
 */
export function containmentSentences({ sandbox, reach = {} }: ProgramQuestion): readonly string[] {
  if (sandbox?.kind !== 'available') {
    const why = sandbox === undefined ? [] : [whyNoSandbox(sandbox, t)];
    return [
      ...why,
      t(
        'It is not contained: it runs with your rights and can read and change your files, the keys in them and in the environment of your other programs, and use the network.',
      ),
    ];
  }
  return [
    t(
      'It runs in a sandbox: it reads the system and a copy of its folder; home folders, temporary files, mounted disks, the workspace and Whetstone’s state are closed to it, other places of this machine are not. It writes to that copy alone, which is thrown away.',
    ),
    ...((reach.hosts ?? []).length > 0 ? [] : [t('It has no network.')]),
  ];
}

/** What it may reach beside that, in a line of its own: no part of the command. Empty where it asks for nothing. */
export function reachLine({ reach: { reads = [], hosts = [] } = {} }: Pick<ProgramQuestion, 'reach'>): string {
  return [
    ...(reads.length > 0 ? [t('It may also read: {0}.', reads.map(exactText).join(', '))] : []),
    ...(hosts.length > 0 ? [t('Of the network it may reach: {0}.', hosts.map(exactText).join(', '))] : []),
  ].join(' ');
}

/** Why somebody is asked again; empty where they never were. */
export function changedLine({ otherwise = false }: Pick<ProgramQuestion, 'otherwise'>): string {
  return otherwise ? t('It changed since you allowed it.') : '';
}

/** Whether programs of skills are contained on this machine. */
export function sandboxSentence(state: SandboxState): string {
  return state.kind === 'available'
    ? t('Programs of skills run in a sandbox on this machine: an attempt to break out of it failed just now.')
    : t('Programs of skills run without a sandbox on this machine. {0}', whyNoSandbox(state, t));
}

/** Whether agents may work on this machine where no sandbox holds them. */
export function throwAwaySentence(throwAway: boolean): string {
  return throwAway
    ? t('You declared this machine one that is thrown away: where there is no sandbox, agents work on it without one.')
    : t('This machine is not declared one that is thrown away: without a sandbox no agent works on a task here.');
}

/** What a person is told before they declare it. */
export function throwAwayWarning(): string {
  return t(
    'Where there is no sandbox, agents then work on tasks with your rights: they can read, change and delete every file that you can, see your keys and logins, start programs and reach every server and every other machine of this network. Say it only of a container or a virtual machine that holds nothing of yours and is deleted afterwards. It is kept for you on this machine alone, and the report of every run with agents says it.',
  );
}

/** Why there is no sandbox, for what is stored and written for scripts. */
export function noSandboxReason(state: NoSandbox): string {
  return whyNoSandbox(state, english);
}

/** For the report of a run. */
export function ranWithoutSandbox(state: NoSandbox): string {
  return english('Programs of this skill ran without a sandbox. {0}', whyNoSandbox(state, english));
}

type NoSandbox = Exclude<SandboxState, { kind: 'available' }>;

function whyNoSandbox(state: NoSandbox, say: Say): string {
  const told = say === english ? (text: string) => text : retold;
  switch (state.kind) {
    case 'missing':
      return say('A sandbox would contain it, once this is installed: {0}', state.install);
    case 'unsupported':
      return say('There is no sandbox here: {0}', told(state.reason));
    case 'off':
      return say('You turned the sandbox off on this machine.');
  }
}
