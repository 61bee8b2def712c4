import * as z from 'zod';
import { sideNamedBy, sideNames } from '../sideNames.js';
import { declaredReach } from './declaredReach.js';
import { agentNames, leavesFolder, type CheckSpec } from '../task.js';

export const whetstoneFormat = 'whetstone.tasks';
export const whetstoneVersion = 1;

/** One check: its name, whether the optimizer may see it, and the arguments of the check of that name. */
export const checkEntry = z.looseObject({
  check: z.string().min(1).describe('The name of the check.'),
  hidden: z.boolean().optional().describe('The criterion is never shown to the optimizer.'),
});

export const stubTool = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, “_” or “-”'),
  description: z.string().default(''),
  parameters: z.record(z.string(), z.unknown()).default({ type: 'object', properties: {} }),
  result: z.string().default('').describe('What every call of the tool gives back.'),
});

const folder = z
  .string()
  .min(1)
  .refine((given) => !leavesFolder(given), 'must lie in the folder of the skill')
  .optional();

/** What an environment may ask the run's target in one attempt. */
const targetLimits = z.strictObject({
  calls: z.int().min(1).max(10_000).default(8).describe('The most calls of one attempt.'),
  kilobytes: z
    .int()
    .min(1)
    .max(4_096)
    .default(32)
    .describe('The most that one question may hold beside the skill and the memory file.'),
});
export type TargetLimits = z.infer<typeof targetLimits>;

/** What a declared environment may be asked for beside attempts; see `environments/askEnvironment.ts`. */
const brought = ['items', 'skill', 'types', 'representatives', 'batches', 'edits'] as const;
export type EnvironmentAsk = (typeof brought)[number];

/** What programs and modules share. */
const running = {
  target: z
    .union([z.literal(true).transform((): TargetLimits => targetLimits.parse({})), targetLimits])
    .optional()
    .describe('Gives it the run’s target to ask, counted and capped as every call is; true: with the usual limits.'),
  timeLimitSeconds: z.number().positive().max(3600).default(120),
  batch: z.boolean().optional().describe('Makes all attempts of a batch in one start, instead of one.'),
  options: z.record(z.string(), z.unknown()).optional().describe('Handed over as they are with every attempt.'),
  ...declaredReach,
  brings: z.array(z.enum(brought)).optional().describe('What it is asked for beside attempts.'),
};

/** A program that attempts tasks, declared once and named by tasks in `environment`. */
export const programDeclaration = z.strictObject({
  command: z.string().min(1),
  arguments: z.array(z.string()).default([]),
  folder: folder.describe('Relative to the folder of the skill; a copy is the working directory.'),
  ...running,
});

/** The same as a JavaScript module, which runs in a process of its own. */
export const moduleDeclaration = z.strictObject({
  module: z
    .string()
    .min(1)
    .refine((file) => !leavesFolder(file), 'must lie in its folder')
    .describe('An ES module whose default export has “rollout”. Relative to “folder”, without one to evals.'),
  folder: folder.describe('Relative to the folder of the skill; copied whole. Without it the module is one file.'),
  ...running,
});

const environmentDeclaration = z.union([programDeclaration, moduleDeclaration]);

/** A side of the split by any of its names. */
const side = z
  .enum(Object.keys(sideNames))
  .transform((name) => sideNamedBy(name) ?? 'training')
  .describe('training, heldOut or sealed; train, val and test, and what else other tools call them, mean the same.');

const insideSkill = z
  .string()
  .min(1)
  .refine((given) => !leavesFolder(given), 'must lie in the folder of the skill');

/** How an agent program works on a task; see `AgentTask`. */
export const agentEntry = z.strictObject({
  fixture: z
    .union(
      [
        insideSkill,
        z.strictObject({
          repository: z.string().min(1).describe('A folder of this machine, relative to the folder of the skill.'),
          commit: z.string().regex(/^[0-9a-f]{40}$/u, 'must be the 40 hexadecimal digits of a commit'),
        }),
      ],
      'must be a folder such as "evals/fixtures/shop", or { "repository": "…", "commit": "…" }',
    )
    .describe('The folder that each attempt starts from, relative to the folder of the skill; or a git repository.'),
  mode: z
    .enum(['offered', 'forced'])
    .default('offered')
    .describe('offered: the agent decides whether it uses the skill; forced: it is told to.'),
  program: z.enum(agentNames).optional().describe('The one program that it takes; the run’s target is that one then.'),
  maxTokens: z.int().min(1_000).max(100_000_000).optional().describe('Less than the option agent.maxTokens says.'),
  maxTurns: z.int().min(1).max(10_000).optional().describe('Less than the option agent.maxTurns says.'),
  minutes: z.number().positive().max(240).optional().describe('Less than the option agent.minutes says.'),
});

/** What only Whetstone knows of a task in `evals.json`. */
export const whetstoneEntry = z.looseObject({
  contentHash: z.string().optional().describe('Hash of the task in evals.json that these checks were written for.'),
  checks: z.array(checkEntry).optional(),
  references: z.array(z.string().min(1)).optional().describe('Reference answers; no model but the judge sees them.'),
  context: z.string().optional(),
  system: z.string().optional().describe('System text used verbatim; {skill} marks where the skill goes.'),
  tools: z.array(stubTool).optional(),
  environment: z.string().min(1).optional(),
  agent: agentEntry.optional().describe('For the environment agent: what an agent program works in, and how.'),
  tags: z.array(z.string().min(1)).optional(),
  split: side.optional(),
  origin: z.string().min(1).optional().describe('Tasks of one origin stay on one side of the split.'),
  draft: z.boolean().optional().describe('Not confirmed yet: counts for nothing.'),
  enabled: z.boolean().optional(),
});

/** `evals/whetstone.json`. */
export const whetstoneFile = z.looseObject({
  format: z.literal(whetstoneFormat),
  version: z.literal(whetstoneVersion),
  tasks: z.record(z.string(), whetstoneEntry).optional().describe('By the id that evals.json gives the task.'),
  environments: z.record(z.string(), environmentDeclaration).optional(),
  heldOutFile: z.string().min(1).optional().describe('A file like evals.json, beside it; all its tasks are held out.'),
});

export type WhetstoneEntry = z.infer<typeof whetstoneEntry>;
export type ProgramDeclaration = z.infer<typeof programDeclaration>;
export type ModuleDeclaration = z.infer<typeof moduleDeclaration>;
export type EnvironmentDeclaration = z.infer<typeof environmentDeclaration>;

/** The environments that are declared to bring this, by name. */
export function bringersOf(
  declared: ReadonlyMap<string, EnvironmentDeclaration>,
  what: EnvironmentAsk,
): readonly string[] {
  return [...declared].filter(([, { brings: named = [] }]) => named.includes(what)).map(([name]) => name);
}

export function checkSpecOf(entry: z.infer<typeof checkEntry>): CheckSpec {
  const { check, hidden, ...rest } = entry;
  return { check, hidden: hidden ?? false, arguments: rest };
}
