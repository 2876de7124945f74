import { camel } from '../src/renaming.ts';
import { type CodeGroup, codeType } from './codes.ts';
import { type Described, type Json, nameOf, propertiesOf, renamedFields } from './description.ts';
import { comment, type Naming, typeOf } from './types.ts';

const asWire: Naming = { schema: (name) => `wire.${name}`, field: (name) => name };
const asRenamed: Naming = { schema: (name) => `types.${name}`, field: (name) => name };

/** Writes the operations of one tag as values: method, path and parameters, and the types of requests and responses. */
export function operationsFile(operations: Described[], groups: CodeGroup[], description: Json): string {
  const body = operations.map((one) => operationValue(one, groups, description)).join('\n');
  const used = groups.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return [
    "import type { Operation } from '../../operation.ts';\n",
    ...(used.length > 0 ? [`import type { ${used.sort().join(', ')} } from '../codes.ts';\n`] : []),
    ...imported(body, 'device.ts', ['keepingTokens', 'signingIn']),
    ...imported(body, 'files.ts', ['readCsv']),
    ...imported(body, 'account-ending.ts', ['forgettingTokens']),
    ...imported(body, 'pages.ts', ['feedOf', 'pagesBothWays', 'pagesOf']),
    ...imported(body, 'paths.ts', ['filled']),
    ...imported(body, 'renaming.ts', ['renaming']),
    ...(/\btypes\./.test(body) ? ["import type * as types from '../types.ts';\n"] : []),
    ...(/\bwire\./.test(body) ? ["import type * as wire from '../wire.ts';\n"] : []),
    '\n',
    body,
  ].join('');
}

/** Writes the imports of the names that a file uses. */
function imported(text: string, file: string, names: string[]): string[] {
  const used = names.filter((name) => new RegExp(`: ${name},|\\b${name}\\(`).test(text));
  return used.length > 0 ? [`import { ${used.join(', ')} } from '../../${file}';\n`] : [];
}

function operationValue(operation: Described, groups: CodeGroup[], description: Json): string {
  const {
    id,
    method,
    path,
    params,
    summary,
    audience,
    isIdempotent,
    isRepeatable,
    takesToken,
    isDeprecated,
  } = operation;
  const rename = renamesOf(operation, description);
  const value = [
    `id: '${id}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    ...(params ? ['fill: filled'] : []),
    ...(takesToken ? [] : ['isOpen: true']),
    ...(isIdempotent ? ['isIdempotent: true'] : []),
    ...(isRepeatable ? ['isRepeatable: true'] : []),
    ...pagesOf(operation),
    ...aroundOf(operation, rename, description),
    ...(operation.isCsvToo ? ['read: readCsv'] : []),
  ];
  const about = [
    `${summary}. \`${method} ${path}\` For ${audience.join(', ')}.`,
    ...(isDeprecated ? ['@deprecated Use the operation that its description names instead.'] : []),
  ].join('\n');
  return `${comment(about, '')}export const ${id}: Operation<{
${typesOf(operation, rename, groups)}}> = {
${value.map((line) => `  ${line},\n`).join('')}};
`;
}

/** Returns how the list of an operation is continued. */
function pagesOf({ isList, isPaged, isFeed, cursor, cursorOf, query }: Described): string[] {
  if (isFeed) return ['pages: feedOf'];
  if (!isList || !isPaged) return [];
  // As the SDK calls them: items are renamed before the cursor is read.
  const fields = (cursorOf.length > 0 ? cursorOf : ['id']).map(camel);
  const pages = 'after' in (query?.properties ?? {}) ? 'pagesBothWays' : 'pagesOf';
  return [`pages: ${pages}`, ...(cursor ? [`cursor: [${quoted([cursor, ...fields])}]`] : [])];
}

/**
 * Returns what the SDK does besides sending the request: it renames fields, stores the tokens that a response
 * contains, names the device in a sign-in, and deletes the tokens when the account is deleted.
 */
function aroundOf({ id, data, body, query }: Described, rename: Renames, description: Json): string[] {
  const isRenamed = rename.body !== undefined || rename.data !== undefined;
  const names = [rename.data ?? [], ...(rename.body ? [rename.body] : [])].map((one) => `[${quoted(one)}]`);
  if (isRenamed) return [`around: (request, _session, send) => renaming(request, send, ${names.join(', ')})`];
  if (id === 'deleteOwnAccount') return ['around: forgettingTokens'];
  if (!('refreshToken' in propertiesOf(description, data))) return [];
  const namesDevice = 'device' in propertiesOf(description, body ?? query);
  return [`around: ${namesDevice ? 'signingIn' : 'keepingTokens'}`];
}

const quoted = (words: string[]): string => words.map((word) => `'${word}'`).join(', ');

function typesOf(operation: Described, rename: Renames, groups: CodeGroup[]): string {
  const { params, query, body, data, isList, isPaged, isFeed } = operation;
  const listed = (type: string) => (isList ? `${type}[]` : type);
  const lines = [
    ...(params ? [`params: ${typeOf(params, asWire, '  ')}`] : []),
    ...(query ? [`query: ${typeOf(query, asWire, '  ')}`] : []),
    ...(body ? [`body: ${typeOf(body, asWire, '  ')}`] : []),
    `data: ${listed(typeOf(data, asWire, '  '))}`,
    ...(rename.body ? [`renamedBody: types.${nameOf(body.$ref)}`] : []),
    ...(rename.data ? [`renamedData: ${listed(typeOf(data, asRenamed, '  '))}`] : []),
    ...(isPaged ? [isFeed ? 'feed: true' : 'paged: true'] : []),
    `code: ${codeType(operation, groups)}`,
  ];
  return lines.map((line) => `  ${line};\n`).join('');
}

interface Renames {
  body?: string[];
  data?: string[];
}

/** Returns the fields of an operation that have other names in the SDK than on the wire. */
function renamesOf({ body, data }: Described, description: Json): Renames {
  const inBody = body ? renamedFields(description, body) : [];
  if (inBody.some((path) => path.includes('.')))
    throw new Error('the SDK renames only the top of a body, see renaming.ts');
  const inData = renamedFields(description, data);
  return { ...(inBody.length > 0 ? { body: inBody } : {}), ...(inData.length > 0 ? { data: inData } : {}) };
}
