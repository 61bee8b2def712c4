/** A file that can be imported, word for word. */
export interface ImportExample {
  readonly name: string;
  readonly text: string;
}

/** One of each format, for people to copy. A test imports them all. */
export const importExamples: readonly ImportExample[] = [
  {
    name: 'tasks.jsonl',
    text: [
      '{"id": "late-parcel", "prompt": "My parcel is late.", "expectations": ["The answer says what to do next."]}',
      '{"task_id": "refund", "task": "I want my money back.", "judge": {"checks": [{"op": "max_chars", "arg": 600}]}}',
    ].join('\n'),
  },
  {
    name: 'tasks.csv',
    text: [
      'id,prompt,expectations,expected',
      'late-parcel,My parcel is late.,The answer says what to do next.,',
      'opening,"When do you open, please?",,We open at nine.',
    ].join('\n'),
  },
  {
    name: 'promptfooconfig.yaml',
    text: [
      'prompts: ["Answer this customer: {{message}}"]',
      'tests:',
      '  - vars: { message: My parcel is late. }',
      '    assert:',
      '      - { type: icontains, value: parcel }',
      '      - { type: llm-rubric, value: It is friendly. }',
    ].join('\n'),
  },
  {
    name: 'eval.yaml',
    text: [
      'name: support',
      'tasks:',
      '  - id: late-parcel',
      '    inputs: { prompt: My parcel is late. }',
      '    expected: { output_contains: [parcel] }',
      '    graders:',
      '      - { type: text, name: calm, config: { not_contains: [calm down] } }',
    ].join('\n'),
  },
];
