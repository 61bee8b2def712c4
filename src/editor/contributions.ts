/** Every command of Whetstone, once. A test compares the list with `package.json`, both ways. */
export const commandIds = ['whetstone.refresh'] as const;
export type CommandId = (typeof commandIds)[number];

/** Every view of Whetstone, once. */
export const viewIds = ['whetstone.skills'] as const;
export type ViewId = (typeof viewIds)[number];

/** Every setting with its default, once; `package.json` must state the same default. */
export const settingDefaults = {} as const;
export type Settings = typeof settingDefaults;
