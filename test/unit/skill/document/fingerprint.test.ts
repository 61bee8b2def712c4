import assert from 'node:assert/strict';
import { hashText, skillKey } from '../../../../src/skill/document/fingerprint.js';

describe('fingerprints', () => {
  it('hashes text as UTF-8', () => {
    assert.equal(hashText(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    assert.equal(hashText('é'), '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });

  it('tells texts apart by their line breaks and byte order mark', () => {
    assert.equal(new Set(['a\n', 'a\r\n', 'a', '\uFEFFa'].map(hashText)).size, 4);
  });

  it('knows a skill by its path, however the platform writes it', () => {
    const same = ['.claude/skills/é/SKILL.md', '.claude\\skills\\é\\SKILL.md', './.claude//skills/e\u0301/SKILL.md'];
    assert.equal(new Set(same.map(skillKey)).size, 1);
    assert.match(skillKey('a/SKILL.md'), /^[0-9a-f]{16}$/);
    assert.notEqual(skillKey('a/SKILL.md'), skillKey('A/SKILL.md'));
  });
});
