import * as z from 'zod';

/*
 * Programs as jobs hold them. Folders are named by the address of what is in them.
 */

const Start = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), command: z.string(), arguments: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('module'), file: z.string() }),
]);

/** A program, and what this start of it reads and may take. */
export const programForm = {
  program: z.strictObject({ start: Start, folder: z.string().exactOptional(), hosts: z.array(z.string()) }),
  task: z.strictObject({ input: z.string(), timeLimitMs: z.number(), outputLimitBytes: z.number() }),
};

/** What was changed in a folder that an agent worked in. */
export const LeftForm = z.strictObject({ changed: z.string(), deleted: z.array(z.string()) });
export type LeftForm = z.infer<typeof LeftForm>;

/** Programs that look at such a folder, one after the other. */
export const judgingForm = {
  judging: z.strictObject({
    fixture: z.string(),
    skill: z.strictObject({ name: z.string(), files: z.string() }).exactOptional(),
    skillsFolder: z.enum(['.agents/skills', '.claude/skills']),
    left: LeftForm,
    judges: z.array(
      z.strictObject({
        command: z.string(),
        arguments: z.array(z.string()),
        timeLimitMs: z.number(),
        brings: z.string().exactOptional(),
      }),
    ),
  }),
};
