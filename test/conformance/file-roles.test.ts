// What kind of code stands in which file, and how long it may be.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { isQuery, parse, placeOf, walk } from '../support/sql-texts.ts';

const MAX_FUNCTION_LINES = 60;
/** A factory with the functions within it. */
const MAX_FACTORY_LINES = 150;
const MAX_FILE_LINES = 300;
const MAX_PARAMETERS = 4;
/** Runs for every response, and so makes no object of its parameters. */
const POSITIONAL = ['enclose'];

const sources = globSync('src/**/*.ts').filter((name) => !name.endsWith('.test.ts'));
const files = sources.map(parse);
const inModules = files.filter(({ fileName }) => fileName.startsWith('src/modules/'));

const linesOf = (file: ts.SourceFile, node: ts.Node): number =>
  file.getLineAndCharacterOfPosition(node.getEnd()).line -
  file.getLineAndCharacterOfPosition(node.getStart()).line +
  1;

/** Whether a call sends SQL that it spells itself, or declares a statement. */
function spellsSql(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  if (node.expression.getText() === 'statement') return true;
  const [query] = node.arguments;
  return (
    isQuery(node) && query !== undefined && (ts.isStringLiteralLike(query) || ts.isTemplateExpression(query))
  );
}

test('SQL of modules and of the command line stands in *.store.ts, and in *.seed.ts for rows to try', () => {
  const misplaced: string[] = [];
  const outside = files.filter(({ fileName }) => /^src\/(modules|cli)\//.test(fileName));
  for (const file of outside.filter(({ fileName }) => !/\.(store|seed)\.ts$/.test(fileName)))
    walk(file, (node) => spellsSql(node) && misplaced.push(placeOf(file, node)));
  assert.deepEqual(misplaced, []);
});

type Named = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;
const isFunction = (node: ts.Node): node is Named =>
  ts.isFunctionDeclaration(node) ||
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isMethodDeclaration(node);

/** The lines of a function without those of the functions within it: a factory is as long as what it does itself. */
function ownLines(file: ts.SourceFile, outer: Named): number {
  let nested = 0;
  const count = (node: ts.Node): void => {
    if (isFunction(node)) nested += linesOf(file, node) - 1;
    else ts.forEachChild(node, count);
  };
  ts.forEachChild(outer, count);
  return linesOf(file, outer) - nested;
}

/**
 * Tables of operations and metrics, factories that list what a module consists of, and the list of modules itself: their entries
 * are values and not steps, and are read best in one place.
 */
const isTable = ({ fileName }: ts.SourceFile): boolean =>
  /\.(operations|metrics)\.ts$|\/module\.ts$|^src\/app\/modules\.ts$/.test(fileName);

test(`no function has more than ${MAX_FUNCTION_LINES} lines of its own, tables apart`, () => {
  const long: string[] = [];
  for (const file of files.filter((one) => !isTable(one))) {
    walk(file, (node) => {
      if (!isFunction(node)) return;
      const [own, all] = [ownLines(file, node), linesOf(file, node)];
      if (own > MAX_FUNCTION_LINES || all > MAX_FACTORY_LINES)
        long.push(`${placeOf(file, node)}: ${own} lines of its own, ${all} in all`);
    });
  }
  assert.deepEqual(long, []);
});

/** A function that another one calls with parameters of its own choice. */
const isCallback = (node: ts.Node): boolean => ts.isCallExpression(node.parent);

test(`no function has more than ${MAX_PARAMETERS} parameters by position`, () => {
  const many: string[] = [];
  for (const file of files)
    walk(file, (node) => {
      if (!isFunction(node) || isCallback(node) || node.parameters.length <= MAX_PARAMETERS) return;
      if (!POSITIONAL.includes(node.name?.getText() ?? '')) many.push(placeOf(file, node));
    });
  assert.deepEqual(many, []);
});

test(`no file is longer than ${MAX_FILE_LINES} lines`, () => {
  const long = files.filter((file) => linesOf(file, file) > MAX_FILE_LINES).map(({ fileName }) => fileName);
  assert.deepEqual(long, []);
});

/** Files of shapes: of requests and responses, of live messages and commands, of jobs, of events. */
const holdsShapes = ({ fileName }: ts.SourceFile): boolean =>
  /\.(schemas|live|commands|jobs|public-events)\.ts$|\/contract\.ts$/.test(fileName);

/** The parameters of a path, or the data of a job beside its work: short, and of no use to another file. */
function isLocalShape(shape: ts.CallExpression): boolean {
  for (let outer: ts.Node = shape; outer.parent; outer = outer.parent) {
    if (ts.isCallExpression(outer) && outer.expression.getText() === 'jobKind') return true;
    if (!ts.isPropertyAssignment(outer) && !ts.isVariableDeclaration(outer)) continue;
    if (/^params|Params$/.test(outer.name.getText())) return true;
  }
  return false;
}

test('shapes of objects stand in *.schemas.ts, or with the messages that they describe', () => {
  const misplaced: string[] = [];
  for (const file of inModules.filter((one) => !holdsShapes(one)))
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'Type.Object') return;
      if (!isLocalShape(node)) misplaced.push(placeOf(file, node));
    });
  assert.deepEqual(misplaced, []);
});
