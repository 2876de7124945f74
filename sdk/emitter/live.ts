import { type Json, nameOf } from './description.ts';
import { comment, type Naming, typeOf } from './types.ts';

const naming: Naming = {
  schema: (name) => (name === 'LiveErrorCode' ? name : 'string'),
  field: (name) => name,
};

/** Writes the messages that the server sends over the live channel, from the AsyncAPI description. */
export function liveFile(live: Json): string {
  const { messages, schemas } = live.components;
  const sent = Object.values(live.operations as Json)
    .filter(({ action }: Json) => action === 'send')
    .map((one: Json) => messages[nameOf(one.messages[0].$ref)]);
  const lines = sent.map(({ name, summary, payload }: Json) => {
    const { data, seq } = payload.properties;
    return `${comment(summary, '  ')}  '${name}': ${seq ? 'Numbered<' : ''}${typeOf(data, naming, '  ')}${seq ? '>' : ''};\n`;
  });
  const codes = schemas.LiveErrorCode.enum.map((code: string) => `\n  | '${code}'`).join('');
  return [
    '/** A message with a place in the order of its room. */\n',
    'type Numbered<Data> = Data & { seq: number };\n\n',
    '/** What the server sends, by type. */\n',
    `export interface LiveMessages {\n${lines.join('')}}\n\n`,
    `/** The codes of failures on the live channel. */\nexport type LiveErrorCode =${codes};\n`,
  ].join('');
}
