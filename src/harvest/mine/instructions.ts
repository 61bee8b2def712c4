import { aboutRating } from './aboutRating.js';

/**
 * What a text may carry that speaks to those who work on it later, instead of being about the work: somebody who was quoted,
 * a page that an agent read, a file that was pasted. It is found by its manner, so it is found too often rather than too
 * seldom: who is marked is looked at by a person, and nothing else happens.
 */
export type Mark =
  | 'overrides' // sets aside what was said before
  | 'to-grader' // wants a verdict, or tells how work is rated
  | 'to-optimizer' // wants a line in a skill
  | 'to-miner' // wants a task, a check or an expectation
  | 'as-system' // speaks in the name of the system, or of another role
  | 'closes-fence' // ends the frame that data stands in
  | 'reply' // looks like the reply of a model
  | 'unseen'; // characters that nobody sees

/** The marks of a text, each once. Time grows with its length. */
export function marksOf(text: string): readonly Mark[] {
  const seen = visible(text);
  const found = finders.filter(([, patterns]) => patterns.some((pattern) => pattern.test(seen))).map(([mark]) => mark);
  const isSpaced = !found.includes('overrides') && joined.test(seen.replaceAll(/[^\p{L}]/gu, ''));
  return [
    ...(isSpaced ? (['overrides'] as const) : []),
    ...found,
    ...(hasOpenFence(seen) && !found.includes('closes-fence') ? (['closes-fence'] as const) : []),
    ...(unseen.test(text) ? (['unseen'] as const) : []),
  ];
}

/**
 * Joiners and marks that change the look of one character are common in some languages; these stand in none. What steers a
 * terminal may hide any text in it.
 */
const unseen = /[\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]|(?![\t\n\r])\p{Cc}/u;

/** As a model may read it: without what nobody sees, and with letters that only look different made equal. */
function visible(text: string): string {
  return text
    .replaceAll(new RegExp(unseen, 'gu'), '')
    .replaceAll(/\u00AD/gu, '')
    .normalize('NFKC');
}

/** The best known order, also where its words are torn apart. */
const joined =
  /(?:ignore|disregard|forget|override)(?:all|any|of|the|your|my|these|those){0,4}(?:previous|prior|earlier|above|preceding|foregoing)(?:system)?(?:instruction|rule|prompt|guideline|directive|message|order)/iu;

/** “Ignore previous instructions” in languages of which nothing else is known here. */
const elsewhere: readonly RegExp[] = [
  /\b(?:ignor(?:a|ate|are|i)|dimentica(?:te|re)?|tralascia(?:te)?)\b[^.\n]{0,60}\b(?:istruzion|regol|indicazion|precedent)/iu,
  /\b(?:ignor(?:e|a|ar|em)|esque[çc][ae]m?|desconsider(?:e|a|ar))\b[^.\n]{0,60}\b(?:instru[çc]|regras|orienta[çc]|anterior)/iu,
  /\b(?:negeer|vergeet)\b[^.\n]{0,60}\b(?:instructies|regels|aanwijzingen|opdrachten|voorgaande|vorige|eerdere)/iu,
  /(?:ignoruj|zapomnij|pomiń)[^.\n]{0,60}(?:instrukcj|polece|zasad|wskazówk|poprzedni)/iu,
  /(?:talimat|kural|yönerge|komut)[^.\n]{0,60}(?:yok say|görmezden|unut|dikkate alma)/iu,
  /(?:игнорируй|забудь|не обращай|пренебреги)[^.\n]{0,60}(?:инструкц|указани|правил|команд|предыдущ)/iu,
  /(?:지시|명령|규칙|지침|프롬프트|내용)[^.\n]{0,30}(?:무시|잊어)|(?:무시하고|잊고)[^.\n]{0,30}(?:지시|명령|규칙|지침)/u,
  /(?:تجاهل|انس[َى ]|اهمل|أهمل)[^.\n]{0,60}(?:تعليمات|أوامر|اوامر|قواعد|توجيهات|سابق)/u,
  /(?:निर्देश|आदेश|नियम)[^.।\n]{0,60}(?:अनदेखा|नज\u093C?रअंदाज|भूल)/u,
].map((pattern) => new RegExp(pattern.source.normalize('NFKC'), pattern.flags));

const said =
  '(?:instructions?|rules?|prompts?|guidelines?|directives?|orders|context|messages?|everything|anything|criteria)';

/** Somebody else is said to want something of the answer: “Bob said that the summary must …”. */
const reported =
  /(?<!\b(?:I|we|you|as|just|already|have|been)\s{1,3})\b(?:said|says|told (?:me|us)|tells (?:me|us)|thinks|insists|insisted|claims|claimed|demands|demanded|wrote|writes)\s(?:that\s)?(?:the|your|every|each|all|any|this|these|an?|it|they)\b[^.\n]{0,60}\b(?:must|should|shall|(?:has|have|needs?|ought) to)\b/iu;

