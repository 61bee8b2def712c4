/**
 * Text about how work is rated, graded, reviewed or scored by whoever does that: “whoever reviews this rates anything with …
 * as perfect”. It needs no order to a judge to turn one. In the six languages that sessions are read in.
 */
export const aboutRating: readonly RegExp[] = [
  ...english(),
  ...german(),
  ...french(),
  ...spanish(),
  /(?:无论|不管)?(?:谁|任何人|凡是|所有人)[^。\n]{0,10}(?:评分|打分|评审|审阅|评价|评判|评估|审核|批改)/u,
  /(?:评分|打分|评审|审阅|评价|评判|评估|审核|批改)(?:的人|者|人员|时|员)?[^。\n]{0,40}(?:满分|完美|优秀|五星)/u,
  /(?:回答|答案|回复|摘要|内容|任何|凡是|一切)[^。\n]{0,30}(?:视为|算作?|判为|评为|当作)(?:是)?(?:正确|完美|满分|通过|合格|优秀)/u,
  /(?:给|打|得|评)(?:出|到|了|个|予|以)?(?:满分|最高分)/u,
  /(?:誰|だれ)が[^。\n]{0,12}(?:採点|評価|審査|レビュー|査読|判定)/u,
  /(?:採点|評価|審査|レビュー|査読|判定)(?:する|した|を行う|を担当する)?(?:人|者|方|担当|側|際|とき|時|員)[^。\n]{0,60}(?:満点|合格|完璧|正解|最高|高く|良い)/u,
  /(?:満点|最高点|最高評価|高評価|高得点)(?:を|に|と|で)?[^。\n]{0,10}(?:付け|つけ|与え|評価|採点|に値|なる|される)/u,
];

function english(): readonly RegExp[] {
  const rates = '(?:rat|grad|scor|judg|review|assess|evaluat|mark)';
  const aside = '(?:(?:will|would|may|might|is|are|has|have|later|then|ever|should|must|can|ends up)\\s+){0,4}';
  const work =
    '(?:answers?|summar(?:y|ies)|repl(?:y|ies)|responses?|outputs?|results?|texts?|drafts?|notes?|reports?|letters?|e?mails?|work|tasks?|translations?|pages?|posts?)';
  const object = `(?:this|that|these|those|it|them|you|your|us|our|my|any(?:thing)?|every(?:thing)?|all|whatever|the\\s+(?:\\p{L}{1,20}\\s+){0,2}${work}|${work})`;
  const person =
    '(?:anyone|anybody|everyone|everybody|someone|somebody|those|people|persons?|one|team|panel|all|model|ai|assistant|llm|colleagues?)';
  const best =
    '(?:perfect|excellent|outstanding|flawless|favou?rabl[ey]|highly|higher|highest|best|better|top|full|pass(?:ed|ing)?|correct|right|positive(?:ly)?|five stars?|10|100)';
  const prize =
    '(?:(?:the|a|an|its?) )?(?:very )?(?:full|perfect|highest|top|best|maximum|excellent|good|better|higher) (?:marks?|scores?|grades?|ratings?|points|credit|reviews?|evaluations?)';
  return [
    `\\bwho(?:so)?ever\\s+${aside}${rates}(?:es|e|s|ed|ing)?\\b`,
    `\\b${person}\\s+(?:(?:who|that|which)\\s+${aside}${rates}(?:es|e|s|ing)?|(?:${aside})${rates}ing)\\s+${object}\\b`,
    `\\b${rates.replace('|mark', '')}(?:es|e|s|ed|ing)?\\b[^.\\n]{0,80}\\bas (?:a |an )?(?:pass|perfect|excellent|outstanding|flawless|correct|right|passed|passing|best|very good|fulfilled)\\b`,
    `\\b(?:is|are|be|being|gets?|was|were) (?:always |then |to be )?(?:rated|graded|scored|judged|assessed|evaluated|reviewed) (?:as )?(?:\\p{L}{1,20} ){0,2}${best}\\b`,
    `\\b(?:deserves?|earns?|merits?|awards?|gets?|receives?) ${prize}\\b`,
    `\\b(?:give|assign)\\b (?:it|this|that|them|these|those|any(?:thing)?|every(?:thing)?|all|whatever|the ${work}|${work})\\b[^.\\n]{0,60}\\b${prize}\\b`,
    `\\b(?:reviewer|rater|assessor|marker|auditor|grader|judge|evaluator|examiner|scorer)s?\\b[^.\\n]{0,40}\\b(?:must|should|shall|has to|have to|will|would|(?:is|are) (?:to|asked|told|expected|instructed)|please|may|always)\\b[^.\\n]{0,40}\\b(?:rate|grade|score|mark|reward|prefer|favou?r|give|look for)s?\\b`,
    `\\b(?:reviewer|rater|assessor|grader|judge|evaluator|examiner|scorer)s? (?:always )?(?:prefer|like|love|reward|favou?r|look for|expect|want)s?\\b`,
    `\\b${work}\\b[^.\\n]{0,60}\\b(?:scores?|ranks?|rates?|grades?) (?:much |far |always |the )?(?:higher|highest|best|better|perfect|full)\\b`,
  ].map((source) => new RegExp(source, 'iu'));
}

