import { hedges, plainSentences, ramblings } from './sentences.js';

/** What the model can say in one language. `{a}` and `{b}` are words of the task, `{list}` and `{text}` are given. */
export interface Language {
  readonly name: string;
  /** Common words by which a text of this language is known. */
  readonly marks: RegExp;
  readonly plain: readonly string[];
  readonly ramblings: readonly string[];
  readonly hedges: readonly string[];
  readonly greeting: readonly string[];
  readonly signOff: string;
  readonly question: string;
  readonly refusal: string;
  readonly about: string;
  readonly terms: string;
  readonly source: string;
  readonly choice: string;
}

/** The languages the model writes. */
export const languages: readonly Language[] = [
  {
    name: 'English',
    marks: /\b(?:the|and|is|of|to|this|that|with|for)\b/gi,
    plain: plainSentences,
    ramblings,
    hedges,
    greeting: ['Great question!', 'Sure thing!', 'Happy to help!'],
    signOff: 'Hope this helps!',
    question: 'Could you share more details about {a}?',
    refusal: 'I’m sorry, but I can’t give a full answer on {a}.',
    about: 'This concerns {list}.',
    terms: 'It comes down to {list}.',
    source: 'According to {a}: {text}.',
    choice: 'Go ahead with {a}',
  },
  language('German', /\b(?:der|die|das|und|ist|nicht|mit|für|auf|den|es|wird)\b/gi, {
    plain: [
      'Der wichtigste Punkt ist {a}.',
      'Zuerst kommt {a}, dann {b}.',
      'Die Wirkung auf {b} ist klein.',
      'Das Übrige bei {a} bleibt, wie es ist.',
      'Der Weg für {b} ist klar und kurz.',
    ],
    hedges: [
      'Das hängt von {a} ab, vielleicht auch von {b}.',
      'Möglicherweise ist {a} gut, es kann aber auch anders sein.',
    ],
    phrases: [
      'Gute Frage!',
      'Ich hoffe, das hilft!',
      'Können Sie mehr über {a} sagen?',
      'Es tut mir leid, aber bei {a} kann ich nicht helfen.',
      'Es geht um {list}.',
      'Wichtig ist dabei {list}.',
      'Das sagt {a}: {text}.',
      'Mit {a} fortfahren',
    ],
  }),
  language('French', /\b(?:le|la|les|et|est|des|une|pour|avec|dans|que|sur)\b/gi, {
    plain: [
      'Le point principal est {a}.',
      'On commence par {a}, puis on passe à {b}.',
      'Les effets sur {b} sont faibles.',
      'Le reste de {a} ne change pas.',
      'Le chemin pour {b} est clair et court.',
    ],
    hedges: ['Cela dépend de {a}, et peut-être aussi de {b}.', 'Il se peut que {a} convienne, mais ce n’est pas sûr.'],
    phrases: [
      'Bonne question !',
      'En espérant que cela vous aide !',
      'Pouvez-vous préciser {a} ?',
      'Je suis désolé, mais je ne peux pas répondre sur {a}.',
      'Il est question de {list}.',
      'Les termes à retenir sont {list}.',
      'Selon {a} : {text}.',
      'Continuer avec {a}',
    ],
  }),
  language('Spanish', /\b(?:el|los|las|y|es|una|para|con|que|se|por|del)\b/gi, {
    plain: [
      'El punto principal es {a}.',
      'Primero se trata {a} y luego {b}.',
      'El efecto en {b} es pequeño.',
      'El resto de {a} se queda como está.',
      'El camino para {b} es claro y corto.',
    ],
    hedges: ['Depende de {a}, y quizás también de {b}.', 'Puede que {a} sea lo correcto, pero no es seguro.'],
    phrases: [
      '¡Buena pregunta!',
      '¡Espero que esto ayude!',
      '¿Puede dar más datos sobre {a}?',
      'Lo siento, pero no puedo ayudar con {a}.',
      'Se trata de {list}.',
      'Los términos que cuentan son {list}.',
      'Según {a}: {text}.',
      'Seguir con {a}',
    ],
  }),
  language('Italian', /\b(?:il|gli|e|è|una|per|con|che|si|della|sono|non)\b/gi, {
    plain: [
      'Il punto principale è {a}.',
      'Prima si guarda {a}, poi {b}.',
      'Gli effetti su {b} sono piccoli e non durano.',
      'Il resto di {a} non cambia.',
      'Il percorso per {b} è chiaro e breve.',
    ],
    hedges: ['Dipende da {a}, e forse anche da {b}.', 'Può darsi che {a} vada bene, ma non è detto.'],
    phrases: [
      'Ottima domanda!',
      'Spero che questo aiuti!',
      'Può dire di più su {a}?',
      'Mi dispiace, ma non posso aiutare con {a}.',
      'Si tratta di {list}.',
      'I termini che contano sono {list}.',
      'Secondo {a}: {text}.',
      'Procedere con {a}',
    ],
  }),
  language('Portuguese', /\b(?:o|os|as|e|é|uma|para|com|que|não|do|da|em)\b/gi, {
    plain: [
      'O ponto principal é {a}.',
      'Primeiro vem {a}, e depois {b}.',
      'O efeito em {b} é pequeno e não dura.',
      'O resto de {a} fica como está.',
      'O caminho para {b} é claro e curto.',
    ],
    hedges: ['Depende de {a}, e talvez também de {b}.', 'Pode ser que {a} sirva, mas não é certo.'],
    phrases: [
      'Ótima pergunta!',
      'Espero que isto ajude!',
      'Pode dizer mais sobre {a}?',
      'Lamento, mas não posso ajudar com {a}.',
      'Trata-se de {list}.',
      'Os termos que contam são {list}.',
      'Segundo {a}: {text}.',
      'Avançar com {a}',
    ],
  }),
  language('Dutch', /\b(?:de|het|een|en|is|van|niet|voor|met|op|dat|wordt)\b/gi, {
    plain: [
      'Het belangrijkste punt is {a}.',
      'Eerst komt {a}, en dan {b}.',
      'Het effect op {b} is klein.',
      'De rest van {a} wordt niet veranderd.',
      'De weg voor {b} is kort en duidelijk.',
    ],
    hedges: ['Dat hangt af van {a}, en misschien ook van {b}.', 'Mogelijk is {a} goed, maar dat is niet zeker.'],
    phrases: [
      'Goede vraag!',
      'Hopelijk helpt dit!',
      'Kunt u meer vertellen over {a}?',
      'Het spijt me, maar met {a} kan ik niet helpen.',
      'Het gaat om {list}.',
      'De termen van belang zijn {list}.',
      'Volgens {a}: {text}.',
      'Doorgaan met {a}',
    ],
  }),
  language('Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, {
    plain: [
      '要点は{a}です。',
      'まず{a}を見て、次に{b}を見ます。',
      '{b}への影響は小さいです。',
      '{a}のほかの部分はそのままです。',
      '{b}の進め方は明らかです。',
    ],
    hedges: [
      'それは{a}によりますし、{b}にもよるかもしれません。',
      '{a}でよいかもしれませんが、そうでないかもしれません。',
    ],
    phrases: [
      'よい質問ですね！',
      'お役に立てばうれしいです！',
      '{a}についてもう少し教えていただけますか？',
      '申し訳ありませんが、{a}についてはお答えできません。',
      'これは{list}についてです。',
      '大切な言葉は{list}です。',
      '{a}によると：{text}。',
      '{a}で進める',
    ],
  }),
  language('Chinese', /\p{Script=Han}/gu, {
    plain: ['重点是{a}。', '先看{a}，再看{b}。', '对{b}的影响很小。', '{a}的其余部分不变。', '{b}的做法很清楚。'],
    hedges: ['这要看{a}，也许还要看{b}。', '可能{a}是对的，也可能不是。'],
    phrases: [
      '好问题！',
      '希望这对您有帮助！',
      '可以再说说{a}吗？',
      '很抱歉，我无法回答{a}。',
      '这里说的是{list}。',
      '关键词是{list}。',
      '根据{a}：{text}。',
      '采用{a}',
    ],
  }),
];

