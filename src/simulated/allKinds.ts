import type { InstructionKind } from './instruction.js';
import { closingLine } from './kinds/closingLine.js';
import { commitment } from './kinds/commitment.js';
import { forbiddenWords } from './kinds/forbiddenWords.js';
import { itemCounts } from './kinds/itemCounts.js';
import { json } from './kinds/json.js';
import { labelLines } from './kinds/labelLines.js';
import { language } from './kinds/language.js';
import { maximumLength } from './kinds/maximumLength.js';
import { minimumLength } from './kinds/minimumLength.js';
import { noRefusal } from './kinds/noRefusal.js';
import { openingLine } from './kinds/openingLine.js';
import { pleasantries } from './kinds/pleasantries.js';
import { requiredWords } from './kinds/requiredWords.js';
import { sectionContents } from './kinds/sectionContents.js';
import { sectionOrder } from './kinds/sectionOrder.js';
import { sections } from './kinds/sections.js';
import { tags } from './kinds/tags.js';
import { toolUse } from './kinds/toolUse.js';

/** Everything the simulated model understands. Anything else has no effect on it. */
export const allKinds: readonly InstructionKind[] = [
  maximumLength,
  minimumLength,
  sections,
  sectionOrder,
  sectionContents,
  labelLines,
  openingLine,
  closingLine,
  pleasantries,
  json,
  tags,
  requiredWords,
  forbiddenWords,
  toolUse,
  commitment,
  language,
  itemCounts,
  noRefusal,
];
