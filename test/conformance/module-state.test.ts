// No file of src keeps state at its top level: two platforms in one process would share it.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { parse, walk } from '../support/sql-texts.ts';

/** Variables that look like state, and why they are allowed. */
const ALLOWED: Record<string, string> = {
  'src/kernel/time/zones.ts: formats': 'formatters, which depend on nothing but their key',
};

const MUTATING = new Set([
  ...['set', 'add', 'delete', 'clear'],
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
]);
const COUNTING = new Set([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken]);

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isConst = ({ declarationList }: ts.VariableStatement): boolean =>
  (declarationList.flags & ts.NodeFlags.Const) !== 0;

/** Returns the name at the start of `name`, `name.x` or `name[x]`. */
function rootOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return rootOf(node.expression);
  return ts.isIdentifier(node) ? node.text : undefined;
}

/** Returns the name of the variable whose content an expression changes. */
function changedBy(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return MUTATING.has(node.expression.name.text) ? rootOf(node.expression.expression) : undefined;
  if (ts.isBinaryExpression(node)) return isAssignment(node) ? rootOf(node.left) : undefined;
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return COUNTING.has(node.operator) ? rootOf(node.operand) : undefined;
  return ts.isDeleteExpression(node) ? rootOf(node.expression) : undefined;
}

/** Returns the variables at the top level of a file that change: `let`, and constants whose content is changed. */
function stateOf(file: ts.SourceFile): string[] {
  const variables = file.statements.filter(ts.isVariableStatement);
  const namesOf = (some: ts.VariableStatement[]): string[] =>
    some.flatMap(({ declarationList }) => declarationList.declarations.map(({ name }) => name.getText(file)));
  const changed = new Set<string | undefined>();
  walk(file, (node) => changed.add(changedBy(node)));
  return [
    ...namesOf(variables.filter((one) => !isConst(one))),
    ...namesOf(variables.filter(isConst)).filter((name) => changed.has(name)),
  ];
}

const parsed = (text: string): ts.SourceFile =>
  ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true);

test('state at the top level of a file is found', () => {
  assert.deepEqual(stateOf(parsed('let a = 0; const b = 1;')), ['a']);
  assert.deepEqual(stateOf(parsed('const a = new Map(); const f = (k: string) => a.set(k, 1);')), ['a']);
  assert.deepEqual(stateOf(parsed('const a = { n: 0 }; export function f() { a.n++; }')), ['a']);
  assert.deepEqual(stateOf(parsed('const a = {}; const f = (k) => { a[k] = 1; };')), ['a']);
  assert.deepEqual(
    stateOf(parsed('const a = new Set([1]); const f = () => { let n = 0; n++; return a; };')),
    [],
  );
});

test('no file keeps state at its top level', () => {
  const sources = globSync('src/**/*.ts').filter((name) => !name.endsWith('.test.ts'));
  const found = sources.flatMap((name) => stateOf(parse(name)).map((variable) => `${name}: ${variable}`));
  assert.deepEqual(found.sort(), Object.keys(ALLOWED).sort());
});