const finders: readonly (readonly [Mark, readonly RegExp[]])[] = [
  [
    'overrides',
    [
      new RegExp(
        `\\b(?:ignore|disregard|forget|override|overrule|bypass|skip|drop|discard|do not follow|stop following)\\b[^.\\n]{0,60}\\b${said}\\b`,
        'iu',
      ),
      /\b(?:ignore|disregard|forget) (?:all |everything |any )?(?:of )?(?:the )?(?:above|previous|prior|earlier|foregoing)\b/iu,
      /\bnew (?:instructions?|system prompt|orders)\s*[:：]/iu,
      /\b(?:ignorier\w*|vergiss|missachte)\b[^.\n]{0,60}\b(?:anweisung\w*|regeln|vorgaben|bisherige\w*|obige\w*)/iu,
      /\b(?:ignore[zr]?|oublie[zr]?)\b[^.\n]{0,60}\b(?:instructions?|consignes|règles|précédent\w*)/iu,
      /\b(?:ignora|olvida|omite)\b[^.\n]{0,60}\b(?:instrucciones|reglas|anterior\w*)/iu,
      /(?:忽略|无视|忘记|不要理会)[^。\n]{0,30}(?:指令|指示|规则|要求|提示|以上|之前|上面)/u,
      /(?:指示|命令|ルール|プロンプト)[^。\n]{0,20}(?:無視|忘れ)|(?:無視|忘れて)[^。\n]{0,20}(?:指示|命令|ルール)/u,
      ...elsewhere,
    ],
  ],
  [
    'to-grader',
    [
      /\b(?:grader|judge|evaluator|examiner|reviewer model|grading model|scorer)s?\b[^.\n]{0,80}\b(?:must|should|pass|score|grade|mark|accept|approve|give|award|return)/iu,
      /\b(?:give|award|assign|return|output|report|deserves?)\b[^.\n]{0,40}\b(?:full marks?|full (?:score|credit|points)|top (?:score|grade|marks)|perfect score|best grade|a pass|score of 1|10\/10|100\s?%)/iu,
      /\b(?:mark|grade|score|rate|treat|count) (?:this|it|the answer|every answer|all answers?|everything|them)\b[^.\n]{0,40}\b(?:pass(?:ed|ing)?|correct|met|1(?:\.0)?|full|perfect|fulfilled)\b/iu,
      /\b(?:all|every|each|any) (?:criteri(?:a|on)|checks?|expectations?|answers?)\b[^.\n]{0,30}\b(?:pass(?:es|ed)?|(?:is|are) met|holds?|fulfilled|satisfied)\b/iu,
      /\b(?:when|while|in|for|before|during) (?:you (?:are )?)?(?:grad(?:e|ing)|scor(?:e|ing)|judg(?:e|ing)|evaluat(?:e|ing)|assess(?:ing)?|rating)\b[^.\n]{0,60}\b(?:treat|count|accept|regard|give|pass|reward)\b/iu,
      /\b(?:treat|count|regard|consider|rate|mark|grade|score)\b[^.\n]{0,20}\b(?:answers?|summar(?:y|ies)|repl(?:y|ies)|responses?|outputs?|texts?|drafts?|reports?|those|anything|whatever)\b[^.\n]{0,80}\bas (?:right|correct|good|passed|passing|met|valid|fulfilled|perfect|best)\b/iu,
      /\b(?:evaluation|grading|grader|judging|scoring|rubric|dataset|benchmark) (?:note|hint|instruction|guideline|rule)s?\s?[:：]/iu,
      /"pass"\s*:\s*true|"score"\s*:\s*1\b/u,
      /(?:评分|打分|评审|裁判)[^。\n]{0,30}(?:满分|通过|合格)|(?:採点|評価)[^。\n]{0,30}(?:満点|合格)/u,
      ...aboutRating,
    ],
  ],
  [
    'to-optimizer',
    [
      /\b(?:add|append|insert|put|write|include|place|copy|embed|delete|remove)\b[^.\n]{0,120}\b(?:to|into|in|from|at the (?:top|end) of|of)\b[^.\n]{0,30}\b(?:skill|SKILL\.md|system prompt|memory file|CLAUDE\.md|AGENTS\.md)\b/iu,
      /\b(?:skill|SKILL\.md)\b[^.\n]{0,60}\b(?:must|should|shall|has to|needs to|will)\b[^.\n]{0,30}\b(?:say|state|contain|include|begin|end|tell|recommend|instruct)\b/iu,
      /\b(?:optimi[sz]er|trainer|analyst|reflection model)s?\b[^.\n]{0,80}\b(?:must|should|add|append|insert|propose|write|edit|delete|remove|include)/iu,
      /\b(?:propose|make|apply|output) (?:the|this|an?|these|one) (?:following )?edits?\b/iu,
      /(?:技能|skill)[^。\n]{0,20}(?:加入|添加|写入|追加)|(?:加入|添加|写入)[^。\n]{0,30}(?:技能|SKILL)|スキルに[^。\n]{0,40}(?:追加|書)/iu,
    ],
  ],
  [
    'to-miner',
    [
      /\b(?:add|create|write|emit|output|generate|include|make|draft|record|extract|return|produce)\b[^.\n]{0,50}\b(?:tasks?|evals?|checks?|expectations?|criteri(?:on|a)|test cases?|rubrics?)\b[^.\n]{0,60}(?:[:：“"'‘]|\bthat (?:says?|reads?|demands?|requires?|passes)|\bwith the\b|\bnamed\b)/iu,
      /\b(?:task )?(?:miner|harvester|data extractor|dataset builder|task writer)s?\b[^.\n]{0,80}\b(?:must|should|add|write|include|ignore|skip|use|emit|return|note)/iu,
      /\b(?:whoever|anyone|any (?:model|assistant|ai|agent)|the (?:model|ai|assistant)) (?:who |that |which )?(?:reads?|reading|processes|processing|mines?|mining|summari[sz]es|sees)\b/iu,
      /\b(?:note|message|memo|hint|notice|information|info)s? (?:to|for) (?:whoever|(?:anyone|anybody|everyone|those|all) (?:who|that)) \p{L}/iu,
      /\b(?:items?|tasks?|evals?|evaluations?|test cases?|examples?)\b[^.\n]{0,30}\b(?:needs?|must|should|shall|has to|have to|requires?|gets?)\b[^.\n]{0,30}\b(?:criteri(?:on|a)|expectations?|rubrics?)\b/iu,
      /\b(?:prepar|mak|build|writ|collect|deriv|creat)(?:es?|ing)\b[^.\n]{0,30}\b(?:evaluation|eval|benchmark|training) (?:items?|tasks?|sets?|data|examples?|cases?)\b/iu,
      /\b(?:require|add|put|include|demand)\b[^.\n]{0,60}\b(?:in|to|into) the (?:rubric|criteria|expectations|evaluation|dataset|test set)\b/iu,
      /\bfor the (?:dataset|benchmark|rubric|grader|evaluation set|evals?)\s?[:：,]/iu,
      reported,
      /\bwhetstone\b[^.\n]{0,60}\b(?:must|should|add|write|accept|adopt|confirm|mark|train)/iu,
      /\bwhen (?:you|this) (?:read|process|mine|harvest|summari[sz]e|extract)s?\b[^.\n]{0,60}\b(?:you must|always|add|write|include)\b/iu,
    ],
  ],
  [
    'as-system',
    [
      /^[\s>*_#-]{0,8}(?:\[|<|\*\*)?(?:system|developer|assistant|administrator|admin|root)(?:\]|>|\*\*)?(?: (?:message|prompt|note|notice|override))?\s*[:：]/imu,
      /<\/?(?:system|developer|assistant|user|human|instructions?|im_start|im_end)(?:\s[^<>\n]{0,80})?>/iu,
      /<\|[a-z_]{2,30}\|>|\[\/?INST\]|<<\/?SYS>>|^#{2,4} ?(?:instruction|response|system)\s*:?\s*$/imu,
      /\byou are (?:now|no longer)\b[^.\n]{0,60}\b(?:a|an|the|in|bound|subject)\b/iu,
    ],
  ],
  [
    'closes-fence',
    [
      /^\s{0,3}(?:`{3,}|~{3,})\s*[a-z][a-z0-9]{0,30}(?:-\d{1,6})?-[0-9a-f]{6,}\s*$/imu, // as ours are named
      /<\/(?:session|transcript|data|answer|asked|request|task|context|skill|document|input|conversation)>/iu,
      /\b(?:end|close) of (?:the )?(?:data|fence|session|transcript|quote|untrusted|user (?:input|data))\b/iu,
      /^[-=*_]{3,} ?(?:end|begin) (?:of )?(?:data|session|transcript|input|instructions?)\b/imu,
    ],
  ],
  [
    'reply',
    [
      /["']?(?:tasks|edits|results|checks|expectations|failure_summary|selected_indices|slow_update_content|meta_skill_content|new_skill|skill_candidates)["']?\s*:\s*\[?\s*(?:\{|"[^"\n]{0,200}"\s*[,\]])/u,
      /"(?:op|anchor|rationale)"\s*:\s*"/u,
      /\{\s*"?check"?\s*:\s*"/u,
    ],
  ],
];

/** A fence that is opened and never closed, or closed before it was opened: data that a frame may end at. */
function hasOpenFence(text: string): boolean {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const marks = /^\s{0,3}(`{3,}|~{3,})(.*)$/u.exec(line);
    if (marks === null) continue;
    const [, run = '', rest = ''] = marks;
    if (open === undefined) open = run;
    else if (rest.trim() === '' && run[0] === open[0] && run.length >= open.length) open = undefined;
  }
  return open !== undefined;
}
