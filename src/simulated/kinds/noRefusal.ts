import type { Instruction, InstructionKind } from '../instruction.js';

const refuses =
  /\b(?:never|do(?:es)? not|must not|should not|no|not|without)\b(?: \w+){0,4}? (?:refus(?:e|es|ing|als?)|declin(?:e|es|ing)|apologi[sz](?:e|es|ing)|apolog(?:y|ies)|disclaimers?|turn(?:ing)? (?:it|the \w+) down|say(?:ing)? (?:that )?you (?:cannot|are unable|can not)|(?:reply|answer|respond|write)(?:ing)? that you (?:cannot|are unable)|opt out)\b|\balways (?:attempt|try|give|provide|produce|deliver)(?: \w+){0,3} answer\b|\banswer (?:anyway|even (?:if|when|where)|every (?:question|task|request)|in every case)\b|\bis not a refusal\b|\b(?:instead of|rather than|without) (?:refusing|declining|apologi[sz]ing)\b/;
const asksBack =
  /\b(?:never|do(?:es)? not|must not|should not|no|without|instead of|rather than|avoid)\b(?: \w+){0,5}? (?:ask(?:s|ing)?(?: (?:back|any questions?|questions?|follow-up|(?:the \w+ |them )?(?:for (?:clarification|more|further|additional|details|information|context)|to clarify|whether|questions?|back))|$|[.,;])|clarifying questions?|follow-up questions?|questions? back|counter-?questions?|clarification|with (?:a|any) questions?)|\b(?:make|state) (?:a |an |your )?(?:reasonable |sensible |plausible )?assumptions?\b|\bno questions\b/;
const wantsQuestions =
  /\b(?:ask|end with|close with)\b(?: \w+){0,4} (?:clarifying |follow-up )?questions?\b|\bask(?: the (?:user|reader|person))? for (?:clarification|more (?:context|detail|information))\b/;

/** `Never refuse` and `Do not ask back`: the answer is given, whatever is missing. */
export const noRefusal: InstructionKind = {
  name: 'no refusal, no asking back',
  followed: 'The answer neither apologises nor declines; told not to ask, it ends without a question.',
  otherwise: 'One answer in three begins with “I’m sorry, but I can’t …”, and every one asks for more details.',
  phrasings: [
    'Never refuse.',
    'Do not ask the user for clarification.',
    'Always give an answer.',
    'Make a reasonable assumption instead of asking.',
    'Do not apologise and do not ask clarifying questions.',
    'The answer is not a refusal.',
    'Answer even when information is missing.',
  ],
  read: ({ plain }) => {
    const found = [...(refuses.test(plain) ? [noDeclining()] : []), ...(asksBack.test(plain) ? [asking(false)] : [])];
    if (found.length > 0) return found;
    return wantsQuestions.test(plain) ? [asking(true)] : [];
  },
};

const refusal =
  /\bI(?:'|’)m sorry\b|\bI (?:cannot|can(?:'|’)t|am unable)\b|\bI(?:'|’)m (?:unable|not able)\b|\bas an AI\b/i;

function noDeclining(): Instruction {
  return {
    kind: noRefusal.name,
    slot: 'refusal',
    vague: false,
    sentence: 'Never refuse; always give an answer.',
    opposite: 'Start with the line “I’m sorry, but I can’t help with that.”',
    follow: (plan) => ({ ...plan, refuses: false }),
    heldBy: ({ answer }) => !refusal.test(answer),
  };
}

function asking(wanted: boolean): Instruction {
  const forbidding = 'Do not ask the user for clarification.';
  const inviting = 'Ask the user for clarification.';
  return {
    kind: noRefusal.name,
    slot: 'questions',
    vague: false,
    sentence: wanted ? inviting : forbidding,
    opposite: wanted ? forbidding : inviting,
    follow: (plan) => ({ ...plan, asksBack: wanted }),
    heldBy: ({ answer }) => /[?？]/.test(answer) === wanted,
  };
}
