/**
 * A correction that judges nothing: “Use bullet points, and put the breaking changes first.” right after an answer asks for
 * the same answer in another form. It is told from a new request by its words alone: every part of it must be about the form
 * of a text, and at least one by words that nothing else is meant by. “Put the search box at the top” alone may be work on a
 * page, “make a list of …” asks for a list: neither is one.
 */
export function wishesForm(parts: readonly string[]): boolean {
  const kinds = parts.map((part) => kindOf(part));
  return kinds.includes('form') && !kinds.includes(undefined);
}

type Kind = 'form' | 'beside' | undefined;

function kindOf(part: string): Kind {
  const words = part.replace(courtesies, '').replaceAll(/^\s+|\s+$/gu, '');
  if (forms.some((form) => form.test(words))) return 'form';
  return words === '' || orders.some((order) => order.test(words)) ? 'beside' : undefined;
}

const courtesies =
  /^(?:please|next time|bitte|s'il (?:te|vous) pla[iî]t|por favor|请|麻烦)[ ]?|[ ]?(?:please|instead|bitte|s'il (?:te|vous) pla[iî]t|por favor|ください|下さい|お願いします)$/gu;

const whole = (...patterns: readonly string[]): RegExp => new RegExp(`^(?:${patterns.join('|')})$`, 'u');

const number = '(?:\\d{1,4}|one|two|three|four|five|six|ten)';
const thing = "(?:\\p{L}[\\p{L}'-]*)";

/** What a text can be made of, and how it can be. */
const english = {
  made: '(?:(?:short |numbered |plain |simple )?bullet ?(?:points?|s|lists?)|bullets|a (?:bulleted|bullet|numbered|short|simple) list|a table|(?:short|shorter|full|complete|simple|fewer) (?:sentences|paragraphs|words|headings)|(?:sub|section )?headings|plain (?:text|english|words|language)|markdown|prose|simple (?:words|language)|(?:the )?(?:active|passive) voice|(?:the )?(?:past|present) tense|(?:british|american) (?:english|spelling)|emojis?|jargon|bold)',
  be: '(?:(?:much|a bit|a little|even|very|more|less) )?(?:short|shorter|brief|briefer|concise|crisp|crisper|formal|friendly|friendlier|casual|technical|verbose|wordy|detailed|to the point)',
};

