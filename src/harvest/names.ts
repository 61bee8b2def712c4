/**
 * The name of a tool; undefined where it can be none. What a model wrote in its place is not kept: it may be anything, and
 * names become names of files later.
 */
export function toolName(told: unknown): string | undefined {
  return typeof told === 'string' && isToolName.test(told) ? told : undefined;
}

const isToolName = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,127}$/u;

/** The name of a skill, with that of its plugin where it has one; undefined where it can be none. */
export function skillName(told: unknown): string | undefined {
  return typeof told === 'string' && isSkillName.test(told) ? told : undefined;
}

const isSkillName = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.:-]{0,126}[\p{L}\p{N}_])?$/u;

/** Whether a command loaded one of these skills; the name of a plugin, or of what loads skills, may stand before. */
export function isSkillCalled(command: string, skills: readonly string[]): boolean {
  return skills.includes(command) || skills.includes(command.slice(command.lastIndexOf(':') + 1));
}

/** The skill whose SKILL.md a path, a link or a command names: a skill has the name of its folder. */
export function skillOfPath(told: unknown): string | undefined {
  if (typeof told !== 'string') return undefined;
  return skillName(/([^/\\\s"'`()=]{1,128})[/\\]SKILL\.md(?![\w.])/u.exec(told.slice(0, mostOfPath))?.[1]);
}

const mostOfPath = 10_000;

/** The skill that a tool for reading loaded with these arguments. Whoever writes a SKILL.md does not use it. */
export function skillRead(tool: string, given: unknown): string | undefined {
  if (!/read|view/iu.test(tool) || typeof given !== 'object' || given === null) return undefined;
  for (const value of Object.values(given)) {
    const skill = skillOfPath(value);
    if (skill !== undefined) return skill;
  }
  return undefined;
}
