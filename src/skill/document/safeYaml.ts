const deepestNesting = 100;
const widestIndent = 200;

/**
 * True for text that the YAML parser can be trusted with. Nesting is limited before the parser sees it: a few hundred
 * open brackets exhaust its stack, and inside a regular expression that ends the whole process. `longest` counts
 * characters.
 */
export function isSafeYaml(yaml: string, longest: number): boolean {
  if (yaml.length > longest) return false;
  let open = 0;
  return yaml.split(/\r\n?|\n/).every((line) => {
    open += openBracketsIn(line);
    const indicators = line.match(/[-?:](?:[ \t]|$)/g)?.length ?? 0;
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    return open <= deepestNesting && indicators <= deepestNesting && indent <= widestIndent;
  });
}

// A bracket that closes on its line, with neither quote nor remark between, closes for certain: one that stands in a
// text or in a remark may close nothing.
const closedPair = /[[{][^[\]{}"'#]*[\]}]/g;

function openBracketsIn(line: string): number {
  const left = line.replace(closedPair, '').replace(closedPair, '').replace(closedPair, '');
  return left.match(/[[{]/g)?.length ?? 0;
}
