const grader =
  '(?:(?:auto-?)?graders?|(?:auto-?)?grading (?:script|model|rubric|code|harness)|judges?|judge model|evaluators?|scorers?|scoring (?:script|model|code)|evals?|evaluation|test harness|eval harness|hidden (?:checks?|tests?|criteria|rubric)|rubric)';
const seeks =
  '(?:looks? for|looking for|checks? (?:for|that|if|whether)|expects?|wants?|searches|searching|matches|requires?|accepts?|counts|rewards?|penali[sz]es?|gives? (?:points|credit)|deducts?|parses|reads only|only reads|runs a regex)';
const answer =
  '(?:(?:your|the|each|every|this|an?|all|these) )?(?:final )?(?:answers?|responses?|repl(?:y|ies)|outputs?|submissions?|tasks?|work)';

/** Sentences about how the answer will be graded, rather than about what a good answer is. */
const patterns: readonly RegExp[] = [
  // The grader looks for ...
  new RegExp(
    `\\b(?:the|this|our|an?|these|llm|hidden) (?:\\w+ )?${grader} (?:will |only |also |always |may )*${seeks}\\b`,
  ),
  // Your answer will be graded ...
  new RegExp(
    `\\b${answer} (?:is|are|will be|gets?|get|being) (?:then |later |also |automatically |auto-?)*(?:graded|scored|judged|auto-?graded|evaluated by|marked (?:by|against))\\b`,
  ),
  // ... is checked by a regex
  new RegExp(
    `\\b${answer} (?:is|are|will be) (?:then |automatically )?(?:checked|matched|tested|validated) (?:by|with|against|using) (?:an? |the |some )?(?:hidden |automatic )?(?:regex|regular expressions?|graders?|judges?|evaluators?|rubric|answer key|reference answers?|expected answers?|keyword)`,
  ),
  // to pass the checks, to satisfy the grader
  new RegExp(
    `\\b(?:pass|satisfy|please|fool|trick|game|beat|appease|convince) (?:(?:all|every|each|of|the|this|these|its|our|any) )*(?:(?:automatic|automated|hidden|held-out|task|training) )*(?:checks?\\b(?! (?:mark|box|list|digit))|${grader}\\b|regex(?:es)?|benchmark|held-out tasks?)`,
  ),
  // a higher score, full marks
  /\b(?:maximi[sz]e|increase|improve|raise|boost|get|earn|receive|gain|lose|achieve|secure) (?:(?:the|your|a|an|full|higher|high|better|best|maximum|top|perfect|any|its) )+(?:score|scores|grade|grades|reward|points|credit|marks)\b/,
  /\b(?:for|to get|earns?|gets?) (?:full|maximum|partial) (?:marks|credit|points)\b/,
  /\b(?:counts?|scored?|graded?) as (?:an? )?(?:pass|fail(?:ure)?|correct answer|wrong answer)\b/,
  // the tasks themselves
  /\b(?:these|this|the) (?:eval(?:uation)?|benchmark|test|training|held-out|graded) (?:tasks?|cases?|examples?|questions?|prompts?)\b[^.]{0,120}\b(?:expects?|wants?|answers? (?:is|are)|graded|scored|pass(?:es)?|checks?|look(?:s|ing)? for|require)\b/,
  /\bheld-?out (?:tasks?|checks?|answers?)\b/,
  /\bhidden (?:checks?|criteri(?:on|a)|rubrics?|graders?)\b/,
  /\b(?:answer key|gold (?:answers?|labels?)|reference answers?|expected[_ ]outputs?)\b[^.]{0,120}\b(?:graded?|grading|scored?|match(?:es|ed)?|check(?:s|ed)?|compared)\b/,
  /\b(?:graded|scored|evaluated|judged|marked) (?:only |solely |purely )?(?:on|by|for) (?:whether|containing|the presence|matching|keywords?|exact match|string match|how many)\b/,
];

/** The words in which a text speaks of its own grading, or undefined. Reads English. */
export function findGradingTalk(text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[*_`]/g, '').replaceAll(/\s+/g, ' ');
  for (const pattern of patterns) {
    const found = pattern.exec(plain)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
