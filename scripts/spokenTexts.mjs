// The texts that a person may read in the editor, collected from the sources: what is said through `t`, `say` or
// `l10n.t`, what errors say, and the sentences of the files that are shown there. Places are written {0}, {1}.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** Rooms whose sentences are stored or thrown in English, and retold where the editor shows them. */
const retoldRooms = [
  'app',
  'checks',
  'engine',
  'environments',
  'errors.ts',
  'keyBinding.ts',
  'models',
  'queue',
  'schedule',
  'skill',
  'storage',
  'tasks',
];

/** Files of theirs that speak to a model, to the terminal, to a file or to a developer, never to a person in the editor. */
const elsewhere = [
  'app/models/previewRequests.ts',
  'app/osSchedule/doctor.ts',
  'app/runs/tidy.ts',
  'checks/askJudge.ts',
  'checks/regex/boundedTest.ts',
  'engine/consolidate/trainingTasks.ts',
  'engine/journal/report.ts',
  'engine/journal/reportTables.ts',
  'engine/journal/runLog.ts',
  'engine/stages/environmentRemarks.ts',
  'engine/stages/evidence.ts',
  'engine/stages/shortened.ts',
  'engine/stages/trajectory.ts',
  'engine/stages/aggregate.ts',
  'models/agents/agentPrompt.ts',
  'models/doctor/asking.ts',
  'models/doctor/setting.ts',
  'models/doctor/timedCall.ts',
  'schedule/windowsTask.ts',
  'storage/handoff/promptText.ts',
  'tasks/json/jsonEdit.ts',
];

/** Texts that a model reads, in files that also speak to people. */
const toModels = [
  'Notes that always apply:\n\n{0}',
  'Error: there is no tool named “{0}”. The tools are: {1}.',
  'Error: {0}',
  '{0} analyst: {1}',
];

/** The command line and the library speak English, and the other rooms to no person. */
const silentRooms = ['cli/', 'cli.ts', 'library/', 'library.ts', 'simulated/', 'prompts/', 'webview/'];

/** Of the queue a window hears these, through the command line; what workers say is said in a terminal. */
const heardOfQueue = [
  'queue/bridge/',
  'queue/blobs.ts',
  'queue/coordinator.ts',
  'queue/told/jobLoss.ts',
  'queue/jobWatch.ts',
  'queue/lookAtQueue.ts',
  'queue/queueAddress.ts',
  'queue/queueSecret.ts',
  'queue/redis.ts',
  'queue/redisPulse.ts',
  'queue/told/redisTrouble.ts',
  'queue/told/refusedCall.ts',
  'queue/workersSeen.ts',
];

function isSilentFile(file) {
  if (file.startsWith('queue/')) return !heardOfQueue.some((place) => file.startsWith(place));
  return silentRooms.some((room) => file.startsWith(room));
}

/** Every text, once, in order. */
export function spokenTexts(sources) {
  const texts = spokenFiles(sources).flatMap(({ file, source }) => textsIn(file, source));
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1));
}

/** What is said somewhere and could not be read here, as `file: argument`: its text would be in no bundle. */
export function unreadTexts(sources) {
  return spokenFiles(sources).flatMap(({ file, source }) => unreadIn(file, source).map((each) => `${file}: ${each}`));
}

function spokenFiles(sources) {
  return readdirSync(sources, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !isSilentFile(file))
    .map((file) => ({ file, source: readFileSync(path.join(sources, file), 'utf8') }));
}

/** The arguments of one source that are said and whose text cannot be read, as they are written. */
export function unreadIn(file, source) {
  if (!saying.test(source)) return [];
  const program = programOf(file, source);
  const named = namedTexts(program);
  const unread = [];
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !isTranslated(node.callee) || isRead(node.arguments[0], named)) return;
    const { start, end } = node.arguments[0] ?? node;
    unread.push(source.slice(start, end));
  });
  return unread;
}

