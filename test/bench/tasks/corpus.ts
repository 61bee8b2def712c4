/** Task files of any size, the same in every run: prompts of some fifty words, four checks, a few tags. */
export function corpus(count: number): { readonly evalsText: string; readonly whetstoneText: string } {
  const random = randomNumbers(20_240_601);
  const evals = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    prompt: `${openings[index % openings.length]} ${sentence(random, 30 + random(40))}`,
    expected_output: sentence(random, 8),
    files: [],
  }));
  const tasks = Object.fromEntries(
    evals.map(({ id }) => [
      String(id),
      {
        checks: [
          { check: 'contains', text: word(random) },
          { check: 'section_present', heading: 'Summary' },
          { check: 'max_chars', limit: 600 + random(400) },
          { check: 'regex', pattern: `\\b${word(random)}\\b`, flags: 'i' },
        ],
        tags: [`tag${random(6)}`],
        ...(random(20) === 0 ? { origin: `session${random(count)}` } : {}),
      },
    ]),
  );
  return {
    evalsText: JSON.stringify({ skill_name: 'bench', evals }, null, 2),
    whetstoneText: JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks }, null, 2),
  };
}

/** An answer of some hundred words. */
export const answer = `# Summary\n\n${sentence(randomNumbers(7), 120)}\n\n## Details\n\n${sentence(randomNumbers(8), 120)}`;

const openings = [
  'Summarise the following incident for the team.',
  'Review this change and name what is risky about it.',
  'Answer the customer in a friendly tone.',
  'Explain to a new colleague how this works.',
];

/** Whole numbers below a bound; a linear congruence is random enough for words. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A few words are frequent and most are rare, as in every language. */
function word(random: (below: number) => number): string {
  const rank = Math.floor(20_000 ** (random(10_000) / 10_000));
  return `w${rank.toString(36)}`;
}

function sentence(random: (below: number) => number, length: number): string {
  return Array.from({ length }, () => word(random)).join(' ');
}
