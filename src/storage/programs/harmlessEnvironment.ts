/** What programs need to run at all. Everything else stays with us: keys of models are in the environment too. */
const needed = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'PROGRAMDATA',
]);

/** The part of an environment that may be handed to a program of the workspace. */
export function harmlessEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const kept = Object.entries(environment).filter(([name]) => {
    const upper = name.toUpperCase(); // Windows spells it Path
    return needed.has(upper) || upper.startsWith('LC_');
  });
  return Object.fromEntries(kept);
}