/** The texts of one source. */
export function textsIn(file, source) {
  const texts = [];
  const isRetold = retoldRooms.includes(file.split('/')[0]) && !elsewhere.includes(file);
  if (!isRetold && !file.startsWith('wording/') && !saying.test(source)) return [];
  const program = programOf(file, source);
  const named = namedTexts(program);
  visit(program, (node) => {
    if (node.type === 'CallExpression' && isSaid(node.callee)) texts.push(...literalsOf(node.arguments[0], named));
    if (node.type === 'NewExpression' && /^(?:User|Model)Error$/.test(node.callee.name ?? ''))
      texts.push(...node.arguments.slice(1).flatMap((each) => literalsOf(each)));
    if (file.startsWith('wording/') && node.type === 'Literal') texts.push(...literal(node).filter(hasPlace));
    if (isRetold) texts.push(...literal(node).filter(isSentence));
  });
  return texts.filter((text) => /\p{L}{2}/u.test(text) && !toModels.includes(text));
}

/** Most files say nothing: they need no parser. */
const saying = /\b(?:t|say|UserError|ModelError)\s*(?:\?\.|<[^()]*>)?\s*\(/;

const programs = new Map();

function programOf(file, source) {
  const known = programs.get(file);
  if (known?.source === source) return known.program;
  const { program } = parseSync(file, source);
  programs.set(file, { source, program });
  return program;
}

function isSaid(callee) {
  const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
  return name === 't' || name === 'say';
}

/** `t(…)`, `say(…)` and `l10n.t(…)`; `draft.say(…)` writes down what somebody else said. */
function isTranslated(callee) {
  const isOfWindow = callee.type === 'MemberExpression' && callee.object.property?.name === 'l10n';
  return isSaid(callee) && (callee.type === 'Identifier' || isOfWindow);
}

/** The texts that names of one source stand for. */
function namedTexts(program) {
  const named = new Map();
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !isRead(node.init)) return;
    named.set(node.id.name, [...(named.get(node.id.name) ?? []), ...literalsOf(node.init)]);
  });
  return named;
}

function isRead(node, named = new Map()) {
  if (node?.type === 'ConditionalExpression') return isRead(node.consequent, named) && isRead(node.alternate, named);
  if (node?.type === 'Identifier') return named.has(node.name);
  return node !== undefined && node !== null && literal(node).length > 0;
}

/** What an argument may come to: both sides of a choice, what a name stands for, the cure among the options of an error. */
function literalsOf(node, named = new Map()) {
  switch (node?.type) {
    case 'ConditionalExpression':
      return [...literalsOf(node.consequent, named), ...literalsOf(node.alternate, named)];
    case 'Identifier':
      return named.get(node.name) ?? [];
    case 'ObjectExpression':
      return node.properties.flatMap((each) => (each.key?.name === 'cure' ? literalsOf(each.value, named) : []));
    default:
      return node === undefined ? [] : literal(node);
  }
}

function literal(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type !== 'TemplateLiteral') return [];
  return [
    node.quasis.map(({ value }, index) => (index === 0 ? value.cooked : `{${index - 1}}${value.cooked}`)).join(''),
  ];
}

function hasPlace(text) {
  return /\{\d\}/.test(text);
}

function isSentence(text) {
  return /^[\p{Lu}{“]/u.test(text) && /\s/.test(text) && /[.?!:]$|\}$/.test(text) && /\p{L}{3}.*\p{L}{2}/u.test(text);
}

/** What describes a schema, or a mistake of ours, is not walked into. */
function isSilent(node) {
  if (node.type === 'Property') return node.key.name === 'about';
  if (node.type === 'NewExpression') return /^(?:Type|Range)?Error$/.test(node.callee.name ?? '');
  return node.type === 'CallExpression' && node.callee.property?.name === 'describe';
}

function visit(node, each) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const part of node) visit(part, each);
    return;
  }
  if (typeof node.type === 'string') each(node);
  const silent = isSilent(node);
  for (const name of Object.keys(node)) {
    // A chain of a schema goes through `describe`: only what it is told is left out.
    if (name !== 'parent' && !(silent && (name === 'arguments' || name === 'value'))) visit(node[name], each);
  }
}
