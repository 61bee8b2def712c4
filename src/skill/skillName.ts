/** What people call a skill: its folder. */
export function nameOf(skillPath: string): string {
  const parts = skillPath.split(/[\\/]/);
  return (parts.at(-1) === 'SKILL.md' ? parts.at(-2) : parts.at(-1)) ?? skillPath;
}
