import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, namesIn } from '../reading/wording.js';
import { hedgePattern, hedgeWords } from '../target/sentences.js';

const nouns: Readonly<Record<string, string>> = {
  recommendation: 'Recommendation',
  recommend: 'Recommendation',
  verdict: 'Verdict',
  decision: 'Decision',
  conclusion: 'Conclusion',
};
const noun = 'recommendation|verdict|decision|conclusion|position|stance|choice|answer|option|side';
const commits = new RegExp(
  `\\b(?:commit(?:s|ting)? to (?:an?|one|the|your|a single)|(?:take|pick|choose)(?:s)? (?:a|one) (?:clear |firm )?(?:position|stance|side)|(?:say|answer|state|reply|decide)(?: with)?:? (?:an? )?(?:clear |plain |simple |either )*(?:yes or no|approve or reject|accept or reject|pass or fail|go or no-go|ship or hold)|make(?:s)? (?:a|one) (?:clear |firm |final |definite )?(?:decision|choice|recommendation)|(?:pick|choose|name|select)(?:s)? (?:exactly |only )?(?:one|a single|the best) (?:\\w+ )?(?:option|answer|alternative|choice|winner)|(?:be|is) (?:decisive|definite|conclusive)|(?:give|state|end|ends|close|conclude|finish|offer|provide|deliver|reach|contain|contains|include|includes|write)(?:s)?(?: with| on| in| the answer with)? (?:a|one|your|exactly one|a single)(?! answer) (?:(?:clear|firm|final|single|definite|explicit|unambiguous|closing|concrete) ?,?)*(?:${noun})|say which (?:one )?you recommend|commits? to)\\b`,
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
    kind: commitment.name,
    slot: 'verdict',
    vague: false,
    sentence: `Commit to one clear ${label.toLowerCase()}${choices}.`,
    opposite: 'Hedge every statement and leave the decision open.',
    follow: (plan) => ({ ...plan, hedges: false, verdict: { kind: 'label', label, options } }),
    heldBy: ({ answer }) =>
      !hedgePattern.test(answer) && (decides.test(answer) || /\b(?:I|we) recommend\b/i.test(answer)),
  };
}

function unhedged(): Instruction {
  return {
    kind: commitment.name,
    slot: 'hedging',
    vague: false,
    sentence: 'Do not hedge.',
    opposite: 'Hedge every statement and leave the decision open.',
    follow: (plan) => ({ ...plan, hedges: false }),
    heldBy: ({ answer }) => !hedgePattern.test(answer),
  };
}

function hedged(): Instruction {
  return {
    kind: commitment.name,
    slot: 'hedging',
    vague: false,
    opposes: ['verdict', ...hedgeWords.map((word) => `word ${word}`)],
    sentence: 'Hedge every statement and leave the decision open.',
    opposite: 'Do not hedge.',
    follow: (plan) => ({ ...plan, hedges: true, verdict: undefined }),
    heldBy: ({ answer }) => hedgePattern.test(answer),
  };
}
