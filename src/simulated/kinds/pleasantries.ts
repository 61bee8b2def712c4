import type { Instruction, InstructionKind } from '../instruction.js';

const noun =
  'greetings?|pleasantr(?:y|ies)|preambles?|introductions?|introductory (?:sentences?|remarks?|phrases?)|intros?|small talk|salutations?|filler|chit-?chat|flattery|sign-?offs?|politeness|compliments?';
const banned = new RegExp(
  `\\b(?:no|without|skip|omit|avoid|drop|spare(?: \\w+)?|never (?:use|write|add|open with|start with|begin with|include)|do(?:es)? not (?:use|write|add|open with|start with|begin with|contain|include|have)|leave out|free of|cut)(?: \\w+){0,3} (?:${noun})\\b|\\b(?:never|do not) greet\\b|\\bdoes not greet\\b|\\bno hello\\b`,
);
const direct =
  /\b(?:get|go|come)(?: \w+)? (?:straight|directly|right) to (?:the point|it|business)\b|\b(?:start|begin|open|lead)s?(?: \w+)? (?:directly|straight|right away|immediately)\b|\b(?:start|begin|open|lead)s? with the (?:answer|result|conclusion|finding|point) itself\b|\bdive (?:right|straight) in\b/;
const greetsFirst = new RegExp(
  `\\b(?:start|begin|open)s?(?: \\w+){0,3} with (?:a |an |some )?(?:\\w+ )?(?:${noun})\\b|\\bgreet (?:the|every|each|them)\\b|\\b(?:be|stay) (?:chatty|effusive)\\b`,
);
const greeting =
  /\b(?:great question|sure thing|certainly!|happy to help|hello|thanks for (?:asking|the)|of course!|hope this helps|let me know)\b/i;

/** `No greeting`: neither a greeting first nor a sign-off last. */
export const pleasantries: InstructionKind = {
  name: 'no pleasantries',
  followed: 'The answer begins with its matter and has no sign-off.',
  otherwise: 'It begins with “Great question!” or the like, and ends with “Hope this helps!”.',
  phrasings: [
    'No greeting.',
    'Skip the pleasantries.',
    'Do not greet the reader.',
    'Get straight to the point.',
    'Never open with a preamble.',
    'Write without any introduction or sign-off.',
    'Start directly with the answer.',
  ],
  read: ({ plain }) => {
    if (banned.test(plain) || direct.test(plain)) return [withPleasantries(false)];
    return greetsFirst.test(plain) && !/\b(?:not|never|no)\b/.test(plain) ? [withPleasantries(true)] : [];
  },
};

function withPleasantries(wanted: boolean): Instruction {
  const plain = 'Start directly with the answer, without greeting or sign-off.';
  const polite = 'Start with a friendly greeting.';
  return {
    kind: pleasantries.name,
    slot: 'pleasantries',
    vague: false,
    sentence: wanted ? polite : plain,
    opposite: wanted ? plain : polite,
    follow: (plan) => ({ ...plan, pleasantries: wanted }),
    heldBy: ({ answer }) => greeting.test(answer) === wanted,
  };
}
