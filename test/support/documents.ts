import { readdirSync } from 'node:fs';
import type { Loose } from './client.ts';
import { liveDescription } from './live-contract.ts';

const MODULES = new URL('../../src/modules/', import.meta.url);

/** A kind of event, as contracts export them. */
interface EventKind {
  name: string;
  version: number;
  shape: Loose;
}

const isEventKind = (value: unknown): value is EventKind =>
  typeof value === 'object' && value !== null && 'version' in value && 'shape' in value && 'name' in value;

/** Returns every kind of event that some module's contract exports, by name. */
export async function eventKinds(): Promise<EventKind[]> {
  const folders = readdirSync(MODULES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found: EventKind[] = [];
  for (const { name } of folders) {
    const contract = await import(new URL(`${name}/contract.ts`, MODULES).href).catch(ifMissing);
    found.push(...Object.values(contract).filter(isEventKind));
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function ifMissing(error: NodeJS.ErrnoException): object {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('/contract.ts')) throw error;
  return {};
}

/** Names fields as the documents do: `chatroomId, after?`. */
function fieldsOf({ properties = {}, required = [] }: Loose): string {
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return names.join(', ');
}

const { operations, components, channels } = liveDescription();
const all = Object.values(operations) as Loose[];
const messageOf = ({ $ref }: { $ref: string }): Loose =>
  components.messages[$ref.split('/').at(-1) as string];

/** Names a message with the fields of its data; of alternatives the one for this channel. */
function answerOf(message: Loose, channel: string | undefined): string {
  const { data } = message.payload.properties;
  const { properties, required }: Loose =
    data.anyOf?.find((one: Loose) => one.properties.channel.const === channel) ?? data;
  const { channel: _channel, ...rest } = properties;
  return `\`${message.name} {${fieldsOf({ properties: rest, required })}}\``;
}

function commandRow({ messages, reply, ...operation }: Loose): string[] {
  const { payload, summary } = messageOf(messages[0]);
  const { type, channel, requestId: _requestId, ...fields } = payload.properties;
  const constants = [`type: '${type.const}'`, ...(channel ? [`channel: '${channel.const}'`] : [])];
  const own = fieldsOf({ properties: fields, required: payload.required });
  const answers = reply.messages.map(messageOf).filter(({ name }: Loose) => !name.endsWith('error'));
  const limit = operation['x-limit'] ? ` At most ${operation['x-limit']}.` : '';
  return [
    `\`{${[...constants, own].filter(Boolean).join(', ')}}\``,
    `${summary}${limit}`,
    answers.map((one: Loose) => answerOf(one, channel?.const)).join(' ') || 'nothing',
  ];
}

function messageRows(): string[][] {
  const answers = new Set(
    all.flatMap(({ reply }) => reply?.messages ?? []).map((one) => messageOf(one).name),
  );
  return all
    .filter(({ action, messages }) => action === 'send' && !answers.has(messageOf(messages[0]).name))
    .map(({ messages }) => {
      const { name, summary, payload, 'x-audience': audience } = messageOf(messages[0]);
      const { data, seq } = payload.properties;
      return [`\`${name}\``, `\`${fieldsOf(data)}\`${seq ? ' and `seq`' : ''}`, summary, audience];
    });
}

const closeRows = (): string[][] =>
  channels.live['x-close-codes'].map(({ code, reason, advice }: Loose) => [String(code), reason, advice]);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** Returns the tables of the documents that are derived from the program, by the name of their markers. */
export async function derivedTables(): Promise<Record<string, string>> {
  const events = await eventKinds();
  const commands = all.filter(({ action }) => action === 'receive');
  return {
    'live-commands': table(['You send', 'What it does', 'Answer'], commands.map(commandRow)),
    'live-messages': table(['Type', 'Data', 'When', 'Sent to'], messageRows()),
    'live-closes': table(['Code', 'Reason', 'What to do'], closeRows()),
    events: table(
      ['Event', 'Version', 'Data'],
      events.map(({ name, version, shape }) => [`\`${name}\``, String(version), `\`${fieldsOf(shape)}\``]),
    ),
  };
}
