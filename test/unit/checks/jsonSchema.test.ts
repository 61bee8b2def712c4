import assert from 'node:assert/strict';
import { MalformedCheckError } from '../../../src/checks/check.js';
import { compileSchema } from '../../../src/checks/jsonSchema/compileSchema.js';
import { validateValue } from '../../../src/checks/jsonSchema/validateValue.js';

describe('a JSON schema', () => {
  const tree = {
    $defs: { tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } }, additionalProperties: false } },
    $ref: '#/$defs/tree',
  };
  const rows: readonly (readonly [schema: unknown, value: unknown, violated: RegExp | undefined])[] = [
    [true, 1, undefined],
    [false, 1, /must not be there/],
    [{}, null, undefined],
    [{ type: 'integer' }, 1.5, /must be integer/],
    [{ type: 'integer' }, 2, undefined],
    [{ type: ['string', 'null'] }, null, undefined],
    [{ type: ['string', 'null'] }, 1, /string or null/],
    [{ type: 'object' }, [], /must be object/],
    [{ type: 'array' }, {}, /must be array/],
    [{ enum: [1, { a: 1, b: 2 }] }, { b: 2, a: 1 }, undefined],
    [{ enum: ['a'] }, 'b', /one of "a"/],
    [{ const: null }, 0, /must be null/],
    [{ minimum: 1, maximum: 3 }, 4, /at most 3/],
    [{ exclusiveMinimum: 1 }, 1, /more than 1/],
    [{ exclusiveMaximum: 3 }, 3, /less than 3/],
    [{ multipleOf: 0.1 }, 0.3, undefined],
    [{ multipleOf: 2 }, 3, /multiple of 2/],
    [{ minLength: 2 }, '😀', /shorter/],
    [{ maxLength: 1 }, '😀', undefined],
    [{ pattern: '^[A-Z]+$' }, 'AB', undefined],
    [{ pattern: '^[A-Z]+$' }, 'Ab', /pattern/],
    [{ required: ['a'] }, {}, /lacks “a”/],
    [{ required: ['toString'] }, {}, /lacks “toString”/],
    [{ properties: { a: { type: 'string' } } }, { a: 1 }, /the answer\.a must be string/],
    [{ properties: { a: true }, additionalProperties: false }, { b: 1 }, /\.b must not be there/],
    [{ additionalProperties: { type: 'number' } }, { b: 'x' }, /\.b must be number/],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, /the name “ab”/],
    [{ minProperties: 1 }, {}, /fewer properties/],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, /more properties/],
    [{ items: { type: 'number' } }, [1, 'x'], /the answer\[1\] must be number/],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], /\[1\] must not be there/],
    [{ minItems: 1 }, [], /fewer items/],
    [{ maxItems: 1 }, [1, 2], /more items/],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], /repeats/],
    [{ contains: { const: 1 } }, [2], /lacks an item/],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, /at most 2/],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, /none of its forms/],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, /2 of its forms/],
    [{ not: { type: 'string' } }, 'x', /must not have/],
    [{ required: ['a', 'a'] }, { a: 1 }, undefined],
    // Names that every object inherits are names like any other.
    [{ enum: [{ a: 1 }] }, { toString: 1 }, /one of \{"a":1\}/],
    [{ const: { toString: 1 } }, { toString: 1 }, undefined],
    [{ uniqueItems: true }, [{ valueOf: 1 }, { valueOf: 2 }], undefined],
    [JSON.parse('{ "properties": { "__proto__": false } }'), JSON.parse('{ "__proto__": 1 }'), /must not be there/],
    [JSON.parse('{ "required": ["__proto__"] }'), {}, /lacks “__proto__”/],
    [tree, { next: { next: {} } }, undefined],
    [tree, { next: { other: 1 } }, /other must not be there/],
  ];
  for (const [schema, value, violated] of rows) {
    it(`${JSON.stringify(schema)} ${violated === undefined ? 'allows' : 'forbids'} ${JSON.stringify(value)}`, () => {
      const validation = validateValue(value, compileSchema(schema));
      if (violated === undefined) assert.deepEqual(validation, { kind: 'valid' });
      else assert.match(validation.kind === 'violated' ? validation.reason : validation.kind, violated);
    });
  }

  const malformed: readonly (readonly [unknown, RegExp])[] = [
    ['string', /a schema is an object/],
    [{ type: 'text' }, /“type”/],
    [{ minimum: '1' }, /“minimum”/],
    [{ if: {} }, /“if” is not supported/],
    [{ format: 'date' }, /“format” is not supported/],
    [{ patternProperties: {} }, /not supported/],
    [{ required: 'a' }, /“required”/],
    [{ properties: { a: { minLenght: 1 } } }, /“minLenght” is not supported/],
    [{ $ref: 'https://example.org/schema' }, /refers to nothing/],
    [{ $ref: '#/$defs/none' }, /refers to nothing/],
    [{ pattern: '(?>a)' }, /atomic/],
    [{ constructor: 1 }, /“constructor” is not supported/],
    [JSON.parse('{ "properties": { "__proto__": { "format": "date" } } }'), /“format” is not supported/],
    [{ $defs: { unused: { format: 'date' } } }, /“format” is not supported/],
  ];
  for (const [schema, reason] of malformed) {
    it(`refuses ${JSON.stringify(schema)} when it is read`, () => {
      assert.throws(
        () => compileSchema(schema),
        (error) => error instanceof MalformedCheckError && reason.test(error.message),
      );
    });
  }

  it('gives up on a schema that only refers to itself', () => {
    assert.deepEqual(validateValue(1, compileSchema({ $ref: '#' })), { kind: 'exhausted' });
  });

  it('gives up on an expression that backtracks for ever', () => {
    assert.deepEqual(validateValue(`${'a'.repeat(5000)}b`, compileSchema({ pattern: '(a+)+$' })), {
      kind: 'exhausted',
    });
  });
});