interface Sayings {
  readonly plain: readonly string[];
  readonly hedges: readonly string[];
  /** Greeting, sign-off, question, refusal, about, terms, source, choice. */
  readonly phrases: readonly [string, string, string, string, string, string, string, string];
}

function language(name: string, marks: RegExp, sayings: Sayings): Language {
  const [greeting, signOff, question, refusal, about, terms, source, choice] = sayings.phrases;
  return {
    name,
    marks,
    plain: sayings.plain,
    ramblings: sayings.plain,
    hedges: sayings.hedges,
    greeting: [greeting],
    signOff,
    question,
    refusal,
    about,
    terms,
    source,
    choice,
  };
}

/** English where the name is not one of the languages. */
export function languageNamed(name: string): Language {
  const [english] = languages;
  const found = languages.find((candidate) => candidate.name === name) ?? english;
  if (found === undefined) throw new RangeError('There is no language.');
  return found;
}

/** The language whose common words a text has most of. Kana make Japanese of what Han alone would make Chinese. */
export function languageOf(text: string): string {
  const prose = text.replaceAll(/^#.*$|`[^`]*`|“[^“”]*”/gm, '');
  const count = (marks: RegExp): number => prose.match(marks)?.length ?? 0;
  const scored = languages.map(({ name, marks }) => ({ name, score: count(marks) }));
  const kana = scored.find(({ name }) => name === 'Japanese')?.score ?? 0;
  if (kana > 5) return 'Japanese';
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).name;
}
