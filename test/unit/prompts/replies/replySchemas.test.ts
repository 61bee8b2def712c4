import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/hash.js';
import { mergeReplySchema, reflectionReplySchema } from '../../../../src/prompts/reflection/reflection.js';
import {
  mergeRewritesReplySchema,
  rewriteReplySchema,
  rewritesReplySchema,
} from '../../../../src/prompts/rewrite/rewrites.js';
import { mergeSuggestionsReplySchema, suggestionsReplySchema } from '../../../../src/prompts/rewrite/suggestions.js';
import { consolidateNotesReplySchema, skillAwareReplySchema } from '../../../../src/prompts/reflection/skillAware.js';

/** A reply is stored under a hash of its request: one byte more here, and a run that goes on pays for all of them again. */
describe('the schemas that replies are held to', () => {
  const known: readonly (readonly [schema: unknown, hash: string])[] = [
    [reflectionReplySchema, 'eaa87ed7d4ea229f'],
    [mergeReplySchema, '117cc266baf2dbec'],
    [rewritesReplySchema, '84cc4162e60b0598'],
    [mergeRewritesReplySchema, 'dbdc07f4d86460f9'],
    [rewriteReplySchema, 'b513e6cee616af90'],
    [suggestionsReplySchema, 'df7d26e90693701b'],
    [mergeSuggestionsReplySchema, '0062a3999c376868'],
    [skillAwareReplySchema, 'f0796f77a70bf975'],
    [consolidateNotesReplySchema, 'e33f32478877ece3'],
  ];
  for (const [schema, hash] of known) {
    const { name } = Object(schema);
    it(`${name}: are the bytes that earlier versions sent`, () => {
      assert.equal(sha256(JSON.stringify(schema)).slice(0, 16), hash);
    });
  }
});
