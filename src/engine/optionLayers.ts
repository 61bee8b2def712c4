/** A layer of options as nested objects, before it is read: what the layers say is laid one over the other first. */
export type Layer = Readonly<Record<string, unknown>>;

/** The fewest edits that a step may make where nobody says otherwise. */
export const usualMinimum = 2;

/** Whoever states a budget alone means it: a minimum from further down is lowered to it. */
export function withLayer(under: Layer, over: Layer): Layer {
  const merged = mergeLayers(under, over);
  const stated = isLayer(over['edits']) ? over['edits'] : {};
  const { budget, minimum } = stated;
  if (typeof budget !== 'number' || budget < 1 || minimum !== undefined) return merged;
  const before = isLayer(merged['edits']) ? merged['edits']['minimum'] : undefined;
  const lowered = Math.min(budget, typeof before === 'number' ? before : usualMinimum);
  return mergeLayers(merged, { edits: { minimum: lowered } });
}

/** The stronger layer over the weaker one; what it does not say stays. */
export function mergeLayers(under: Layer, over: Layer): Layer {
  const result = new Map(Object.entries(under)); // a name such as __proto__ is a name like any other
  for (const [name, value] of Object.entries(over).filter(([, said]) => said !== undefined)) {
    const before = result.get(name);
    result.set(name, isLayer(before) && isLayer(value) ? mergeLayers(before, value) : value);
  }
  return Object.fromEntries(result);
}

/** Whether a value holds options of its own. */
export function isLayer(value: unknown): value is Layer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** With the gate off nobody waits for what an edit is worth: it is measured only where somebody asked for it. */
export function impliedBy({ gate }: Layer): Layer {
  return isLayer(gate) && gate['rule'] === 'off' ? { gate: { attribution: false } } : {};
}
