/** `0.03`: dollars and cents; below one cent as many digits as it takes to tell it from nothing: `0.0042`. */
export function usdFigure(usd: number): string {
  if (usd <= 0 || usd >= 0.01) return usd.toFixed(2);
  return Number(Math.max(usd, smallest).toPrecision(2)).toFixed(7).replace(/0+$/, '');
}

const smallest = 0.000001;
