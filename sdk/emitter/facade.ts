import type { Described, Json } from './description.ts';
import { comment, type Naming, typeOf } from './types.ts';

const asGiven: Naming = { schema: (name) => `types.${name}`, field: (name) => name };

/** Writes the groups of methods of one audience: their types, and the operations that they call. */
export function facadeFile(name: string, about: string, operations: Described[], description: Json): string {
  const groups = groupsOf(operations);
  const types = groups.map(([group, methods]) => {
    const lines = methods.map(({ method, operation }) => methodType(method, operation, description));
    return `  readonly ${group}: {\n${lines.join('')}  };\n`;
  });
  const values = groups.map(([group, methods]) => {
    const lines = methods.map(({ method, operation }) => `    ${method}: ${methodValue(operation)},\n`);
    return `  ${group}: {\n${lines.join('')}  },\n`;
  });
  return [
    "import type { Call } from '../caller.ts';\n",
    "import type { Methods } from '../facade.ts';\n",
    "import type { CallOptions } from '../options.ts';\n",
    ...listTypes(types.join('')),
    "import * as all from './operations/index.ts';\n",
    "import type * as types from './types.ts';\n\n",
    `/** ${about} */\nexport interface ${pascal(name)} {\n${types.join('')}}\n\n`,
    `export const ${name}: Record<keyof ${pascal(name)}, Methods> = {\n${values.join('')}};\n`,
  ].join('');
}

interface Method {
  method: string;
  operation: Described;
}

/** Returns the groups of the operations, each with its methods. */
function groupsOf(operations: Described[]): [string, Method[]][] {
  const methods = operations.flatMap((operation) => (operation.sdk ? { ...operation.sdk, operation } : []));
  return [...Map.groupBy(methods, ({ group }) => group)];
}

function methodType(method: string, operation: Described, description: Json): string {
  const { params, body, query, data, isList, isPaged, isFeed, summary } = operation;
  const inputOf = (name: string, shape: Json, isOptional: boolean) =>
    `${name}${isOptional ? '?' : ''}: ${typeOf(shape, asGiven, '    ')}`;
  const parameters = [
    ...Object.keys((params?.properties ?? {}) as Json).map((name) => `${name}: string`),
    ...(body ? [inputOf('input', body, isEmptyFine(body, description))] : []),
    ...(query ? [inputOf(body ? 'query' : 'input', query, (query.required ?? []).length === 0)] : []),
    'options?: CallOptions',
  ];
  const item = typeOf(data, asGiven, '    ');
  const list = isFeed ? 'Feed' : 'Pages';
  const result = isList && isPaged ? `${list}<${item}>` : `Call<${item}${isList ? '[]' : ''}>`;
  const about = comment(`${summary}. Calls \`${operation.id}\`.`, '    ');
  return `${about}    ${method}(${parameters.join(', ')}): ${result};\n`;
}

/** Writes the value of a method: its operation, and the kinds of its inputs. */
function methodValue({ id, body, query }: Described): string {
  return `[all.${id}${body ? ", 'body'" : ''}${query ? ", 'query'" : ''}]`;
}

function isEmptyFine(body: Json, description: Json): boolean {
  const {
    required = [],
    allOf = [],
    minProperties = 0,
  } = body.$ref ? description.components.schemas[body.$ref.split('/').at(-1)] : body;
  return required.length === 0 && allOf.length === 0 && minProperties === 0;
}

const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** Writes the import of the list types that the method types refer to. */
function listTypes(text: string): string[] {
  const used = ['Feed', 'Pages'].filter((name) => text.includes(`${name}<`));
  return used.length > 0 ? [`import type { ${used.join(', ')} } from '../pages.ts';\n`] : [];
}
