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

/** What stands in a part for a few words in quotes, or for a link. */
export const quotedWords = '□';

/** What stands for a sentence that tells what somebody's rules want of such a text. */
export const ofRules = '■';

/**
 * How such a sentence begins, up to its first comma: behind it something may be asked. “Our style guide asks that release
 * notes close with a link” after an answer says what it lacks; it asks for nothing of its own.
 */
export const ruleSentences = new RegExp(
  `(?<=^|[.!?。！？]\\s{0,3})(?:${[
    `(?:but |remember[:,]? |remember that )?(?:our|the|my|their|this) (?:[\\p{L}'-]{1,20} )?(?:style ?guides?|house style|style sheet|guidelines?|template|conventions?|rules?|policy|brand (?:guide|voice)|standards?) (?:asks?|wants?|says?|requires?|demands?|expects?|prescribes?|calls? for)(?!\\p{L})`,
    `laut (?:unser|mein|d)(?:em|er|en) (?:styleguide|stilleitfaden|leitfaden|stilrichtlinien?|richtlinien?|hausstil|vorlage|vorgaben?|regeln)(?!\\p{L})`,
    `(?:unsere?|meine?|der|die|das) (?:styleguide|stilleitfaden|leitfaden|stilrichtlinien?|richtlinien?|hausstil|vorlage|vorgaben?|regeln?) (?:verlang|will|wollen|sag|forder|sieh|sehen|schreib|erwarte)\\p{L}{0,3}(?!\\p{L})`,
    `(?:notre|nos|la|le|les|ma|mon) (?:charte|guide de style|guide|règles?|modèle|consignes?|ligne éditoriale)(?: (?:graphique|éditoriale|interne))? (?:demand|veu|veul|exig|impos|di[ts]|prévoi|prescri)\\p{L}{0,6}(?!\\p{L})|(?:selon|d'après) (?:notre|nos|la|le|les) (?:charte|guide|règles?|modèle|consignes?)(?!\\p{L})`,
    `(?:nuestr[ao]s?|la|el|las|mi|mis) (?:guía(?: de estilo)?|manual de estilo|plantilla|normas?|reglas?|convención|convenciones) (?:pide|quiere|exige|dice|requiere|indica|manda)n?(?!\\p{L})|según (?:nuestr[ao]s?|la|el|las) (?:guía|manual|plantilla|normas?|reglas?)(?!\\p{L})`,
    `(?:我们|公司|团队)的?\\p{Script=Han}{0,4}(?:规范|风格指南|指南|模板|规定|规则|标准)(?:要求|规定|写明)`,
    `(?:社内|当社|うち|弊社|私たち)?の?(?:スタイル)?(?:ガイド(?:ライン)?|テンプレート|規約|ルール)(?:では|によると|は)`,
  ].join('|')})[^.!?,;。！？，；、\\n]{1,240}`,
  'giu',
);

type Kind = 'form' | 'beside' | undefined;

function kindOf(part: string): Kind {
  if (part === ofRules || unwished.test(part)) return 'form';
  const words = part.replace(courtesies, '').replaceAll(/^\s+|\s+$/gu, '');
  if (forms.some((form) => form.test(words))) return 'form';
  return words === '' || orders.some((order) => order.test(words)) ? 'beside' : undefined;
}

/** “No greeting please”: whatever it is, an answer had it. */
const unwished =
  /^no (?!(?:problems?|worries|rush|hurry|thanks|thank you|more)(?!\p{L}))(?:\p{L}[\p{L}'-]* ){1,3}please$/u;

const courtesies =
  /^(?:please|next time|bitte|s'il (?:te|vous) pla[iî]t|por favor|请|麻烦)[ ]?|[ ]?(?:please|instead|bitte|s'il (?:te|vous) pla[iî]t|por favor|ください|下さい|お願いします)$/gu;

const whole = (...patterns: readonly string[]): RegExp => new RegExp(`^(?:${patterns.join('|')})$`, 'u');

/** Digits, or the small numbers in words: of English, German, French and Spanish. */
const number =
  '(?:\\d{1,4}|one|two|three|four|five|six|seven|eight|ten|a hundred|eine[nmr]?|zwei|drei|vier|fünf|sechs|sieben|acht|zehn|une?|deux|trois|quatre|cinq|sept|huit|dix|dos|tres|cuatro|cinco|seis|siete|ocho|diez)';
const easternNumber = '(?:\\d{1,4}|[一二两三四五六七八九十]{1,3})';
const thing = "(?:\\p{L}[\\p{L}'-]*)";
/** What an answer is to begin or to end with. */
const wording = `(?:${quotedWords}|${thing})`;

/** What a text can be made of, and how it can be. */
const english = {
  made: '(?:(?:short |numbered |plain |simple )?bullet ?(?:points?|s|lists?)|bullets|a (?:bulleted|bullet|numbered|short|simple) list|a table|(?:short|shorter|full|complete|simple|fewer) (?:sentences|paragraphs|words|headings)|(?:sub|section )?headings|plain (?:text|english|words|language)|markdown|prose|simple (?:words|language)|(?:the )?(?:active|passive) voice|(?:the )?(?:past|present) tense|(?:british|american) (?:english|spelling)|emojis?|jargon|bold)',
  unit: '(?:words|sentences?|lines?|bullets|bullet points|points|items|characters|chars|paragraphs?)',
  be: '(?:(?:much|way|far|a bit|a little|a lot|even|very|more|less) )*(?:short|shorter|brief|briefer|concise|crisp|crisper|formal|friendly|friendlier|casual|technical|verbose|wordy|detailed|to the point)',
};

const frenchUnit = '(?:mots|phrases?|lignes?|caractères|puces|points|paragraphes?)';
const spanishUnit = '(?:palabras|frases?|líneas?|caracteres|viñetas|puntos|párrafos?)';

const japaneseUnit = '(?:文字|字|文|行|項目|個|つ|点)';

const forms: readonly RegExp[] = [
  whole(
    `(?:use|write (?:it )?(?:in|with|as)|switch to|stick to|format (?:it|this|that) (?:as|with)|turn (?:it|this|that) into|make (?:it|this|that)(?: into)?) ${english.made}`,
    `(?:do not use|don't use|no|without|avoid) (?:any )?${english.made}`,
    `(?:do not use|don't use|never use|avoid|drop|leave out) the (?:words?|phrases?|terms?|expressions?) ${quotedWords}`,
    `also mention (?:${thing} ){0,6}${thing}`,
    `mention (?:${thing} ){1,6}(?:too|as well)`,
    `(?:write|word) (?:it|this|that) for (?:${thing} ){0,2}${thing}`,
    `(?:make|keep|write) (?:it|this|that|the answer|the text|the tone) ${english.be}`,
    `(?:be )?${english.be}`,
    `(?:in|as|with) ${english.made}`,
    `(?:the )?(?:past|present|future) tense`,
    `(?:(?:make|keep|write|cut|trim|shorten|limit|reduce) (?:it|this|that|them|the (?:${thing} ){0,3}${thing}) )?(?:down )?(?:(?:in |to )?(?:at most |no more than |not more than |under |below |less than |fewer than |up to |max(?:imum)? )|in |to )${number} ${english.unit}(?: each| or (?:less|fewer))?`,
    `${number} ${english.unit} (?:max(?:imum)?|at most|or (?:less|fewer))`,
    `(?:give|write|use|return|list|name)(?: me)? (?:exactly|only|just|at most|no more than) ${number} ${english.unit}`,
    `exactly ${number} ${english.unit}`,
    `(?:no|without(?: a| any)?|skip the|leave out the|omit the) (?:greetings?|salutations?|intro(?:duction)?|preamble|sign-off|small talk|filler|pleasantries)`,
    `(?:end|finish|close|begin|start|open)(?: it| the answer)? with (?:a|one|the) (?:line|sentence|heading|paragraph)(?: that)? (?:starts?|starting|begins?|beginning|ends?|ending|says|saying|reads|reading) (?:with )?${wording}`,
    `(?:end|finish|close|begin|start|open)(?: it| the (?:${thing} ){0,2}${thing}) with (?:the |a |this )?(?:link |line |words? |address |sentence )?${quotedWords}`,
  ),
  whole(
    `(?:nimm|verwende|benutze|nutze|schreib(?:e)? (?:es |das )?(?:in|mit|als)) (?:bitte )?(?:stichpunkten?|stichworten?|aufzählungspunkten?|aufzählungszeichen|eine (?:aufzählung|liste|tabelle)|einer (?:liste|tabelle)|kurze[n]? (?:sätzen?|absätzen?)|einfache (?:sprache|worte|sätze)|überschriften|zwischenüberschriften)`,
    `(?:mach|halte|schreib) (?:es|das|dich|den text|die antwort) (?:etwas |viel |deutlich |bitte )?(?:kurz|kürzer|knapp|knapper|sachlicher|förmlicher|lockerer)`,
    `fass dich (?:bitte )?(?:kurz|kürzer)`,
    `(?:bitte )?(?:etwas |viel |deutlich )?(?:kürzer|knapper|sachlicher|förmlicher)`,
    `(?:keine|ohne) (?:emojis|überschriften|floskeln|aufzählung(?:en)?|fachbegriffe)`,
    `(?:(?:halte|halt|mach|mache|schreib|schreibe|kürze|kürz|begrenze|beschränke) (?:es|das|sie|ihn|(?:die|den|das|der) (?:${thing} ){0,3}${thing}) (?:bitte )?)?(?:in |auf |mit )?(?:höchstens |maximal |unter |weniger als |nicht mehr als |bis zu |auf )${number} (?:wörtern?|sätzen?|zeilen|zeichen|(?:stich|aufzählungs)?punkten?|absätzen?)`,
    `(?:gib|nenn|nenne|schreib|schreibe)(?: mir)? (?:genau|nur|höchstens) ${number} (?:wörter|sätze|zeilen|zeichen|(?:stich|aufzählungs)?punkte|absätze)`,
    `(?:keine|ohne) (?:begrüßung|anrede|grußformel|einleitung|vorrede)`,
    `(?:beende|beginne|schließe|ende)(?: es| sie| die antwort)? mit (?:einer zeile|einem satz|einer überschrift|(?:dem link |der adresse )?${quotedWords})`,
    `(?:schreib(?:e)? (?:es |das )?)?(?:in der (?:vergangenheit(?:sform)?|gegenwart)|im (?:präteritum|perfekt|präsens|aktiv|passiv))`,
  ),
  whole(
    `(?:utilise|utilisez|mets|mettez|fais|faites|écris|écrivez)(?: ça| cela| le| la)?(?: en| avec| sous forme de| des| une| un| de)* (?:puces|listes?(?: à puces)?|tableaux?|phrases courtes|paragraphes courts|titres|sous-titres|langage simple|mots simples)`,
    `(?:fais|faites|écris|écrivez|rends-le|rendez-le|sois|soyez)(?: plus| moins| très| bien| un peu plus)+ (?:court|courte|bref|brève|concis|concise|simple|formel|formelle)`,
    `(?:un peu |beaucoup |bien )?(?:plus|moins) (?:courte?s?|brefs?|brèves?|concise?s?|formel(?:le)?s?|long(?:ue)?s?)`,
    `(?:pas d'|sans |aucun )(?:emojis?|titres?|puces|jargon|tableau)`,
    `(?:en )?(?:${number} ${frenchUnit} (?:maximum|au maximum|au plus|max)|(?:au plus|au maximum|maximum|pas plus de|moins de) ${number} ${frenchUnit})`,
    `(?:garde|gardez|limite|limitez|réduis|réduisez|raccourcis|fais|faites)(?:-l[ea]s?)?(?: (?:les|le|la|ça|cela|tout)(?: ${thing}){0,4}?)? (?:sous(?: les)?|à(?: moins de| au plus)?|en dessous de|en moins de|en) ${number} ${frenchUnit}`,
    `(?:donne|donnez|écris|écrivez)(?:-moi)? (?:exactement|seulement|au plus) ${number} ${frenchUnit}`,
    `(?:pas (?:de |d')|sans )(?:salutations?|formule de politesse|introduction|préambule)`,
    `(?:termine|terminez|finis|finissez|commence|commencez)(?: la réponse)? (?:par|avec) (?:une (?:ligne|phrase) qui (?:commence|finit) par ${wording}|(?:le lien |l'adresse )?${quotedWords})`,
    `(?:écris|écrivez|mets|mettez)?(?:-l[ea]s?)? ?(?:au (?:passé|présent|futur|passif)|à (?:l'imparfait|la voix (?:active|passive)))`,
  ),
  whole(
    `(?:usa|use|utiliza|utilice|escríbelo|ponlo|hazlo)(?: en| con| como)*(?: una| un)? (?:viñetas|listas?(?: con viñetas)?|tablas?|frases (?:más )?cortas|párrafos (?:más )?cortos|títulos|subtítulos|lenguaje (?:más )?(?:sencillo|claro)|palabras sencillas)`,
    `(?:hazlo|escríbelo|sé)(?: un poco| mucho)?(?: más| menos| muy)? (?:corto|breve|conciso|formal|sencillo)`,
    `(?:un poco |mucho )?(?:más|menos) (?:cort[oa]s?|breves?|concis[oa]s?|formal(?:es)?|larg[oa]s?)`,
    `sin (?:emojis?|títulos|viñetas|jerga|tablas)`,
    `(?:(?:mantén|manten|deja|limita|reduce|acorta|haz)(?:l[oa]s?)?(?: (?:las?|los?|el)(?: ${thing}){1,4}?)? )?(?:en |a |con )?(?:como máximo |máximo |(?:por )?debajo de |menos de |no más de |a )${number} ${spanishUnit}`,
    `${number} ${spanishUnit} (?:como máximo|máximo)`,
    `(?:da|dame|escribe|pon) (?:exactamente|sólo|solo|como máximo) ${number} ${spanishUnit}`,
    `sin (?:saludos?|introducción|preámbulo|despedida)`,
    `(?:termina|acaba|empieza|comienza)(?: la respuesta)? con (?:una (?:línea|frase) que (?:empiece|comience|empieza|comienza|termine) (?:con|por) ${wording}|${quotedWords})`,
    `(?:escríbelo |ponlo )?en (?:pasado|presente|futuro|pretérito|voz (?:activa|pasiva))`,
  ),
  whole(
    `(?:使用|改用|用|以)(?:项目符号|要点|列表|表格|短句|小标题|标题|简单的(?:语言|词)|纯文本)(?:的?形式|格式)?(?:来?(?:写|列出|列|表示|呈现|说明))?`,
    `(?:写得?|再|更|要)?(?:简短|简洁|精简|短)(?:一?点|一些|些)?(?:吧|就好)?`,
    `(?:不要|别)(?:用|使用|加)(?:表情|表情符号|术语|标题|列表|项目符号)`,
    `[\\p{Script=Han}]{0,12}?(?:不(?:要)?超过|最多|至多|控制在|限制在|少于)${easternNumber}(?:个?字符?|句话?|行|个?要点|条|点|段)(?:以内|之内|以下)?(?:就好)?`,
    `(?:只|仅|刚好|正好|恰好)(?:给出?|写出?|列出?|要)?我?${easternNumber}(?:个字|句话?|行|个?要点|条|点|段)`,
    `(?:不要|不用|别|无需)(?:写|加)?(?:问候语?|寒暄|开场白|客套话|前言)`,
    `(?:最后一?(?:行|句)?|结尾|开头|第一(?:行|句))(?:要)?(?:以|用)${quotedWords}(?:开头|开始|结尾|结束)?`,
    `(?:请?用|改成|改用)(?:过去|现在|将来)时态?(?:来?写)?`,
  ),
  whole(
    `(?:箇条書き|リスト|表|表形式|短い文|短文|平易な言葉)(?:に|で)(?:して|書いて|まとめて|示して)?`,
    `(?:もっと|もう少し|より)?(?:短く|簡潔に|簡単に|丁寧に)(?:して|書いて|まとめて)?`,
    `(?:絵文字|専門用語|見出し)(?:は|を)?(?:使わないで|なしで|無しで)`,
    `(?:[\\p{L}ー]{1,20}(?:は|を))?(?:(?:最大で?|多くても)${easternNumber}${japaneseUnit}(?:以内|以下|まで)?|${easternNumber}${japaneseUnit}(?:以内|以下|まで))(?:に|で)?(?:して|書いて|まとめて|収めて|抑えて)?`,
    `(?:過去|現在)形(?:で|に)(?:して|書いて)?`,
    `(?:ちょうど|必ず)${easternNumber}${japaneseUnit}の?(?:箇条書き)?(?:に|で)(?:して|書いて|まとめて)?`,
    `(?:挨拶|あいさつ|前置き|導入)(?:は|を)?(?:不要(?:です)?|いりません|なしで|無しで|書かないで|省いて)`,
    `(?:最後|最初)(?:の行)?(?:は|を)${quotedWords}で(?:始めて|終えて|終わらせて)`,
  ),
];

