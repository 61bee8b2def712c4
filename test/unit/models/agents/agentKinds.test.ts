import assert from 'node:assert/strict';
import { agentKinds, agentOfSpec } from '../../../../src/models/agents/agentKinds.js';

describe('the name of an agent program’s model', () => {
  it('is the program’s with the model’s, or the program’s alone', () => {
    assert.deepEqual(
      ['claude-code/sonnet', 'claude-code', 'claude-code/'].map((spec) => agentOfSpec(spec)?.model),
      ['sonnet', undefined, undefined],
    );
    assert.equal(agentOfSpec('claude-code/sonnet')?.kind.label, 'Claude Code');
  });

  it('is no other', () => {
    for (const spec of ['claude', 'ollama/claude-code', '', 'simulated']) assert.equal(agentOfSpec(spec), undefined);
  });

  it('belongs to one program each', () => {
    assert.equal(new Set(agentKinds.map(({ id }) => id)).size, agentKinds.length);
  });
});
