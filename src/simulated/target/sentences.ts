/** Words that a plain sentence of the model never has and a sloppy one is full of, in lower case. */
export const hedgeWords: readonly string[] =
  'maybe|perhaps|possibly|probably|might|it depends|i think|could be|hard to say|not sure|i guess'.split('|');

export const hedgePattern = new RegExp(`\\b(?:${hedgeWords.join('|')})\\b`, 'i');

export const buzzwords: readonly string[] =
  'leverage robust seamless delve utilize game-changer synergy stakeholders'.split(' ');

/** Sentences that say nothing, in many words: what a model writes that was given no limit. */
export const ramblings: readonly string[] = [
  'Basically, {a} is a very broad topic, and there is really a lot that one can say about it in general.',
  'When it comes to {b}, it is important to note that many different factors just come together at the same time.',
  'At the end of the day, teams leverage {a} to build robust and seamless solutions that work for everyone.',
  'Let us delve into {b} for a moment, which is simply one of the many aspects that come to mind here.',
  'In order to utilize {a} well, it is worth noting that context is key, as it so often is.',
  'Obviously, {b} has a long history, and opinions about it differ quite a bit from one place to the next.',
  'There are, of course, a number of different perspectives on {a}, each with its own merits and drawbacks.',
  'Generally speaking, {a} and {b} are closely related, although the relationship is not always a simple one.',
  'Unfortunately, {a} is not always easy to deal with, but hopefully the part about {b} helps a little.',
  'Needless to say, {a} can be a real game-changer in a world that is moving faster and faster every day.',
  'On the one hand there is {a}, on the other hand there is {b}, and both of them have their place.',
  'To be honest, {b} is actually quite an interesting question, and it comes up again and again in practice.',
  'Moreover, stakeholders like to stay aligned on {a} going forward, so that there is synergy around {b}.',
  'As mentioned above, {b} is important, and so is {a}, and so are several other things beside them.',
];

/** Openings that avoid an answer. */
export const hedges: readonly string[] = [
  'It depends on {a}, and maybe on {b} as well.',
  'Perhaps {a} is fine, but then again it might not be.',
  'I think {b} could be related, though it is probably hard to say.',
  'Possibly {a} plays a role here too.',
];

/** Sentences that come to the point. None has a hedge, a question or a filler. */
export const plainSentences: readonly string[] = [
  'The main point is {a}.',
  'Begin with {a}, then look at {b}.',
  'The effect on {b} is small.',
  '{A} is the part that matters most.',
  'This keeps {b} stable.',
  'The cost of changing {a} is low.',
  '{B} follows from {a}.',
  'A second look at {b} confirms it.',
  'The rest of {a} stays as it is.',
  'Both {a} and {b} are covered.',
  'The plan for {b} is clear.',
  'Work on {a} is done in one step.',
];
