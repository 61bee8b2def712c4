// The post office as an environment: what SkillOpt calls an EnvAdapter, as a module.
import { readFileSync } from 'node:fs';
import { defineEnvironment } from 'whetstone';

export default defineEnvironment({
  // The items of one side: train, val or test. Asked once, before anything is spent.
  items({ split }) {
    return JSON.parse(readFileSync(new URL('items.json', import.meta.url), 'utf8'))[split];
  },

  // Once for each batch: here a simulator or a browser would be started.
  buildEnv({ batch, options }) {
    return { ...options, size: batch.batch_size };
  },

  // One attempt: the target writes a letter, and the post office takes it or sends it back. `target` asks the run's own
  // model, cached, counted and capped by the run.
  async rollout({ task, skill, target }, office) {
    const question = [
      { role: 'system', content: skill ?? '' },
      { role: 'user', content: task.prompt },
    ];
    const { text: letter } = await target(question);
    const short = letter.length <= office.most;
    const signed = letter.trimEnd().endsWith(office.closing);
    const reasons = [
      ...(short ? [] : [`The answer has at most ${office.most} characters.`]),
      ...(signed ? [] : ['The post office sent it back.']),
    ];
    return {
      hard: short && signed ? 1 : 0,
      soft: (Number(short) + Number(signed)) / 2,
      fail_reason: reasons.join(' ') || null,
      conversation: [...question, { role: 'assistant', content: letter }],
      predicted_answer: letter,
      signed,
    };
  },

  // Once at the end of each batch.
  closeEnv() {},

  // Edits of its own: why a letter came back is known here alone. They are proved like all others.
  reflect({ attempts, options }) {
    const unsigned = attempts.filter(({ extras }) => extras?.signed === false).map(({ id }) => id);
    if (unsigned.length === 0) return { remarks: 'Every letter was signed.', edits: [] };
    const edit = {
      op: 'append',
      content: `- End with the line “${options.closing}”.`,
      rationale: `${unsigned.length} letters were not signed, and the post office sends those back.`,
      tasks: unsigned,
    };
    return { remarks: 'The post office takes letters that are signed.', edits: [edit] };
  },
});
