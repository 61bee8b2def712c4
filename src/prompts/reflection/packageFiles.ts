import * as z from 'zod';
import { isScript, type PackageFiles } from '../../skill/package/packageFile.js';
import { listSchema, objectSchema, textSchema } from './analysts.js';
import packageFilesText from './packageFiles.md';
import packageScriptsText from './packageScripts.md';
import scriptEditsText from './scriptEdits.md';
import { fence, renderPrompt, type PromptOverrides, type PromptTemplate, type PromptValue } from '../renderPrompt.js';

/** Added where edits may change more than SKILL.md: what there is, and that an edit names its file. */
export const packageFilesPrompt: PromptTemplate<'files'> = {
  name: 'packageFiles',
  text: packageFilesText,
  placeholders: ['files'],
};

/** Added where edits may change scripts among those files: what code asks for. */
export const scriptEditsPrompt: PromptTemplate<'scripts'> = {
  name: 'scriptEdits',
  text: scriptEditsText,
  placeholders: ['scripts'],
};

/** Added where whoever attempts tasks has the scripts of the package: what they are. */
export const packageScriptsPrompt: PromptTemplate<'scripts'> = {
  name: 'packageScripts',
  text: packageScriptsText,
  placeholders: ['scripts'],
};

/** What is said of the scripts, by their names; nothing where there are none. */
export function packageScriptsWords(scripts: PackageFiles | undefined, overrides: PromptOverrides): string {
  if (scripts === undefined) return '';
  const shown = Object.entries(scripts).map(([name, text]) => `${name}:\n${fence('script', text)}`);
  return renderPrompt(packageScriptsPrompt, { scripts: { words: shown.join('\n\n') } }, overrides);
}

/** The documents that an optimizer is shown and may edit. */
export interface ShownPackage {
  readonly skill: string;
  /** Those beside SKILL.md, by their names; missing where there are none. */
  readonly files?: PackageFiles | undefined;
}

/** The skill for a prompt: SKILL.md, and each file beside it in a fence of its own beneath its name. */
export function skillValue({ skill, files }: ShownPackage): PromptValue {
  if (files === undefined) return skill;
  const beside = Object.entries(files).map(
    ([name, text]) => `${name}:\n${fence(isScript(name) ? 'script' : 'reference', text)}`,
  );
  return { words: [fence('skill', skill), ...beside].join('\n\n') };
}

/** What is said of the files; nothing where there are none. */
export function packageFilesWords({ files }: ShownPackage, overrides: PromptOverrides): string {
  if (files === undefined) return '';
  const names = Object.keys(files);
  const scripts = names.filter(isScript);
  return [
    renderPrompt(packageFilesPrompt, { files: names.join('\n') }, overrides),
    ...(scripts.length === 0 ? [] : [renderPrompt(scriptEditsPrompt, { scripts: scripts.join('\n') }, overrides)]),
  ].join('\n\n');
}

type ReplySchema = { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };

const properties = z.record(z.string(), z.unknown());
const withEdits = z.object({ properties: z.looseObject({ edits: z.object({ items: z.object({ properties }) }) }) });

/** The schema of a reply whose edits name their files; the same one where there are no files, or no edits in it. */
export function namingFile(reply: ReplySchema, { files }: ShownPackage): ReplySchema {
  const read = withEdits.safeParse(reply.schema);
  if (files === undefined || !read.success) return reply;
  const { edits, ...rest } = read.data.properties;
  const named = objectSchema({ ...edits.items.properties, file: textSchema });
  return { ...reply, schema: objectSchema({ ...rest, edits: listSchema(named) }) };
}
