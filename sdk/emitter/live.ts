import { type Json, nameOf } from './description.ts';
import { comment, type Naming, typeOf } from './types.ts';

/**
 * The AsyncAPI description has the objects of HTTP, with the names of the wire; all other schemas except the codes
 * are texts.
 */
const namingOf = (schemas: Json): Naming => ({
  schema: (name) => {
    if (name === 'LiveErrorCode') return name;
    return schemas[name].type === 'object' ? `wire.${name}` : 'string';
  },
  field: (name) => name,
});

/** Writes the messages that the server sends over the live channel, from the AsyncAPI description. */
export function liveFile(live: Json): string {
  const { messages, schemas } = live.components;
  const naming = namingOf(schemas);
  const sent = Object.values(live.operations as Json)
    .filter(({ action }: Json) => action === 'send')
    .map((one: Json) => messages[nameOf(one.messages[0].$ref)]);
  const lines = sent.map(({ name, summary, payload }: Json) => {
    const { data, seq } = payload.properties;
    return `${comment(summary, '  ')}  '${name}': ${seq ? 'Numbered<' : ''}${typeOf(data, naming, '  ')}${seq ? '>' : ''};\n`;
  });
  const codes = schemas.LiveErrorCode.enum.map((code: string) => `\n  | '${code}'`).join('');
  return [
    "import type * as wire from './wire.ts';\n\n",
    '/** A message with its number in the order of its room. */\n',
    'type Numbered<Data> = Data & { seq: number };\n\n',
    '/** The messages that the server sends, by type. */\n',
    `export interface LiveMessages {\n${lines.join('')}}\n\n`,
    `/** The codes of failures on the live channel. */\nexport type LiveErrorCode =${codes};\n`,
  ].join('');
}
