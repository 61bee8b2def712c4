/** What a window holds, by the names of VS Code's context keys. */
export type Context = Readonly<Record<string, string | number | boolean>>;

/** Whether a `when` clause of the manifest holds: the part of VS Code's language that we write. */
export function holds(clause: string | undefined, context: Context): boolean {
  if (clause === undefined) return true;
  const tokens = clause.match(/\/(?:[^/\\]|\\.)*\/|&&|\|\||==|!=|=~|!|\(|\)|[^\s()!&|=]+/g) ?? [];
  const rest = [...tokens];
  const value = either(rest, context);
  if (rest.length > 0) throw new Error(`“${clause}” goes on with ${rest.join(' ')}`);
  return value;
}

function either(rest: string[], context: Context): boolean {
  let value = both(rest, context);
  while (rest[0] === '||') {
    rest.shift();
    const right = both(rest, context);
    value ||= right;
  }
  return value;
}

function both(rest: string[], context: Context): boolean {
  let value = term(rest, context);
  while (rest[0] === '&&') {
    rest.shift();
    const right = term(rest, context);
    value &&= right;
  }
  return value;
}

function term(rest: string[], context: Context): boolean {
  const first = rest.shift() ?? '';
  if (first === '!') return !term(rest, context);
  if (first === '(') {
    const value = either(rest, context);
    rest.shift();
    return value;
  }
  const value = first === 'true' ? 'true' : String(context[first] ?? '');
  const compare = comparisons[rest[0] ?? ''];
  if (compare === undefined) return !['', 'false', '0'].includes(value);
  const [, right = ''] = rest.splice(0, 2);
  return compare(value, right);
}

const comparisons: Readonly<Record<string, (value: string, right: string) => boolean>> = {
  '==': (value, right) => value === right,
  '!=': (value, right) => value !== right,
  '=~': (value, right) => new RegExp(right.slice(1, -1)).test(value),
};
