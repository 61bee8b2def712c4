import * as z from 'zod';

/** What a keyword's argument looks like, and what of it must be inspected in turn. */
export interface Keyword {
  readonly argument: z.ZodType;
  readonly holds: 'nothing' | 'schema' | 'schemas' | 'named schemas' | 'expression' | 'reference';
}

const count = z.int().nonnegative();
const typeName = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

function holdingNothing(argument: z.ZodType): Keyword {
  return { argument, holds: 'nothing' };
}

const remark = holdingNothing(z.unknown());
const oneSchema: Keyword = { argument: schema, holds: 'schema' };
const someSchemas: Keyword = { argument: z.array(schema).min(1), holds: 'schemas' };
const namedSchemas: Keyword = { argument: z.record(z.string(), schema), holds: 'named schemas' };

/** Every keyword that is known; remarks are accepted and mean nothing. */
export const keywords: Readonly<Record<string, Keyword>> = {
  $schema: remark,
  $id: remark,
  $comment: remark,
  title: remark,
  description: remark,
  default: remark,
  examples: remark,
  deprecated: remark,
  $defs: namedSchemas,
  definitions: namedSchemas,
  $ref: { argument: z.string(), holds: 'reference' },
  type: holdingNothing(z.union([typeName, z.array(typeName).min(1)])),
  enum: holdingNothing(z.array(z.unknown()).min(1)),
  const: remark,
  properties: namedSchemas,
  required: holdingNothing(z.array(z.string())),
  additionalProperties: oneSchema,
  propertyNames: oneSchema,
  minProperties: holdingNothing(count),
  maxProperties: holdingNothing(count),
  items: oneSchema,
  prefixItems: someSchemas,
  contains: oneSchema,
  minItems: holdingNothing(count),
  maxItems: holdingNothing(count),
  uniqueItems: holdingNothing(z.boolean()),
  minLength: holdingNothing(count),
  maxLength: holdingNothing(count),
  pattern: { argument: z.string(), holds: 'expression' },
  minimum: holdingNothing(z.number()),
  maximum: holdingNothing(z.number()),
  exclusiveMinimum: holdingNothing(z.number()),
  exclusiveMaximum: holdingNothing(z.number()),
  multipleOf: holdingNothing(z.number().positive()),
  allOf: someSchemas,
  anyOf: someSchemas,
  oneOf: someSchemas,
  not: oneSchema,
};
