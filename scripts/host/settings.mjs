// User settings of every test window: quiet, still, and asking nothing of the network.
const quiet = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true, // it starts a process and draws a panel that no test looks at
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.enabled': false, // it starts a program for every file that is opened
  // Either goes through all processes of the machine, again and again.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  'github.gitAuthentication': false,
  'files.simpleDialog.enable': true,
  'window.confirmBeforeClose': 'never',
};

// Half-faded toasts and blinking carets make two screenshots of one state differ.
const still = {
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'window.menuBarVisibility': 'compact',
};

// off: everything is trusted, nothing asks. ask: VS Code's own question. untrusted: restricted mode without a question.
const trust = {
  off: { 'security.workspace.trust.enabled': false },
  ask: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'always' },
  untrusted: {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.emptyWindow': false,
  },
};

// What a browser would have otherwise than the desktop.
const desktop = { 'files.autoSave': 'off' };

const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high-contrast-dark': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

export function userSettings(options) {
  return {
    ...quiet,
    ...still,
    ...desktop,
    ...pick(trust, options.trust ?? 'off'),
    'workbench.colorTheme': pick(themes, options.theme ?? 'dark'),
    ...options.settings,
  };
}

function pick(table, key) {
  const value = table[key];
  if (value === undefined) throw new Error(`“${key}” is none of ${Object.keys(table).join(', ')}.`);
  return value;
}