/** Where something of the answer is to stand, or what of it alone is wanted; by itself it may be about anything. */
const orders: readonly RegExp[] = [
  whole(
    `(?:only|just|nothing but) the (?:${thing} ){0,2}${thing}`,
    `the (?:${thing} ){1,3}only`,
    `die mit ${wording} (?:beginnt|anfängt|endet)`,
    `nur (?:die|den|das) (?:${thing} ){0,2}${thing}`,
    `(?:seulement|uniquement) (?:les?|la) (?:${thing} ){0,2}${thing}`,
    `(?:sólo|solo|solamente) (?:los?|las?|el) (?:${thing} ){0,2}${thing}`,
    `我?只(?:想?要|需要)[\\p{Script=Han}]{1,8}`,
    `[\\p{L}ー]{1,16}だけ(?:が)?(?:欲しかった|ほしかった|でいい|で結構)(?:です)?`,
  ),
  whole(
    `(?:include|add|insert|have|give it) (?:a|an|another|one) (?:${thing} )?(?:section|heading|headline|title|paragraph|line|sentence)(?: at the (?:end|top|start|beginning|bottom))? (?:headed|titled|entitled|called|named|labell?ed|reading|saying|with the (?:heading|title)) ${quotedWords}`,
    `(?:füge|nimm|ergänze|setze) (?:bitte )?(?:noch )?(?:einen (?:abschnitt|absatz)|eine (?:überschrift|zeile)) (?:mit (?:der überschrift|dem titel) |namens )?${quotedWords}(?: (?:ein|hinzu|auf|an))?`,
    `(?:ajoute|ajoutez|inclus|incluez|mets|mettez) (?:une (?:section|partie|rubrique|ligne)|un (?:titre|paragraphe)) (?:intitulée?|nommée?|appelée?) ${quotedWords}`,
    `(?:añade|agrega|incluye|pon) (?:una (?:sección|parte|línea)|un (?:título|apartado|párrafo)) (?:titulad[oa]|llamad[oa]|con el título) ${quotedWords}`,
  ),
  whole(`mention (?:the |all |any |every |each )(?:${thing} ){0,5}${thing}`, `not for (?:${thing} ){0,2}${thing}`),
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
