import type { Sign } from './tone.js';

/**
 * One language: how a part begins that speaks of the answer, the words that judge in it, and those that turn a judgement
 * into its contrary wherever they stand beside it ("not fixed", "funktioniert nicht", "ne marche pas", "sin errores").
 */
interface Judging {
  readonly opening: RegExp;
  readonly good: RegExp;
  readonly bad: RegExp;
  readonly not: RegExp;
}

/** Parts that judge by themselves, whole. */
interface Phrases {
  readonly good: RegExp;
  readonly bad: RegExp;
  readonly thanks: RegExp;
}

export function western(part: string): Sign {
  if (refusals.test(part) || moderate.test(part)) return 'rather-bad';
  if (less.test(part)) return 'bad';
  // Whole first: "no funciona" is Spanish, and not a "no" before something.
  return signIn(part) ?? signIn(part.replace(fillers, ''));
}

function signIn(part: string): Sign {
  const signs = new Set([
    ...phrases.map((each) => phraseSign(part, each)),
    ...languages.map((each) => judge(part, each)),
  ]);
  return (['bad', 'good', 'rather-good'] as const).find((sign) => signs.has(sign));
}

const fillers = /^(?:(?:no|nope|nein|non|ok|okay|yes|yeah|yep|ja|oui|sí|hm+|oh|ah|well|so) )+(?=\S)/u;
const refusals = /^(?:no|nope|nah|nein|nö|non)$/u;

/** What an answer is to be less of. What is said to be not so bad is praised, and none of these. */
const manner =
  '(?:long|short|verbose|wordy|formal|informal|casual|chatty|stiff|dry|flowery|technical|complicated|complex|detailed|dense|vague|generic|general|abstract|many|much)';
const frenchManner =
  '(?:long(?:ue)?s?|courte?s?|verbeux|verbeuse|formel(?:le)?s?|famili(?:er|ère)s?|techniques?|compliquée?s?|détaillée?s?|abstraite?s?|vagues?|sec|sèche|générale?s?)';
const spanishManner =
  '(?:larg[oa]s?|cort[oa]s?|formal(?:es)?|informal(?:es)?|técnic[oa]s?|complicad[oa]s?|detallad[oa]s?|general(?:es)?|vag[oa]s?|extens[oa]s?|abstract[oa]s?|sec[oa]s?)';
const fewWords = '(?: \\S+){0,5}$';
const less = new RegExp(
  `^(?:not so ${manner}|pas (?:aussi|si) (?:${frenchManner}|bien|bon(?:ne)?s?|claire?s?)|no tan ${spanishManner})${fewWords}`,
  'u',
);
/** A wish, unless something good stands beside it: “Not too long, good.” */
const moderate = new RegExp(`^not too ${manner}${fewWords}`, 'u');

function phraseSign(part: string, { good, bad, thanks }: Phrases): Sign {
  if (good.test(part)) return 'good';
  if (bad.test(part)) return 'bad';
  return thanks.test(part) ? 'rather-good' : undefined;
}

/** Of several words that judge, the last one does. What should be, or is to be made so, is not judged. */
function judge(part: string, { opening, good, bad, not }: Judging): Sign {
  if (!opening.test(part)) return undefined;
  const [goodAt, badAt] = [lastMatch(part, good), lastMatch(part, bad)];
  const from = Math.max(goodAt, badAt);
  if (from < 0 || wishes.test(part.slice(0, from))) return undefined;
  const isGood = goodAt > badAt;
  return isGood === not.test(part) ? 'bad' : 'good';
}

function lastMatch(part: string, pattern: RegExp): number {
  return [...part.matchAll(new RegExp(pattern, 'gu'))].at(-1)?.index ?? -1;
}

const wishes =
  /(?<![\p{L}'])(?:should|must|could|would|can|might|needs?|want|wants|make|makes|ensure|please|if|when|whether|until|to|soll|sollte|sollten|muss|müssen|kann|könnte|bitte|wenn|damit|ob|doit|devrait|doivent|peux|peut|pourrait|faut|si|quand|pour|debe|debería|deben|puede|puedes|podría|cuando|para|que sea)(?![\p{L}'])/u;

const w = (words: string): RegExp => new RegExp(`(?<![\\p{L}'])(?:${words})(?![\\p{L}])`, 'u');

/** After what they speak of: "this file has good examples" is about a file. */
const englishVerbs =
  "(?:is|are|was|were|looks?|seems?|works?|worked|do|does|did|has|have|had|still|now|also|just|really|actually|never|fails?|failed|failing|crash|crashes|crashed|broke|breaks|fixed|helps?|compiles?|pass|passes|can|could|will|won't|cannot|not|no longer)(?:n't)?(?![\\p{L}])";
