import { camelCase, kebabCase } from '../../src/gateway/openapi/sdk-methods.ts';
import { codeGroups } from './codes.ts';
import { type Described, type Json, nameOf, operationsOf, renamedFields } from './description.ts';
import { facadeFile } from './facade.ts';
import { liveFile } from './live.ts';
import { operationsFile } from './operations.ts';
import { declarationOf, type Naming } from './types.ts';

const HEAD = '// Written by `npm run sdk` from the operations of the platform: change those instead.\n';

/** Returns the generated files of the SDK by their path, from the descriptions of the platform. */
export function emit({ api: description, live }: { api: Json; live: Json }): Map<string, string> {
  const operations = operationsOf(description);
  const groups = codeGroups(operations);
  refuseDoubles(operations);
  const ofMembers = operations.filter(({ sdk }) => sdk?.entry === 'api');
  const byTag = [...Map.groupBy(operations, ({ tag }) => tag)];
  const files: [string, string][] = [
    ['wire.ts', wireFile(description, operations)],
    ['types.ts', typesFile(description, operations)],
    ['codes.ts', codesFile(description, groups)],
    ['live.ts', liveFile(live)],
    [
      'members.ts',
      facadeFile('members', 'The operations of members, educators and their apps.', ofMembers, description) +
        idsType(ofMembers),
    ],
    [
      'administrators.ts',
      facadeFile(
        'administrators',
        'The additional operations of administrators, moderators and operators.',
        operations.filter(({ sdk }) => sdk?.entry === 'admin'),
        description,
      ),
    ],
    ...byTag.map(([tag, those]): [string, string] => [
      `operations/${kebabCase(tag)}.ts`,
      operationsFile(those, groups, description),
    ]),
    [
      'operations/index.ts',
      byTag
        .map(([tag]) => `export * from './${kebabCase(tag)}.ts';\n`)
        .sort()
        .join(''),
    ],
  ];
  return new Map(files.map(([path, text]) => [path, `${HEAD}\n${text}`]));
}

/** Writes the type of the ids of members' operations. */
function idsType(operations: Described[]): string {
  const ids = operations.map(({ id }) => `\n  | '${id}'`).sort();
  return `\n/** The ids of these operations. */\nexport type MemberOperationId =${ids.join('')};\n`;
}

/** Schemas of the envelopes that the SDK shows. */
const ENVELOPE = ['Meta', 'Pagination', 'FeedPlace'];

/**
 * Returns the schemas that operations refer to, directly or through others, without the envelopes, which the SDK
 * removes.
 */
function usedSchemas(description: Json, operations: Described[]): string[] {
  const used = new Set<string>(ENVELOPE);
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value as Json)) {
      if (key !== '$ref') visit(inner);
      else if (!used.has(nameOf(inner as string))) {
        used.add(nameOf(inner as string));
        visit(description.components.schemas[nameOf(inner as string)]);
      }
    }
  };
  for (const { body, data, query } of operations) visit([body, data, query]);
  for (const name of ENVELOPE) visit(description.components.schemas[name]);
  return [...used].filter((name) => name !== 'ErrorCode').sort();
}

function wireFile(description: Json, operations: Described[]): string {
  const naming: Naming = { schema: (name) => name, field: (name) => name };
  const about = '// The requests and responses, with the field names of the wire.\n\n';
  return about + declarations(description, usedSchemas(description, operations), naming);
}

function typesFile(description: Json, operations: Described[]): string {
  const naming: Naming = { schema: (name) => name, field: camelCase };
  const renamed = usedSchemas(description, operations).filter(
    (name) => renamedFields(description, { $ref: `#/components/schemas/${name}` }).length > 0,
  );
  const about =
    '// The inputs and results of the SDK: those of the wire, except for a few schemas with renamed fields.\n';
  return `${about}export type * from './wire.ts';\nimport type * as wire from './wire.ts';\n\n${declarations(
    description,
    renamed,
    {
      ...naming,
      schema: (name) => (renamed.includes(name) ? name : `wire.${name}`),
    },
  )}`;
}

const declarations = (description: Json, names: string[], naming: Naming): string =>
  names.map((name) => declarationOf(name, description.components.schemas[name], naming)).join('\n');

function codesFile(description: Json, groups: ReturnType<typeof codeGroups>): string {
  const union = (codes: string[]) => codes.map((code) => `\n  | '${code}'`).join('');
  const all: string[] = description.components.schemas.ErrorCode.enum;
  return [
    ...groups.map(({ name, about, codes }) => `/** ${about} */\nexport type ${name} =${union(codes)};\n`),
    `/** All codes that this version of the platform responds with. */\nexport type ErrorCode =${union(all)};\n`,
  ].join('\n');
}

/** @throws when two operations would be the same method of the SDK */
function refuseDoubles(operations: Described[]): void {
  const calls = operations.flatMap(({ sdk }) => (sdk ? `${sdk.entry}.${sdk.group}.${sdk.method}` : []));
  const double = calls.find((call, place) => calls.indexOf(call) !== place);
  if (double !== undefined) throw new Error(`two operations are the method ${double} of the SDK`);
}
