import path from 'node:path';
import { isMap, isScalar, parseDocument } from 'yaml';
import { resolveOptions } from '../../engine/runOptions.js';
import { messageOf } from '../../errors.js';
import { configWithBases } from '../runs/workspaceConfig.js';
import { baseKey, nested } from './configBases.js';
import { configProblems, type ConfigProblem } from './configProblems.js';

/**
 * What is wrong with the files that a config file names under `_base_`, marked at that name: one that is not there, cannot
 * be read, leads out of the workspace or back to itself, or holds an option that there is not. Nothing is said where the
 * file itself is wrong, which is marked where it stands.
 */
export async function baseProblems(file: string, text: string): Promise<readonly ConfigProblem[]> {
  if (configProblems(text, []).length > 0) return [];
  const { contents } = parseDocument(text);
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === baseKey) : undefined;
  if (pair === undefined) return [];
  const [start = 0, end = 0] = isScalar(pair.key) ? (pair.key.range ?? []) : [];
  try {
    const { skills: _ofSkills, ...everywhere } = await configWithBases(file, text, path.resolve(file, '../..'));
    resolveOptions('standard', [nested(everywhere)]);
    return [];
  } catch (error) {
    return [{ start, end, message: messageOf(error), stopsRuns: true }];
  }
}
