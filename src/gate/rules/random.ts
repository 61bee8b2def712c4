/** A seeded source of uniform numbers in [0, 1): the same seed gives the same simulation on every machine. */
export type Random = () => number;

/** sfc32: small, fast, passes the usual batteries. The words are mixed so that neighbouring seeds are unrelated. */
export function seeded(...words: readonly number[]): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (const word of words) {
    a ^= Math.trunc(word);
    for (let round = 0; round < 12; round++) next();
  }
  return next;
}

/** Beta(a, b) from two gammas. */
export function beta(random: Random, a: number, b: number): number {
  const x = gamma(random, a);
  return x / (x + gamma(random, b));
}

/** Marsaglia and Tsang's method; shapes below 1 are lifted by the usual power of a uniform. */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * Math.pow(1 - random(), 1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const root = 1 + c * x;
    const v = root * root * root;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
