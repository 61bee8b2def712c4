import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, namesIn } from '../reading/wording.js';
import { hedgePattern, hedgeWords } from '../target/sentences.js';

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
    slot: 'refusal',
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
    slot: 'questions',
    sentence: wanted ? inviting : forbidding,
    opposite: wanted ? forbidding : inviting,
    follow: (plan) => ({ ...plan, asksBack: wanted }),
    heldBy: ({ answer }) => /[?？]/.test(answer) === wanted,
  };
}

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
    slot: 'pleasantries',
    sentence: wanted ? polite : plain,
    opposite: wanted ? plain : polite,
    follow: (plan) => ({ ...plan, pleasantries: wanted }),
    heldBy: ({ answer }) => greeting.test(answer) === wanted,
  };
}

const nouns: Readonly<Record<string, string>> = {
  recommendation: 'Recommendation',
  recommend: 'Recommendation',
  verdict: 'Verdict',
  decision: 'Decision',
  conclusion: 'Conclusion',
};
const verdictNoun = 'recommendation|verdict|decision|conclusion|position|stance|choice|answer|option|side';
const commits = new RegExp(
  `\\b(?:commit(?:s|ting)? to (?:an?|one|the|your|a single)|(?:take|pick|choose)(?:s)? (?:a|one) (?:clear |firm )?(?:position|stance|side)|(?:say|answer|state|reply|decide)(?: with)?:? (?:an? )?(?:clear |plain |simple |either )*(?:yes or no|approve or reject|accept or reject|pass or fail|go or no-go|ship or hold)|make(?:s)? (?:a|one) (?:clear |firm |final |definite )?(?:decision|choice|recommendation)|(?:pick|choose|name|select)(?:s)? (?:exactly |only )?(?:one|a single|the best) (?:\\w+ )?(?:option|answer|alternative|choice|winner)|(?:be|is) (?:decisive|definite|conclusive)|(?:give|state|end|ends|close|conclude|finish|offer|provide|deliver|reach|contain|contains|include|includes|write)(?:s)?(?: with| on| in| the answer with)? (?:a|one|your|exactly one|a single)(?! answer) (?:(?:clear|firm|final|single|definite|explicit|unambiguous|closing|concrete) ?,?)*(?:${verdictNoun})|say which (?:one )?you recommend|commits? to)\\b`,
);
const plainNouns = /\b(?:give|state|provide|offer|write|include|contain)(?:s)? (?:an? )(?:answer|option|side|choice)\b/;
const hedging =
  /\bhedg(?:e|es|ing)\b|\bsit(?:ting)? on the fence\b|\bequivocat(?:e|ing)\b|\bwishy-washy\b|\bnon-?committal\b/;
const open =
  /\b(?:leave|keep)(?:s)? (?:the |your )?(?:decision|question|choice|conclusion|matter) open\b|\blay out the (?:possibilities|options|alternatives)\b|\blet the (?:customer|reader|user|person) (?:decide|choose|find out)\b|\bleave (?:it|the \w+) to the (?:customer|reader|user|person)\b|\bstay neutral\b|\bremain neutral\b|\bpresent both sides\b|\bdo not commit\b|\bnever commit\b/;
const pairs =
  /\b(yes or no|approve or reject|accept or reject|pass or fail|go or no-go|ship or hold|merge or block|agree or disagree)\b/;

/** `Commit to one recommendation`: no hedging, and a last line that decides. `Do not hedge` takes only the hedging out. */
export const commitment: InstructionKind = {
  name: 'commitment',
  followed:
    'No hedging word is left, and a line “Recommendation:” (or verdict, decision, conclusion, final answer) decides.',
  otherwise: 'It hedges (“it depends”, “maybe”, “might”) and leaves the decision open.',
  phrasings: [
    'Commit to one answer.',
    'Give a clear recommendation.',
    'End with a final verdict.',
    'Do not hedge.',
    'Take a position.',
    'Choose one option.',
    'State a single decision: approve or reject.',
    'Be decisive.',
  ],
  read: (statement) => {
    const { plain } = statement;
    if (open.test(plain)) return [hedged()];
    if (hedging.test(plain)) return denies(plain) ? [unhedged()] : [hedged()];
    if (!commits.test(plain) || denies(plain.replace(pairs, '')) || plainNouns.test(plain)) return [];
    return [decided(labelIn(plain), optionsIn(statement))];
  },
};

function labelIn(plain: string): string {
  const found = Object.keys(nouns).find((word) => new RegExp(`\\b${word}`).test(plain));
  if (found !== undefined) return nouns[found] ?? 'Recommendation';
  return /\banswer\b/.test(plain) ? 'Final answer' : 'Recommendation';
}

function optionsIn({ plain, quotes }: Statement): readonly string[] {
  const quoted = namesIn(plain.includes('⟦') ? plain : '', quotes);
  if (quoted.length > 1) return quoted;
  const pair = pairs.exec(plain)?.[1];
  return pair === undefined ? [] : pair.split(' or ').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
}

const decides = /^\W*(?:recommendation|verdict|decision|conclusion|final answer)\W*:\s*\S/im;

function decided(label: string, options: readonly string[]): Instruction {
  const choices = options.length === 0 ? '' : `: ${options.map((option) => `“${option}”`).join(' or ')}`;
  return {
    slot: 'verdict',
    sentence: `Commit to one clear ${label.toLowerCase()}${choices}.`,
    opposite: 'Hedge every statement and leave the decision open.',
    follow: (plan) => ({ ...plan, hedges: false, verdict: { kind: 'label', label, options } }),
    heldBy: ({ answer }) =>
      !hedgePattern.test(answer) && (decides.test(answer) || /\b(?:I|we) recommend\b/i.test(answer)),
  };
}

function unhedged(): Instruction {
  return {
    slot: 'hedging',
    sentence: 'Do not hedge.',
    opposite: 'Hedge every statement and leave the decision open.',
    follow: (plan) => ({ ...plan, hedges: false }),
    heldBy: ({ answer }) => !hedgePattern.test(answer),
  };
}

function hedged(): Instruction {
  return {
    slot: 'hedging',
    opposes: ['verdict', ...hedgeWords.map((word) => `word ${word}`)],
    sentence: 'Hedge every statement and leave the decision open.',
    opposite: 'Do not hedge.',
    follow: (plan) => ({ ...plan, hedges: true, verdict: undefined }),
    heldBy: ({ answer }) => hedgePattern.test(answer),
  };
}
