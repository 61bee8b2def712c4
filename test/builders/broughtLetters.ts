/** Twenty letters that an environment brings, 8 for training, 8 held out and 4 sealed, and how it judges them: signed or not. */
const topics = [
  'a lamp that flickers at night',
  'the refund of a broken teapot',
  'opening hours on public holidays',
  'a parcel that went to the neighbours',
  'whether gift cards expire',
  'a chair with a missing screw',
  'changing the address of an order',
  'an invoice with the wrong tax number',
  'how to clean brass without scratches',
  'a coupon the shop did not take',
  'delivery to an island in winter',
  'spare bulbs for an older model',
  'a subscription that was billed twice',
  'returning shoes after a month',
  'the noise of a ceiling fan',
  'a mirror that arrived with a crack',
  'wholesale prices for a hotel',
  'assembling a shelf without a drill',
  'a lost password of the web shop',
  'the origin of the oak in a table',
];

const sides = { train: topics.slice(0, 8), val: topics.slice(8, 16), test: topics.slice(16) };

export type LetterSide = keyof typeof sides;

/** The items of one side, as a benchmark would have them. */
export function lettersOf(split: LetterSide): readonly Readonly<Record<string, unknown>>[] {
  return sides[split].map((topic, index) => ({
    id: `${split}-${index}`,
    question: `Write to a customer about ${topic}.`,
    task_type: index % 2 === 0 ? 'even' : 'odd',
    reference_text: `The sample letter on ${topic} is in drawer ${split} ${index}.`,
  }));
}

const all = { train: lettersOf('train'), val: lettersOf('val'), test: lettersOf('test') };

/** Brings the letters and judges them; notes in the file that its options name what it was asked. */
export const lettersModule = `import { appendFileSync } from 'node:fs';
const all = ${JSON.stringify(all)};
const note = (options, what) => options.log && appendFileSync(options.log, what + '\\n');
export default {
  items({ split, options }) {
    note(options, 'items ' + split);
    return all[split];
  },
  taskTypes: ({ tasks }) => Object.fromEntries(tasks.map(({ id }) => [id, 'letter'])),
  rollout({ task, skill }) {
    const signed = (skill ?? '').includes('Kind regards');
    return { hard: signed ? 1 : 0, soft: signed ? 1 : 0.5, fail_reason: 'The answer ends with the line “Kind regards”.',
      conversation: [{ role: 'assistant', content: 'Dear customer, ' + task.id }] };
  },
};`;

/** The same in Python; attempts a whole batch in one start. */
export const lettersProgram = `import json, sys
line = json.loads(sys.stdin.readline())
everything = json.loads(${JSON.stringify(JSON.stringify(all))})
if "log" in line["options"] and "ask" in line:
    open(line["options"]["log"], "a").write(line["ask"] + " " + line["split"] + "\\n")
if line.get("ask") == "items":
    print(json.dumps({"items": everything[line["split"]]}))
else:
    for attempt in line["attempts"]:
        signed = "Kind regards" in (attempt["skill"] or "")
        print(json.dumps({"id": attempt["task"]["id"], "attempt": attempt["attempt"], "hard": int(signed),
            "soft": 1 if signed else 0.5, "fail_reason": "The answer ends with the line \\u201cKind regards\\u201d."}))
`;
