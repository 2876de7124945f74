import ts from 'typescript';
import type { Mutation } from './mutant.ts';
import { isSql, sqlMutations } from './sql-mutations.ts';

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '&&': '||',
  '||': '&&',
  '&&=': '||=',
  '||=': '&&=',
};

const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  min: 'max',
  max: 'min',
};
const ROUNDED = /^(floor|ceil|round)$/;
/** Calls that a mutant removes, so that a list keeps its elements and their order. */
const REMOVABLE_CALLS = ['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed'];

/** Names of tuning constants, such as pauses and sizes of queues, which are not rules and therefore not mutated. */
const TUNING =
  /MS$|^pauseMs$|MINUTES$|BATCH|QUEUE|PAUSE|PORTION|CHUNK|PER_JOB|REMEMBERED|AT_ONCE|isGrowing|concurrency|maxQueued|maxSize/;
/** Names of times. Whether a boundary includes its exact instant cannot be tested, since the clocks of tests run. */
const INSTANT = /(At|Ms|[Uu]ntil|[Nn]ow|Time|Since)\b|\bat\b/;
/** Calls that log or measure, which are not rules either. */
const LOGGING = /\b(log|logger|metrics?)\b|logWarning/;

/** Returns the mutations of a source file in the order of their positions. */
export function mutationsOf(fileName: string, text: string): Mutation[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (isNoRule(node, source)) return;
    for (const one of ofNode(node, source)) if (one.start < one.end) found.push(one);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.sort((one, other) => one.start - other.start);
}

function isNoRule(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isExpressionStatement(node)) return isTelling(node.expression, source);
  if (ts.isCallExpression(node)) return isTelling(node, source);
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node))
    return TUNING.test(node.name.getText(source)) && !node.getText(source).includes('=>');
  return false;
}

const isTelling = (node: ts.Node, source: ts.SourceFile): boolean =>
  ts.isCallExpression(node) && LOGGING.test(node.expression.getText(source));

function ofNode(node: ts.Node, source: ts.SourceFile): Mutation[] {
  const by = (place: ts.Node, ...replacements: string[]): Mutation[] =>
    replacements.map((replacement) => ({ start: place.getStart(source), end: place.end, replacement }));

  if (ts.isBinaryExpression(node)) return ofBinary(node, source);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return by(node, node.operand.getText(source));
  if (ts.isIfStatement(node)) return by(node.expression, 'true', 'false');
  if (ts.isConditionalExpression(node)) return by(node.condition, 'true', 'false');
  if (node.kind === ts.SyntaxKind.TrueKeyword) return by(node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) return by(node, 'true');
  if (ts.isNumericLiteral(node)) return by(node, String(Number(node.text) + 1));
  if (ts.isThrowStatement(node)) return by(node, ';');
  if (ts.isExpressionStatement(node)) return by(node, ';');
  if (ts.isReturnStatement(node) && !node.expression) return by(node, ';');
  if (ts.isCallExpression(node)) return ofCall(node, source);
  if (isText(node) && isSql(textOf(node), fileNameOf(source))) {
    const start = node.getStart(source);
    return sqlMutations(node.getText(source)).map((one) => ({
      ...one,
      start: start + one.start,
      end: start + one.end,
    }));
  }
  return [];
}

function ofBinary(node: ts.BinaryExpression, source: ts.SourceFile): Mutation[] {
  const { left, operatorToken, right } = node;
  const operator = operatorToken.getText(source);
  if (operator === '??') {
    const onlyRight = { start: node.getStart(source), end: right.getStart(source), replacement: '' };
    // To the database, an undefined value and null are the same.
    if (right.kind === ts.SyntaxKind.NullKeyword && fileNameOf(source).endsWith('.store.ts'))
      return [onlyRight];
    return [{ start: left.end, end: right.end, replacement: '' }, onlyRight];
  }
  // Concatenation of texts is not mutated into subtraction.
  if (operator === '+' && [left, right].some((side) => isText(side) || ts.isTemplateExpression(side)))
    return [];
  const replacement = OPERATORS[operator];
  if (!replacement) return [];
  if (/^[<>]/.test(operator) && INSTANT.test(node.getText(source))) return [];
  return [{ start: operatorToken.getStart(source), end: operatorToken.end, replacement }];
}

function ofCall({ expression, end, arguments: args }: ts.CallExpression, source: ts.SourceFile): Mutation[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { name } = expression;
  const other = METHODS[name.text];
  if (ROUNDED.test(name.text) && INSTANT.test(args.map((one) => one.getText(source)).join())) return [];
  if (other) return [{ start: name.getStart(source), end: name.end, replacement: other }];
  if (REMOVABLE_CALLS.includes(name.text))
    return [{ start: expression.expression.end, end, replacement: '' }];
  return [];
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || isPartOfTemplate(node);
const isPartOfTemplate = (node: ts.Node): boolean =>
  ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
/** Returns the text of a literal, or of the whole template that a node is part of. */
function textOf(node: ts.Node): string {
  if (!isPartOfTemplate(node)) return node.getText();
  const template = ts.findAncestor(node, ts.isTemplateExpression);
  return (template ?? node).getText();
}
const fileNameOf = (source: ts.SourceFile): string => source.fileName;
