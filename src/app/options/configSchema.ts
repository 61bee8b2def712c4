import { optionReference } from './optionReference.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const aboutBase =
  'Files of options that this one stands on: a path or a list, relative to this file, in the workspace.';
const aboutSkills = 'Options for single skills, by the path of the skill or of its folder in the workspace.';

/** For completion and validation of `.whetstone/config.yaml` by an extension that knows YAML. */
export function configJsonSchema(): JsonSchema {
  const options = optionProperties();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Options of Whetstone for a workspace',
    type: ['object', 'null'],
    properties: {
      _base_: { description: aboutBase, anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      ...options,
      skills: {
        description: aboutSkills,
        type: 'object',
        additionalProperties: { $ref: '#/definitions/options' },
      },
    },
    additionalProperties: false,
    definitions: { options: { type: 'object', properties: options, additionalProperties: false } },
  };
}

/** Every option nested and by its whole name, as the file takes both. */
function optionProperties(): Readonly<Record<string, JsonSchema>> {
  const entries = optionReference();
  const groups = new Map<string, Record<string, JsonSchema>>();
  for (const { name, schema } of entries) {
    const [part = '', below] = name.split('.');
    if (below !== undefined) groups.set(part, { ...groups.get(part), [below]: schema });
  }
  return {
    ...Object.fromEntries(
      [...groups].map(([part, properties]) => [part, { type: 'object', properties, additionalProperties: false }]),
    ),
    ...Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
  };
}
