import assert from 'node:assert/strict';
import { skillKey } from '../../../../src/skill/document/fingerprint.js';

describe('fingerprints', () => {
  it('knows a skill by its path, however the platform writes it', () => {
    const same = ['.claude/skills/é/SKILL.md', '.claude\\skills\\é\\SKILL.md', './.claude//skills/e\u0301/SKILL.md'];
    assert.equal(new Set(same.map(skillKey)).size, 1);
    assert.match(skillKey('a/SKILL.md'), /^[0-9a-f]{16}$/);
    assert.notEqual(skillKey('a/SKILL.md'), skillKey('A/SKILL.md'));
  });
});
