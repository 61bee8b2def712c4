import type { KnownSkill } from '../../../src/editor/tree/skillNode.js';
import { skillRows } from '../../../src/editor/tree/skillRows.js';
import { EditChoices } from '../../../src/review/editChoices.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';

/** The rows beneath a skill, without anything that could tell a price. */
export function rowsBeneath(known: KnownSkill, choices = new EditChoices()): Promise<readonly TreeNode[]> {
  return Promise.resolve(skillRows(known, { choices, useCases: noUseCases }));
}

function noUseCases(): Promise<never> {
  return Promise.reject(new Error('No use case is asked here.'));
}
