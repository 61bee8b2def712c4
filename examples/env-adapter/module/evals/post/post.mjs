// The post office as an environment: what upstream calls an EnvAdapter, as a module.
import { defineEnvironment } from 'whetstone';

export default defineEnvironment({
  // Once for each batch: here a simulator or a browser would be started.
  async buildEnv({ batch, options }) {
    return { taken: 0, size: batch.batch_size, ...options };
  },

  // One attempt: the target writes a letter, and the post office takes it or sends it back.
  async rollout({ task, skill, target }, office) {
    const question = [
      { role: 'system', content: skill ?? '' },
      { role: 'user', content: task.prompt },
    ];
    const { text: letter } = await target(question);
    const reasons = [];
    if (letter.length > office.most) reasons.push(`The answer has at most ${office.most} characters.`);
    if (!letter.trimEnd().endsWith(office.closing)) reasons.push(`The answer ends with the line “${office.closing}”.`);
    office.taken += reasons.length === 0 ? 1 : 0;
    return {
      hard: reasons.length === 0 ? 1 : 0,
      soft: 1 - reasons.length / 2,
      fail_reason: reasons.join(' ') || null,
      conversation: [...question, { role: 'assistant', content: letter }],
      predicted_answer: letter,
      length: letter.length,
    };
  },

  async closeEnv(office) {
    office.taken = 0;
  },
});
