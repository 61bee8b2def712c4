/** Every view of Whetstone, once. */
export const viewIds = ['whetstone.skills', 'whetstone.runs', 'whetstone.models'] as const;

/** Every setting with its default, once; `package.json` must state the same default. */
export const settingDefaults: Settings = {
  'whetstone.model.target': '',
  'whetstone.model.optimizer': '',
  'whetstone.model.judge': '',
  'whetstone.model.prices': {},
  'whetstone.preset': 'standard',
  'whetstone.preferences': '',
  'whetstone.gate.rule': 'confident',
  'whetstone.gate.noRegression': false,
  'whetstone.caps.runTokens': null,
  'whetstone.caps.runUsd': null,
  'whetstone.caps.dayUsd': null,
  'whetstone.caps.monthUsd': null,
  'whetstone.caps.monthTokens': null,
  'whetstone.caps.more': {},
  'whetstone.nightly.enabled': false,
  'whetstone.nightly.time': '03:17',
  'whetstone.nightly.catchUp': 'ask',
  'whetstone.nightly.skipOnBattery': false,
  'whetstone.nightly.exclude': [],
  'whetstone.nightly.autoAdopt': [],
  'whetstone.nightly.capTokens': null,
  'whetstone.nightly.capUsd': null,
  'whetstone.testExplorer.enabled': false,
  'whetstone.queue': {},
};

/** What a person can set. A cap that is null limits nothing. */
export interface Settings {
  readonly 'whetstone.model.target': string;
  readonly 'whetstone.model.optimizer': string;
  readonly 'whetstone.model.judge': string;
  readonly 'whetstone.model.prices': Readonly<Record<string, unknown>>;
  readonly 'whetstone.preset': string;
  readonly 'whetstone.preferences': string;
  readonly 'whetstone.gate.rule': string;
  readonly 'whetstone.gate.noRegression': boolean;
  readonly 'whetstone.caps.runTokens': number | null;
  readonly 'whetstone.caps.runUsd': number | null;
  readonly 'whetstone.caps.dayUsd': number | null;
  readonly 'whetstone.caps.monthUsd': number | null;
  readonly 'whetstone.caps.monthTokens': number | null;
  /** `run.minutes`, `day.tokens`, `day.minutes`, `month.minutes`. */
  readonly 'whetstone.caps.more': Readonly<Record<string, unknown>>;
  readonly 'whetstone.nightly.enabled': boolean;
  readonly 'whetstone.nightly.time': string;
  readonly 'whetstone.nightly.catchUp': string;
  readonly 'whetstone.nightly.skipOnBattery': boolean;
  readonly 'whetstone.nightly.exclude': readonly string[];
  readonly 'whetstone.nightly.autoAdopt': readonly string[];
  readonly 'whetstone.nightly.capTokens': number | null;
  readonly 'whetstone.nightly.capUsd': number | null;
  readonly 'whetstone.testExplorer.enabled': boolean;
  /** `address`, `secretFile`, `commandLine`. */
  readonly 'whetstone.queue': Readonly<Record<string, unknown>>;
}
