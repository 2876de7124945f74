// The row types that the source declares for its queries, as the TypeScript compiler resolves them.
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { isQueryByText, pageTexts, placeOf, textOf, walk } from './sql-texts.ts';

export interface ClaimedRow {
  /** The path and line of the query. */
  at: string;
  /** The name of a declared statement, or the text of another query. */
  query: { name: string } | { text: string };
  /** The properties of the row type. */
  properties: Map<string, ClaimedProperty>;
}

interface ClaimedProperty {
  /** The types of its value without null, such as `string`, `Date` or `array`; empty if unknown. */
  kinds: Set<string>;
  isOptional: boolean;
}

/** Returns the declared row type of every query whose text is readable in the source. */
export function claimedRows(): ClaimedRow[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  );
  // Compiling only the files with queries takes half the time.
  const files = globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /\b(statement|readPage|all|first)[<(]/.test(readFileSync(file, 'utf8')));
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const claims: ClaimedRow[] = [];
  for (const path of files) {
    const file = program.getSourceFile(path) as ts.SourceFile;
    walk(file, (node) => {
      if (!ts.isCallExpression(node)) return;
      const query = queryOf(node);
      const row = query && rowOf(checker, node);
      if (row) claims.push({ at: placeOf(file, node), query, properties: propertiesOf(checker, row) });
    });
  }
  return claims;
}

function queryOf(call: ts.CallExpression): ClaimedRow['query'] | undefined {
  const called = call.expression.getText();
  if (called === 'statement') {
    const name = textOf(call.arguments[0]);
    return name === undefined ? undefined : { name };
  }
  const text = called === 'readPage' ? pageTexts(call)[0] : isQueryByText(call) && textOf(call.arguments[0]);
  return typeof text === 'string' ? { text } : undefined;
}

/**
 * Returns the row type in the return type of a call: `Statement<Row>`, or a promise of rows, one row or a page of rows.
 */
function rowOf(checker: ts.TypeChecker, call: ts.CallExpression): ts.Type | undefined {
  const returned = checker.getTypeAtLocation(call);
  const [argument] = checker.getTypeArguments(returned as ts.TypeReference);
  if (!argument) return undefined;
  const items = argument.getProperty('items');
  const rows = items ? checker.getTypeOfSymbol(items) : argument;
  const row = checker.isArrayType(rows) ? checker.getTypeArguments(rows as ts.TypeReference)[0] : rows;
  const rowType = row && checker.getNonNullableType(row);
  // Types that declare nothing: `never` for no rows, `Record<string, unknown>` for any rows, a type parameter for
  // callers.
  const isClaim =
    rowType &&
    !(rowType.flags & (ts.TypeFlags.Never | ts.TypeFlags.TypeParameter | ts.TypeFlags.NumberLike)) &&
    !rowType.getStringIndexType();
  return isClaim ? rowType : undefined;
}

function propertiesOf(checker: ts.TypeChecker, row: ts.Type): ClaimedRow['properties'] {
  const properties: ClaimedRow['properties'] = new Map();
  for (const kind of constituents(row)) {
    for (const property of kind.getProperties()) {
      const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
      const kinds = new Set(constituents(type).flatMap((one) => kindOf(checker, one)));
      properties.set(property.name, { kinds, isOptional: Boolean(property.flags & ts.SymbolFlags.Optional) });
    }
  }
  return properties;
}

const constituents = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

function kindOf(checker: ts.TypeChecker, type: ts.Type): string[] {
  if (type.flags & ts.TypeFlags.StringLike) return ['string'];
  if (type.flags & ts.TypeFlags.NumberLike) return ['number'];
  if (type.flags & ts.TypeFlags.BooleanLike) return ['boolean'];
  if (type.isIntersection()) return type.types.flatMap((one) => kindOf(checker, one)).slice(0, 1);
  if (checker.isArrayType(type) || checker.isTupleType(type)) return ['array'];
  const name = type.symbol?.name;
  if (name === 'Date' || name === 'Buffer') return [name];
  return type.flags & ts.TypeFlags.Object ? ['object'] : [];
}
