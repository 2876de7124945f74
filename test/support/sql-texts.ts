// The SQL texts of queries that are not declared statements, as far as they are readable in the source.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { insertText, updateText } from '../../src/kernel/database/writes.ts';

interface SqlText {
  /** The path and line of the query. */
  at: string;
  text: string;
}

/** Whether a call is one of these methods of a database or transaction. */
const isSentBy = (node: ts.Node, methods: Set<string>): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  methods.has(node.expression.name.text) &&
  /(^|\.)(database|tx|queries)$/.test(node.expression.expression.getText());

const BY_TEXT = new Set(['all', 'first', 'count', 'execute']);
const BY_COLUMNS = new Set(['insert', 'update']);

/** Whether a call reads or writes the database by text: `tx.all('...')`, ``database.count(`...`)``. */
export const isQueryByText = (node: ts.Node): node is ts.CallExpression => isSentBy(node, BY_TEXT);

/** Whether a call writes to the database by the names of columns: `tx.insert('table', row, ['id', 'name'])`. */
const isWriteByColumns = (node: ts.Node): node is ts.CallExpression => isSentBy(node, BY_COLUMNS);

export const isQuery = (node: ts.Node): node is ts.CallExpression =>
  isQueryByText(node) || isWriteByColumns(node);

export const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export const placeOf = (file: ts.SourceFile, node: ts.Node): string =>
  `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

/** Returns the initializer of the nearest `const` with this name. */
function constant(name: string, from: ts.Node): ts.Expression | undefined {
  for (let scope = from.parent; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find((one) => one.name.getText() === name);
      if (found) return found.initializer;
    }
  }
  return undefined;
}

/** Returns the initializer of an imported constant. */
function imported(name: string, from: ts.Node): ts.Expression | undefined {
  const file = from.getSourceFile();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const names = statement.importClause?.namedBindings;
    if (!names || !ts.isNamedImports(names) || !statement.moduleSpecifier.text.startsWith('.')) continue;
    if (!names.elements.some((one) => one.name.text === name && !one.propertyName)) continue;
    const target = parse(join(dirname(file.fileName), statement.moduleSpecifier.text));
    return target.statements[0] && constant(name, target.statements[0]);
  }
  return undefined;
}

/** Returns the text of an expression that consists of literals and constants; undefined for anything else. */
export function textOf(node: ts.Expression | undefined): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return node.text.replaceAll('_', '');
  if (ts.isIdentifier(node)) return textOf(constant(node.text, node) ?? imported(node.text, node));
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const value = textOf(expression);
    if (value === undefined) return undefined;
    text += value + literal.text;
  }
  return text;
}

/** Returns the texts of a list that consists of literals and constant lists; undefined for anything else. */
function listOf(node: ts.Expression | undefined): string[] | undefined {
  if (!node) return undefined;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return listOf(node.expression);
  if (ts.isIdentifier(node)) return listOf(constant(node.text, node) ?? imported(node.text, node));
  if (!ts.isArrayLiteralExpression(node)) return undefined;
  const parts = node.elements.map((one) =>
    ts.isSpreadElement(one) ? listOf(one.expression) : [textOf(one)].filter((text) => text !== undefined),
  );
  return parts.some((part) => !part?.length) ? undefined : parts.flatMap((part) => part ?? []);
}

/** Returns the names of an object literal's properties; undefined if it spreads another one or is no literal. */
function propertiesOf(node: ts.Expression | undefined): string[] | undefined {
  if (!node || !ts.isObjectLiteralExpression(node)) return undefined;
  const names = node.properties.map((one) => one.name?.getText());
  return names.some((name) => name === undefined) ? undefined : (names as string[]);
}

/** Returns the SQL text that a write by columns generates. */
function writtenText(call: ts.CallExpression): string | undefined {
  const [table, row, columns, conflict] = call.arguments;
  const name = textOf(table);
  const properties = columns ? listOf(columns) : propertiesOf(row);
  const ending = conflict ? textOf(conflict) : '';
  if (name === undefined || !properties || ending === undefined) return undefined;
  const isInsert = ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'insert';
  return isInsert ? insertText(name, properties, ending) : updateText(name, properties);
}

/** Returns the two queries by which a page is read. */
export function pageTexts(call: ts.CallExpression): (string | undefined)[] {
  const argument = call.arguments[1];
  const paged = argument && ts.isIdentifier(argument) ? constant(argument.text, argument) : argument;
  if (!paged || !ts.isObjectLiteralExpression(paged)) return [undefined];
  const part = (name: string): string | undefined => {
    const property = paged.properties.find((one) => one.name?.getText() === name);
    if (!property) return undefined;
    return textOf(ts.isPropertyAssignment(property) ? property.initializer : constant(name, property));
  };
  const [columns, from, orderBy] = [part('columns'), part('from'), part('orderBy')];
  if (columns === undefined || from === undefined || orderBy === undefined) return [undefined];
  return [
    `select ${columns} from ${from} order by ${orderBy}`,
    part('count') ?? `select count(*) from ${from}`,
  ];
}

interface SqlTexts {
  texts: SqlText[];
  /** The positions of texts that are assembled at run time. */
  unread: string[];
  /** The positions of writes whose columns are not listed in the source. */
  unreadWrites: string[];
}

/** Returns every SQL text of the source. */
export function sqlTexts(): SqlTexts {
  const texts: SqlText[] = [];
  const unread: string[] = [];
  const unreadWrites: string[] = [];
  for (const name of globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))) {
    const file = parse(name);
    const keep = (node: ts.Node, text: string | undefined, elsewhere = unread) =>
      text === undefined
        ? elsewhere.push(placeOf(file, node))
        : texts.push({ at: placeOf(file, node), text });
    walk(file, (node) => {
      if (isWriteByColumns(node)) {
        keep(node, writtenText(node), unreadWrites);
      } else if (isQueryByText(node)) {
        const [query] = node.arguments;
        if (query && (ts.isStringLiteralLike(query) || ts.isTemplateExpression(query)))
          keep(node, textOf(query));
      } else if (ts.isCallExpression(node) && node.expression.getText() === 'readPage') {
        for (const text of pageTexts(node)) keep(node, text);
      }
    });
  }
  return { texts, unread, unreadWrites };
}
