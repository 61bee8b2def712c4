import * as z from 'zod';

/** Strict mode wants every object closed and every property required; a schema with options is sent without it. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  const node = Node.safeParse(schema).data;
  if (node === undefined) return true;
  return (node.type !== 'object' || isClosed(node)) && Object.values(node).every(isStrictSchema);
}

const Node = z.looseObject({
  type: z.unknown(),
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  required: z.array(z.unknown()).optional().catch(undefined),
  additionalProperties: z.unknown(),
});

function isClosed({ properties = {}, required = [], additionalProperties }: z.infer<typeof Node>): boolean {
  return additionalProperties === false && Object.keys(properties).every((name) => required.includes(name));
}
