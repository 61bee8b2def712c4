import * as z from 'zod';

const Schema = z
  .looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
    items: z.unknown().optional(),
    anyOf: z.array(z.unknown()).optional(),
    minimum: z.number().optional(),
    minItems: z.number().optional(),
  })
  .catch({});
type Schema = z.infer<typeof Schema>;

type Suggest = (property: string) => string;

/** The smallest value that fits a JSON schema; texts come from `suggest`, by the name of their property. */
export function instanceOf(schema: unknown, suggest: Suggest, property = ''): unknown {
  const shape = Schema.parse(schema);
  const fixed = shape.const ?? shape.enum?.[0] ?? shape.default;
  if (fixed !== undefined) return fixed;
  const choice = shape.anyOf?.[0];
  return choice === undefined ? typedInstance(shape, suggest, property) : instanceOf(choice, suggest, property);
}

function typedInstance(shape: Schema, suggest: Suggest, property: string): unknown {
  switch (typeOf(shape)) {
    case 'object':
      return objectOf(shape, suggest);
    case 'array':
      return arrayOf(shape, suggest, property);
    case 'integer':
    case 'number':
      return shape.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return suggest(property);
  }
}

/** A named array gets one element, so that an argument is never empty. */
function arrayOf({ items, minItems = 0 }: Schema, suggest: Suggest, property: string): unknown {
  const length = Math.max(minItems, property === '' ? 0 : 1);
  return Array.from({ length }, () => instanceOf(items, suggest, property));
}

function objectOf({ properties = {}, required }: Schema, suggest: Suggest): unknown {
  const names = required === undefined || required.length === 0 ? Object.keys(properties) : required;
  return Object.fromEntries(names.map((name) => [name, instanceOf(properties[name], suggest, name)]));
}

function typeOf({ type, properties }: Schema): string {
  const first = Array.isArray(type) ? type[0] : type;
  return first ?? (properties === undefined ? 'string' : 'object');
}
