// The small changes that are made to a source file, from its syntax tree.
import { parseSync } from 'oxc-parser';

const binary = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
const logical = { '&&': '||', '||': '&&', '??': '&&' };
const assigned = { '+=': '-=', '-=': '+=', '*=': '/=' };
const methods = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  floor: 'ceil',
  ceil: 'floor',
  slice: 'toString',
  filter: 'map',
  find: 'findLast',
  indexOf: 'lastIndexOf',
};

/** Each as what stands there, what is put in its place, and where. */
export function mutantsOf(file, text) {
  const { program } = parseSync(file, text);
  const found = [];
  visit(program, [], (node, parents) => {
    for (const [start, end, to] of changesOf(node, parents, text)) found.push(mutantAt(text, start, end, to));
  });
  return found.filter(({ from, to }) => from !== to);
}

function mutantAt(text, start, end, to) {
  const line = text.slice(0, start).split('\n').length;
  return {
    start,
    end,
    to,
    from: text.slice(start, end),
    line,
    lineText: text.split('\n')[line - 1] ?? '',
    text: `${text.slice(0, start)}${to}${text.slice(end)}`,
  };
}

function changesOf(node, parents, text) {
  const kinds = {
    BinaryExpression: () => operatorsOf(node, text, binary[node.operator] ?? []),
    LogicalExpression: () => operatorsOf(node, text, [logical[node.operator]]),
    AssignmentExpression: () =>
      assigned[node.operator] === undefined ? [] : operatorsOf(node, text, [assigned[node.operator]]),
    UnaryExpression: () => (node.operator === '!' ? [[node.start, node.argument.start, '']] : []),
    UpdateExpression: () => [updated(node, text)],
    IfStatement: () => tests(node.test),
    ConditionalExpression: () => tests(node.test),
    WhileStatement: () => [[node.test.start, node.test.end, 'false']],
    ReturnStatement: () => (node.argument === null ? [] : [[node.argument.start, node.argument.end, 'undefined']]),
    BlockStatement: () => (node.body.length === 0 ? [] : [[node.start, node.end, '{}']]),
    ArrayExpression: () => (node.elements.length === 0 ? [] : [[node.start, node.end, '[]']]),
    TemplateLiteral: () => [[node.start, node.end, '``']],
    MemberExpression: () => methodOf(node, parents),
    Literal: () => literal(node, parents),
  };
  return kinds[node.type]?.() ?? [];
}

function operatorsOf({ left, right, operator }, text, others) {
  const at = text.indexOf(operator, left.end);
  if (at < 0 || at >= right.start) return [];
  return others.map((other) => [at, at + operator.length, other]);
}

function updated(node, text) {
  const other = node.operator === '++' ? '--' : '++';
  const at = node.prefix ? node.start : node.end - 2;
  return [at, at + 2, text.slice(at, at + 2) === node.operator ? other : node.operator];
}

function tests({ start, end, type }) {
  return type === 'Literal'
    ? []
    : [
        [start, end, 'true'],
        [start, end, 'false'],
      ];
}

function methodOf({ property, computed }, parents) {
  const called = parents.at(-1)?.type === 'CallExpression';
  const other = computed || !called || !Object.hasOwn(methods, property.name) ? undefined : methods[property.name];
  return other === undefined ? [] : [[property.start, property.end, other]];
}

/** Names of modules and of properties are no texts. */
function literal(node, parents) {
  const parent = parents.at(-1);
  if (/^(?:Import|Export)/.test(parent?.type ?? '')) return [];
  if (parent?.type === 'Property' && parent.key === node) return [];
  if (typeof node.value === 'boolean') return [[node.start, node.end, String(!node.value)]];
  if (typeof node.value === 'number') return [[node.start, node.end, String(node.value + 1)]];
  if (typeof node.value === 'string' && node.value !== '') return [[node.start, node.end, "''"]];
  return [];
}

/** Types are not visited: nothing of them runs. */
function visit(node, parents, see) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, parents, see);
    return;
  }
  if (typeof node.type !== 'string') return;
  if (node.type.startsWith('TS') && node.expression === undefined) return;
  if (node.type !== 'Program' && node.type.endsWith('TypeAnnotation')) return;
  see(node, parents);
  for (const [key, child] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments' || key === 'typeParameters')
      continue;
    visit(child, [...parents, node], see);
  }
}