const forms: readonly RegExp[] = [
  whole(
    `(?:use|write (?:it )?(?:in|with|as)|switch to|stick to|format (?:it|this|that) (?:as|with)|turn (?:it|this|that) into|make (?:it|this|that)(?: into)?) ${english.made}`,
    `(?:do not use|don't use|no|without|avoid) (?:any )?${english.made}`,
    `(?:make|keep|write) (?:it|this|that|the answer|the text|the tone) ${english.be}`,
    `(?:be )?${english.be}`,
    `(?:(?:make|keep|write) (?:it|this|that|the answer) )?(?:(?:in |to )?(?:at most |no more than |under |below )|in )${number} (?:words|sentences?|lines?|bullets|bullet points|characters|paragraphs?)`,
  ),
  whole(
    `(?:nimm|verwende|benutze|nutze|schreib(?:e)? (?:es |das )?(?:in|mit|als)) (?:bitte )?(?:stichpunkten?|stichworten?|aufzählungspunkten?|aufzählungszeichen|eine (?:aufzählung|liste|tabelle)|einer (?:liste|tabelle)|kurze[n]? (?:sätzen?|absätzen?)|einfache (?:sprache|worte|sätze)|überschriften|zwischenüberschriften)`,
    `(?:mach|halte|schreib) (?:es|das|dich|den text|die antwort) (?:etwas |viel |deutlich |bitte )?(?:kurz|kürzer|knapp|knapper|sachlicher|förmlicher|lockerer)`,
    `fass dich (?:bitte )?(?:kurz|kürzer)`,
    `(?:bitte )?(?:etwas |viel |deutlich )?(?:kürzer|knapper|sachlicher|förmlicher)`,
    `(?:keine|ohne) (?:emojis|überschriften|floskeln|aufzählung(?:en)?|fachbegriffe)`,
    `(?:in )?(?:höchstens|maximal) \\d{1,4} (?:wörtern?|sätzen?|zeilen|zeichen)`,
  ),
  whole(
    `(?:utilise|utilisez|mets|mettez|fais|faites|écris|écrivez)(?: ça| cela| le| la)?(?: en| avec| sous forme de| des| une| un| de)* (?:puces|listes?(?: à puces)?|tableaux?|phrases courtes|paragraphes courts|titres|sous-titres|langage simple|mots simples)`,
    `(?:fais|faites|écris|écrivez|rends-le|rendez-le|sois|soyez)(?: plus| moins| très| bien| un peu plus)+ (?:court|courte|bref|brève|concis|concise|simple|formel|formelle)`,
    `(?:un peu |beaucoup )?(?:plus|moins) (?:court|bref|concis|formel|long)`,
    `(?:pas d'|sans |aucun )(?:emojis?|titres?|puces|jargon|tableau)`,
    `(?:en )?(?:\\d{1,4} (?:mots|phrases|lignes|caractères) (?:maximum|au plus)|(?:au plus|maximum) \\d{1,4} (?:mots|phrases|lignes|caractères))`,
  ),
  whole(
    `(?:usa|use|utiliza|utilice|escríbelo|ponlo|hazlo)(?: en| con| como)*(?: una| un)? (?:viñetas|listas?(?: con viñetas)?|tablas?|frases (?:más )?cortas|párrafos (?:más )?cortos|títulos|subtítulos|lenguaje (?:más )?(?:sencillo|claro)|palabras sencillas)`,
    `(?:hazlo|escríbelo|sé)(?: un poco| mucho)?(?: más| menos| muy)? (?:corto|breve|conciso|formal|sencillo)`,
    `(?:un poco |mucho )?(?:más|menos) (?:corto|breve|conciso|formal)`,
    `sin (?:emojis?|títulos|viñetas|jerga|tablas)`,
    `(?:en )?(?:como máximo|máximo) \\d{1,4} (?:palabras|frases|líneas|caracteres)`,
  ),
  whole(
    `(?:使用|改用|用|以)(?:项目符号|要点|列表|表格|短句|小标题|标题|简单的(?:语言|词)|纯文本)(?:的?形式|格式)?(?:来?(?:写|列出|列|表示|呈现|说明))?`,
    `(?:写得?|再|更|要)?(?:简短|简洁|精简|短)(?:一?点|一些|些)?(?:吧|就好)?`,
    `(?:不要|别)(?:用|使用|加)(?:表情|表情符号|术语|标题|列表|项目符号)`,
    `(?:不超过|最多|控制在)\\d{1,4}(?:个?字|句话?|行)(?:以内|之内)?`,
  ),
  whole(
    `(?:箇条書き|リスト|表|表形式|短い文|短文|平易な言葉)(?:に|で)(?:して|書いて|まとめて|示して)?`,
    `(?:もっと|もう少し|より)?(?:短く|簡潔に|簡単に|丁寧に)(?:して|書いて|まとめて)?`,
    `(?:絵文字|専門用語|見出し)(?:は|を)?(?:使わないで|なしで|無しで)`,
    `\\d{1,4}(?:文字|字|文|行)(?:以内|まで)(?:に|で)(?:して|書いて|まとめて)?`,
  ),
];

/** Where something of the answer is to stand; by itself it may be about anything. */
const orders: readonly RegExp[] = [
  whole(
    `(?:put|list|place|name|mention) (?:the |all |any |every |each )?(?:${thing} ){1,4}(?:first|last|at the (?:very )?(?:top|beginning|start|end|bottom)|in bold)`,
  ),
  whole(
    `(?:setz|setze|stell|stelle|nenn|nenne|schreib|schreibe) (?:die |den |das |alle )?(?:${thing} ){1,4}(?:zuerst|zuletzt|voran|an den anfang|ans ende|nach oben|an die erste stelle)`,
  ),
  whole(
    `(?:mets|mettez|place|placez|cite|citez)(?: d'abord)? (?:les |le |la |l'|tous les )?(?:${thing} ){1,4}(?:en premier|en dernier|au début|à la fin|en haut|d'abord|en gras)`,
  ),
  whole(
    `(?:pon|ponga|coloca|menciona|nombra)(?: primero)? (?:los |las |el |la |todos los )?(?:${thing} ){1,4}(?:primero|al principio|al final|arriba|en negrita)`,
  ),
  whole(`(?:把|将)?[\\p{Script=Han}]{1,12}(?:放|写|列|排)(?:在|到)(?:最?前面|最前|开头|首位|最?后面?|末尾|结尾)`),
  whole(`[\\p{L}ー]{1,16}(?:を|は)(?:最初|先頭|先|冒頭|最後|末尾)に(?:置いて|書いて|して|挙げて)?`),
];