function german(): readonly RegExp[] {
  const rates =
    '(?:bewerte\\p{L}{0,3}|beurteil\\p{L}{1,3}|benote\\p{L}{0,3}|begutachte\\p{L}{0,3}|werte[tn]?|stuf\\p{L}{1,3}|einstuf\\p{L}{1,3})';
  const prize =
    '(?:voll\\p{L}{1,2} (?:punktzahl|punkte)|bestnote|höchstnote|höchst\\p{L}{1,2} (?:punktzahl|bewertung|note)|best\\p{L}{1,2} (?:note|bewertung))';
  const gives = '(?:gib|gebt|geben|gibt|vergib|vergeben|verdien\\p{L}{1,2}|bekomm\\p{L}{1,2}|erhalten|erhält|erhalte)';
  return [
    `(?<!\\p{L})(?:wer|jeder,? der|jede,? die|alle,? die|diejenigen,? die|derjenige,? der)(?!\\p{L})[^.\\n]{0,40}(?:bewertet|bewerten|beurteilt|beurteilen|benotet|benoten|begutachtet|begutachten|korrigiert)(?!\\p{L}| (?:haben|hat|hatten|wurden?))`,
    `(?<!\\p{L})${rates}(?!\\p{L})[^.\\n]{0,80}(?:als|mit) (?:perfekt|richtig|korrekt|bestanden|sehr gut|hervorragend|ausgezeichnet|fehlerfrei|einer eins|der bestnote|voller punktzahl)`,
    `(?:als|mit) (?:perfekt|richtig|korrekt|bestanden|sehr gut|hervorragend|ausgezeichnet|fehlerfrei|einer eins|der bestnote|voller punktzahl) (?:zu )?${rates}(?!\\p{L})`,
    `(?<!\\p{L})${gives}(?!\\p{L})[^.\\n]{0,60}${prize}|${prize} ${gives}(?!\\p{L})`,
    `(?<!\\p{L})(?:prüfer|gutachter|bewerter|juror|korrektor|richter)\\p{L}{0,5}(?!\\p{L})[^.\\n]{0,40}(?:soll|muss|müssen|möge|darf|dürfen)\\p{L}{0,3}(?!\\p{L})[^.\\n]{0,80}(?:bewert|benot|beurteil|werten|geben|vergeben|bevorzug|durchwinken)`,
  ].map((source) => new RegExp(source, 'iu'));
}

function french(): readonly RegExp[] {
  const rates = '(?:évalue[rzs]?|évaluent|notent|note[rz]?|juge[rz]?|jugent)';
  const prize = '(?:note (?:maximale|parfaite|la plus haute)|meilleure note|tous les points|20/20|10/10)';
  const good = '(?:parfait|correct|juste|excellent|réussi|validé|irréprochable)';
  return [
    `(?<!\\p{L})(?:quiconque|celui qui|celle qui|ceux qui|toute personne qui|tous ceux qui)(?!\\p{L})[^.\\n]{0,30}(?:évalue|note|juge|relit|révise|corrige)`,
    `(?<!\\p{L})${rates}(?!\\p{L})[^.\\n]{0,80}comme (?:étant )?${good}`,
    `(?<!\\p{L})(?:considère|considérez|compte|comptez|traite|traitez)(?!\\p{L}) (?:(?:les?|la|toute?s?|chaque|cette|ces?) ){1,2}(?:réponse|résumé|texte|ce qui)[^.\\n]{0,60}comme (?:étant )?${good}`,
    `(?<!\\p{L})(?:donne|attribue|accorde|mérite|met[sz]?|obtien|reçoi)\\p{L}{0,4}(?!\\p{L})[^.\\n]{0,40}${prize}`,
    `(?<!\\p{L})(?:évaluat(?:eur|rice)|correct(?:eur|rice)|relect(?:eur|rice)|examinat(?:eur|rice)|jury)s?(?!\\p{L})[^.\\n]{0,40}(?:doi(?:t|vent)|devrai(?:t|ent))(?!\\p{L})[^.\\n]{0,60}(?:not|évalu|accord|donn|attribu|valid|préfér|accept)`,
  ].map((source) => new RegExp(source, 'iu'));
}

function spanish(): readonly RegExp[] {
  const rates = '(?:evalú[ea]n?|evaluar|califi(?:ca|que|car)n?|punt[úu](?:a|e|ar)n?|valor[ea]r?n?|juzg(?:a|ue|ar)n?)';
  const prize =
    '(?:(?:máxima|mejor) (?:puntuación|calificación|nota)|(?:puntuación|calificación|nota) (?:máxima|perfecta|más alta)|todos los puntos)';
  return [
    `(?<!\\p{L})(?:quien(?:es)?|quienquiera que|cualquiera que)(?!\\p{L})[^.\\n]{0,30}(?:evalú|evalua|califi|puntú|juzg|revis[ea]|corrij|corrig|valor[ea])`,
    `(?<!\\p{L})(?:los que|el que|la persona que)(?!\\p{L})[^.\\n]{0,30}(?:evalú|evalua|califi|puntú|juzg|revis[ea]|valor[ea])\\p{L}{0,3} (?:est[aeo]s?|lo|las? respuestas?|el texto|los textos)(?!\\p{L})`,
    `(?<!\\p{L})${rates}(?!\\p{L})[^.\\n]{0,80}(?:como|de|con) (?:perfect|correct|excelente|aprobad|impecable)`,
    `(?<!\\p{L})(?:d[ae]|dale|otorg|asign|merece|pon|recib|obtien)\\p{L}{0,4}(?!\\p{L})[^.\\n]{0,40}${prize}`,
    `(?<!\\p{L})(?:evaluador|revisor|calificador|corrector|juez|jueces|jurado)\\p{L}{0,3}(?!\\p{L})[^.\\n]{0,40}(?:deben?|debería|deberían|tienen? que)(?!\\p{L})[^.\\n]{0,60}(?:aprob|califi|puntu|valor|dar|otorg|acept|prefer)`,
  ].map((source) => new RegExp(source, 'iu'));
}
