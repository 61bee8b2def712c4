/**
 * Whether Whetstone wrote this text. Every prompt of ours that carries data carries it in a fence which is named for the
 * data's hash; prompts that are answered by hand lie in a folder of ours.
 */
export function isOwnPrompt(text: string): boolean {
  return ownFence.test(text) || handedPrompts.test(text) || text.startsWith(conversation);
}

const ownFence = /^`{3,}[a-z][a-z0-9]{0,30}(?:-\d{1,6})?-[0-9a-f]{12}$/imu;
const handedPrompts = /\.whetstone[/\\]handoff\b/u;
const conversation = 'A conversation so far. Give your next answer in it, and nothing else.';

/** Whether a folder is one of those in which Whetstone starts programs: among the temporary files, and removed afterwards. */
export function isOwnFolder(folder: string): boolean {
  return ownFolder.test(folder);
}

const ownFolder = /[/\\]whetstone-(?:agent|at|doctor|place|probe|run|sandbox)-[A-Za-z0-9]{6}(?:[/\\]|$)/u;

/** The name by which OpenCode is told whose session it is, and Codex which provider it asks. */
export const ownName = 'whetstone';
