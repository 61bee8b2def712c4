/** What people call a skill: its folder. */
export function nameOf(skillPath: string): string {
  const parts = skillPath.split(/[\\/]/);
  return (parts.at(-1) === 'SKILL.md' ? parts.at(-2) : parts.at(-1)) ?? skillPath;
}

/** As the public format bounds them. */
export const longestName = 64;
export const longestDescription = 1024;

/** Small letters, digits and single hyphens between them. */
export function isSkillName(name: string): boolean {
  return name.length <= longestName && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}