const englishNots = "(?:does|do|did|is|was|are|has|have)(?:n't| not)";

const languages: readonly Judging[] = [
  {
    opening: new RegExp(
      `^(?:(?:that|this|it|they|everything|nothing|(?:all|the|your|all the|all of the)(?: \\S+){1,3})(?:'s |'re | ${englishVerbs})|(?:still|not|exactly|now (?:it|that|this)|works?|worked|compiles|you|${englishNots}) )`,
      'u',
    ),
    good: w(
      'works?|worked|working|fixed|right|correct|correctly|good|great|perfect|perfectly|fine|better|solved|pass|passes|compiles?|helpful|did the trick|what i (?:wanted|meant|asked for|need|needed)',
    ),
    bad: w(
      'wrong|broken|incorrect|fails?|failed|failing|crash(?:es|ed|ing)?|broke|breaks|bad|worse|missing|useless|nonsense|errors?|the same|too (?:long|short|slow|complicated|verbose)|too (?:plain|bland|boring|dull|stiff|dry|flat|flowery|chatty|salesy|pushy|wordy|formal|casual|technical|vague|generic|detailed|dense|thin)(?: again)?$',
    ),
    not: /(?<![\p{L}'])(?:not|never|nothing|no|none|cannot|without|hardly|\p{L}+n't|doesnt|dont|isnt|didnt)(?![\p{L}])/u,
  },
  {
    opening:
      /^(?:das|dies|es|ist|sind|immer noch|noch|nicht|jetzt|funktioniert|klappt|geht|passt|stimmt|läuft|alles|nichts|so|leider|du|(?:der|die|dein|deine) (?:\S+ ){1,3}(?:ist|sind|war|geht|funktioniert|stimmt|fehlt|läuft))(?![\p{L}])/u,
    good: w(
      'funktioniert|funktionieren|klappt|geht|passt|stimmt|stimmen|läuft|richtig|korrekt|gut|super|perfekt|besser|behoben|gelöst|repariert',
    ),
    bad: w(
      'falsch|kaputt|fehler|fehlerhaft|fehlt|fehlen|schlecht|schlechter|unbrauchbar|fehlgeschlagen|fehl|schief|daneben|derselbe|dasselbe|abgestürzt',
    ),
    not: w('nicht|nichts|kein|keine|keinen|nie|ohne|weder'),
  },
  {
    opening:
      /^(?:ça|cela|c'est|c'était|ce n'est|ceci|il|elle|toujours|encore|pas|tout|rien|tu|vous|maintenant (?:ça|c'est)|(?:le|la|les|l'|ton|ta) ?(?:\S+ ){1,3}(?:est|sont|ne|n'|fonctionne|marche|échoue|manque))/u,
    good: w(
      'fonctionne(?:nt)?|marche|marchent|correcte?s?|juste|bon|bonne|bien|parfaite?|mieux|corrigée?s?|réglée?s?|résolue?s?|réparée?s?',
    ),
    bad: w(
      'faux|fausse|cassée?s?|incorrecte?s?|erreurs?|mauvaise?s?|échoue|échouent|plante|manque|manquent|pire|pareil',
    ),
    not: /(?<![\p{L}])(?:ne|n'|pas|jamais|rien|aucune?|sans|plus d)(?![\p{L}])|(?<![\p{L}])n'/u,
  },
  {
    opening:
      /^(?:eso|esto|está|es|sigue|aún|todavía|no|ya|ahora (?:sí|funciona|está)|todo|nada|funciona|(?:el|la|los|las|tu) (?:\S+ ){1,3}(?:está|están|es|no|sigue|funciona|falla))(?![\p{L}])/u,
    good: w(
      'funciona|funcionan|funcionó|correct[oa]s?|bien|buen[oa]?|perfect[oa]|mejor|arreglad[oa]s?|resuelt[oa]s?|solucionad[oa]s?|corregid[oa]s?',
    ),
    bad: w('mal|incorrect[oa]s?|rot[oa]s?|error|errores|falla|falló|fallan|falta|faltan|peor|equivocad[oa]|igual'),
    not: w('no|nunca|nada|ningún|ninguna|sin|tampoco'),
  },
];

const phrases: readonly Phrases[] = [
  {
    good: /^(?:(?:very |so |really |that's |looks |much |all )*(?:perfect|great|excellent|awesome|nice|lovely|brilliant|fantastic|wonderful|amazing|good|lgtm|exactly|correct|right|cool|better|works|all good|fixed|solved|well done|it)(?: (?:job|work|one|stuff|enough|like (?:that|this)|what i (?:wanted|meant|needed)|thanks|thank you|now|again|start|catch|fix|answer|result|perfectly|great|fine|like a charm|indeed|done))*|i (?:really )?(?:like|love) (?:it|this|that)|(?:that's|that is) (?:exactly )?(?:it|what i (?:wanted|meant|needed))|you (?:just |really )*(?:nailed|got) it|(?:(?:it|that|this)(?:'s| is) )?not (?:really |so |too |that |as |half )*(?:bad|shabby|terrible|awful|wrong|a problem)(?: (?:at all|after all|as i .{1,30}|for a .{1,20}))?)$/u,
    bad: /^(?:(?:still |again |completely |totally )*(?:wrong|incorrect|broken|bad|terrible|useless|nonsense)(?: (?:again|file|place|one|answer|way|direction|folder|function|line|tone|style|format|language|length|order|voice|tense|audience|heading|title))?|(?:please )?(?:undo|revert|roll back|redo|stop)(?: (?:that|this|it|everything|please|all of (?:it|that)|your (?:last )?\p{L}+|the last \p{L}+))?|(?:please )?(?:try|do it) again|same (?:error|problem|issue|bug|result|thing)(?: .{0,40})?|(?:i|we) (?:still|now) (?:get|see|have) .{1,80}|i (?:said|asked for|told you|meant|never asked|didn't (?:ask|mean|want|say)|did not (?:ask|mean|want|say)) .{0,120}|i (?:only|just) wanted the(?: (?!to )\S+){1,5}|i wanted (?:only |just )the(?: (?!to )\S+){1,5}|i wanted the(?: (?!to )\S+){1,4} only|(?:that|this)(?:'s| is) not (?:it|what|how|true).{0,80}|not (?:what|like|this|that|quite|yet|again|really)(?: .{0,60})?|you (?:forgot|missed|broke|ignored|misunderstood|only|just|still|didn't|did not|were not|weren't) (?!(?:nailed|saved|made my|rock|disappoint|(?:break|forget|miss|ignore) (?:anything|a thing)|need)(?!\p{L})).{1,120}|why (?:did|didn't) you .{1,120}|(?:please )?don't (?:do|change|touch|delete|remove) (?:that|this|it)|i (?:get|got|see) (?:an|the|this|that|another|a different) (?:\p{L}+ )?error.{0,60}|it still (?!(?:works?|passes|compiles|looks (?:good|great|fine))(?!\p{L})).{1,60}|(?:still |way |much |far |a bit |a little |just )*too (?:long|short|verbose|wordy|formal|casual|technical|complicated|complex|detailed|vague|generic|general|much(?: (?:text|detail|jargon|information|fluff))?|many (?:words|bullets|bullet points|details|sentences|headings|emojis|sections|lines|exclamation marks))(?: again)?|(?:(?:it |this |that )?(?:sounds?|reads?|feels?|looks?|seems?|is) )?(?:still |way |much |far |a bit |a little |just |rather )*too (?!(?:good|kind|nice|funny|cool|sweet|bad|late|soon|early|many|much|few)(?!\p{L}))\p{L}{3,}(?: again)?|(?:(?:it |this |that )?(?:sounds?|reads?|feels?|looks?|seems?) )?(?:still |rather |pretty |quite |a bit |a little |kind of |somewhat )+(?:plain|bland|boring|dull|stiff|dry|flat|flowery|salesy|wordy|vague|generic|long|short|verbose|formal|technical|chatty|thin))$/u,
    thanks: /^(?:thanks|thank you|thx|cheers|many thanks)(?: .{0,30})?$/u,
  },
  {
    good: /^(?:(?:sehr |ganz |so )*(?:perfekt|super|prima|toll|klasse|gut|genau|richtig|passt|stimmt|top|ausgezeichnet|wunderbar)(?: (?:gemacht|so|danke|jetzt|gelöst))?|gut gemacht|genau so|(?:gar |auch |doch )?nicht (?:mal |ganz )*(?:so )?(?:schlecht|übel|verkehrt|schlimm|wild|dumm))$/u,
    bad: /^(?:(?:immer noch |wieder |komplett )*(?:falsch|quatsch|unsinn|kaputt)|(?:bitte )?(?:mach (?:das|es) (?:rückgängig|nochmal|noch mal|neu)|rückgängig(?: machen)?|noch ?mal)|(?:der)?selbe[rn]? fehler|gleicher fehler|immer noch (?:nicht|derselbe|der gleiche|das gleiche)(?: .{0,40})?|du hast (?!(?:\S+ ){0,3}nichts ).{1,80}(?:vergessen|übersehen|ignoriert)|das (?:ist|war) nicht|(?:das|so) (?:hab|habe|hatte) ich (?:das )?(?:so )?nicht (?:gemeint|gewollt|gesagt|verlangt)|ich wollte nur (?:die|den|das)(?: (?!zu )\S+){1,4}|das (?:meinte|wollte) ich (?:so )?nicht|nicht (?:so|das(?! schlecht))(?: .{0,40})?|(?:(?:das |es )?(?:klingt|wirkt|ist) )?(?:noch |immer noch |viel |etwas |deutlich |ein bisschen |leider )*zu (?:schlicht|nüchtern|trocken|steif|blumig|langweilig|fad|öde|werblich|oberflächlich|simpel|dürftig|mager|flach|platt|hölzern|umständlich|unpersönlich|salopp|flapsig|lässig|reißerisch|übertrieben|schwammig|abstrakt|detailliert|aufdringlich|plump|kühl|lang|kurz|ausführlich|knapp|förmlich|locker|technisch|kompliziert|allgemein|ungenau|viel(?: text)?|viele (?:wörter|details|sätze|punkte|stichpunkte|überschriften|emojis)))$/u,
    thanks: /^(?:danke|vielen dank|dankeschön)(?: .{0,30})?$/u,
  },
  {
    good: /^(?:(?:c'est |très |tout )*(?:parfait|super|génial|excellent|bien|bon|bravo|nickel|impeccable|exact|exactement)(?: (?:merci|joué|maintenant|ça))?|(?:c'est )?pas (?:si |trop )?(?:mal|mauvais|bête)(?: du tout)?|très bien)$/u,
    bad: /^(?:(?:toujours |encore |c'est )*(?:faux|incorrect|cassé)|annule(?: (?:ça|tout|cela))?|recommence|(?:toujours )?(?:la )?même erreur|toujours pas|(?:ça|cela) (?:ne )?va pas|ce n'est pas (?:ça|ce que|cela)(?: .{0,60})?|je (?:ne )?voulais (?:seulement|uniquement|que) (?:les?|la)(?: \S+){1,4}|tu as oublié .{1,80}|reviens en arrière|(?:encore |beaucoup |bien |un peu |toujours )*trop (?:plate?s?|fades?|ternes?|sobres?|secs?|sèches?|simples?|simplistes?|banale?s?|lourde?s?|pompeux|pompeuses?|guindée?s?|froide?s?|commercia(?:le?s?|ux)|ennuyeux|ennuyeuses?|long(?:ue)?s?|courte?s?|verbeux|verbeuse|formel(?:le)?s?|techniques?|compliquée?s?|vagues?|générale?s?|de (?:mots|détails|phrases|puces|titres|texte|jargon)))$/u,
    thanks: /^merci(?: .{0,30})?$/u,
  },
  {
    good: /^(?:(?:muy |está |todo )*(?:perfecto|genial|excelente|bien|estupendo|exacto|correcto|listo)(?: (?:hecho|trabajo|gracias|ahora))?|así es|nada mal|no (?:es |está )?tan mal[oa]?)$/u,
    bad: /^(?:(?:sigue |está |aún |todavía )*(?:mal|incorrecto|falso|roto|igual)|sigue (?:sin|fallando|el (?:mismo )?error)(?: .{0,60})?|(?:deshaz|deshazlo|revierte|reviértelo)(?: (?:eso|esto|todo))?|(?:el )?mismo error|no es (?:eso|así|lo que)(?: .{0,60})?|(?:sólo|solo|solamente) quería (?:los?|las?|el)(?: \S+){1,4}|quería (?:sólo|solo|solamente) (?:los?|las?|el)(?: \S+){1,4}|(?:te )?olvidaste (?!nada|ning).{1,80}|has olvidado (?!nada|ning).{1,80}|todavía no|aún no|(?:sigue siendo |un poco |aún |todavía )*(?:demasiado|muy) (?:larg[oa]s?|cort[oa]s?|formal(?:es)?|técnic[oa]s?|complicad[oa]s?|general(?:es)?|vag[oa]s?|extens[oa]s?|sos[oa]s?|plan[oa]s?|sec[oa]s?|simples?|aburrid[oa]s?|frí[oa]s?|rígid[oa]s?|comercial(?:es)?|pomp[oa]s[oa]s?))$/u,
    thanks: /^(?:muchas )?gracias(?: .{0,30})?$/u,
  },
];
