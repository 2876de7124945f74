import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { operationsOf } from '../../sdk/emitter/description.ts';
import { platformAccess } from '../../src/modules/identity/platforms/sku-access.ts';
import {
  descriptions,
  type JsonSchema,
  type LiveOperationObject,
  type MessageObject,
} from './descriptions.ts';
import { liveDescription } from './live-contract.ts';

const MODULES = new URL('../../src/modules/', import.meta.url);

/** A kind of event that a contract exports. */
interface EventKind {
  name: string;
  version: number;
  shape: JsonSchema;
}

const isEventKind = (value: unknown): value is EventKind =>
  typeof value === 'object' && value !== null && 'version' in value && 'shape' in value && 'name' in value;

/** Returns all kinds of events that modules' contracts export, by name. */
export async function eventKinds(): Promise<EventKind[]> {
  const folders = readdirSync(MODULES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found: EventKind[] = [];
  for (const { name } of folders) {
    for (const file of ['contract.ts', 'requested-mails.schemas.ts']) {
      const exported = await import(new URL(`${name}/${file}`, MODULES).href).catch(ifMissing);
      found.push(...Object.values(exported).filter(isEventKind));
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function ifMissing(error: NodeJS.ErrnoException): object {
  if (
    error.code !== 'ERR_MODULE_NOT_FOUND' ||
    !/\/(contract|requested-mails\.schemas)\.ts/.test(error.message)
  )
    throw error;
  return {};
}

/** Lists the fields of a shape in the documents' notation: `chatroomId, after?`. */
function fieldsOf(shape: JsonSchema): string {
  const { properties = {}, required = [] } = shape.$ref ? namedSchema(shape.$ref) : shape;
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return names.join(', ');
}

const { operations, components, channels } = liveDescription();
const all = Object.values(operations);
const messageOf = ({ $ref }: { $ref: string }) =>
  components.messages[$ref.split('/').at(-1) as string] as MessageObject;

const namedSchema = ($ref: string): JsonSchema => components.schemas[$ref.split('/').at(-1) as string] ?? {};
const firstOf = <One>([first]: One[]): One => first as One;

/** Formats a message as its type and the fields of its data. Of alternatives it takes the one for this channel. */
function answerOf(message: MessageObject, channel: unknown): string {
  const { data } = message.payload.properties;
  const { properties = {}, required }: JsonSchema =
    data?.anyOf?.find((one) => one.properties?.channel?.const === channel) ?? data ?? {};
  const { channel: _channel, ...rest } = properties;
  return `\`${message.name} {${fieldsOf({ properties: rest, ...(required && { required }) })}}\``;
}

function commandRow({ messages, reply, ...operation }: LiveOperationObject): string[] {
  const { payload, summary } = messageOf(firstOf(messages));
  const { type, channel, requestId: _requestId, ...fields } = payload.properties;
  const constants = [`type: '${type?.const}'`, ...(channel ? [`channel: '${channel.const}'`] : [])];
  const own = fieldsOf({ properties: fields, required: payload.required });
  const answers = (reply?.messages ?? []).map(messageOf).filter(({ name }) => !name.endsWith('error'));
  const limit = operation['x-limit'] ? ` At most ${operation['x-limit']}.` : '';
  return [
    `\`{${[...constants, own].filter(Boolean).join(', ')}}\``,
    `${summary}${limit}`,
    answers.map((one) => answerOf(one, channel?.const)).join(' ') || 'nothing',
  ];
}

function messageRows(): string[][] {
  const answers = new Set(
    all.flatMap(({ reply }) => reply?.messages ?? []).map((one) => messageOf(one).name),
  );
  return all
    .filter(({ action, messages }) => action === 'send' && !answers.has(messageOf(firstOf(messages)).name))
    .map(({ messages }) => {
      const { name, summary, payload, 'x-audience': audience } = messageOf(firstOf(messages));
      const { data = {}, seq } = payload.properties;
      return [`\`${name}\``, `\`${fieldsOf(data)}\`${seq ? ' and `seq`' : ''}`, summary, audience ?? ''];
    });
}

const closeRows = (): string[][] =>
  channels.live['x-close-codes'].map(({ code, reason, advice }) => [String(code), reason, advice]);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** The types of notifications and the actions that they link to, from the description of their metadata. */
function noticeRows(): string[][] {
  const { metadata } = descriptions().api.components.schemas.Notification?.properties ?? {};
  return (metadata?.['x-actions'] ?? []).map(({ type, action, opens, path, ids, optionalIds }) => [
    `\`${type}\``,
    `\`${action}\``,
    opens,
    `\`GET ${path}\``,
    [...ids, ...optionalIds.map((id) => `${id}?`)].map((id) => `\`${id}\``).join(', '),
  ]);
}

/** Which purchase opens which platform. */
function skuRows(): string[][] {
  const access = platformAccess();
  const skus = new Map(access.flatMap(({ skus }) => skus.map(({ sku, days }) => [sku, days] as const)));
  const opened = (sku: string) =>
    access
      .filter((one) => one.skus.some((other) => other.sku === sku))
      .map(({ platform }) => `\`${platform}\``);
  return [...skus].sort().map(([sku, days]) => [`\`${sku}\``, opened(sku).join(', '), String(days)]);
}

/** Codes of at most this many operations list them by name. */
const MAX_NAMED = 3;

/** Describes where a code is used. Without numbers of operations, which would change with every new operation. */
function placesOf(ids: string[], count: number, isLive: boolean): string {
  const many = ids.length > count / 3 ? 'most operations' : 'several operations';
  const named = ids.length <= MAX_NAMED ? ids.map((id) => `\`${id}\``).join(', ') : many;
  return [named, isLive && 'live channel'].filter(Boolean).join(', ') || 'no operation';
}

/**
 * Returns the table of all codes. Statuses and operations are derived from the program; the advice what to do is
 * written by hand and kept. A code without advice fails the test.
 */
function codeTable(text: string): string {
  const { api, live } = descriptions();
  const operations = operationsOf(api);
  const codesOf = (schema: JsonSchema | undefined) => (schema?.enum ?? []) as string[];
  const ofLive = codesOf(live.components.schemas.LiveErrorCode);
  const codes = [...new Set([...codesOf(api.components.schemas.ErrorCode), ...ofLive])].sort();
  const written = new Map(
    [...text.matchAll(/^\| `([A-Z0-9_]+)` \|.*\| (.*) \|$/gm)].map(([, code, advice]) => [code, advice]),
  );
  const rows = codes.map((code) => {
    const ids = operations.filter((one) => one.codes.includes(code)).map(({ id }) => id);
    const advice = written.get(code) ?? '';
    assert.match(advice, /^[A-Z`].*\.$/, `docs/api.md does not say what to do about ${code}`);
    return [`\`${code}\``, placesOf(ids, operations.length, ofLive.includes(code)), advice];
  });
  return table(['Code', 'Where', 'Meaning, and what to do'], rows);
}

/**
 * Returns the tables of a document that are derived from the program, by the names of their markers. Columns that are
 * not derived keep the texts of the document.
 */
export async function derivedTables(text: string): Promise<Record<string, string>> {
  const events = await eventKinds();
  const commands = all.filter(({ action }) => action === 'receive');
  return {
    skus: table(['SKU', 'Opens', 'Days after the last purchase'], skuRows()),
    'live-commands': table(['You send', 'What it does', 'Answer'], commands.map(commandRow)),
    'live-messages': table(['Type', 'Data', 'When', 'Sent to'], messageRows()),
    'live-closes': table(['Code', 'Reason', 'What to do'], closeRows()),
    'notification-actions': table(
      ['Type', '`metadata.action`', 'Opens', 'Read by', 'Ids in `metadata`'],
      noticeRows(),
    ),
    codes: codeTable(text),
    events: table(
      ['Event', 'Version', 'Data'],
      events.map(({ name, version, shape }) => [`\`${name}\``, String(version), `\`${fieldsOf(shape)}\``]),
    ),
  };
}

/** A type of webhook in the description. */
interface DescribedWebhook {
  post: { summary: string; requestBody: { content: Record<string, { schema: JsonSchema }> } };
}

/** Returns the tables of `docs/webhooks.md`. */
export function webhookTables(): Record<string, string> {
  const { webhooks, components } = descriptions().api as unknown as {
    webhooks: Record<string, DescribedWebhook>;
    components: { schemas: Record<string, JsonSchema> };
  };
  const rows = Object.entries(webhooks).map(([type, { post }]) => {
    const [own] = post.requestBody.content['application/json']?.schema.allOf ?? [];
    const event = components.schemas[own?.$ref?.split('/').at(-1) as string];
    const fields = fieldsOf(event?.properties?.data ?? {});
    return [`\`${type}\``, post.summary, fields === '' ? 'nothing' : `\`${fields}\``];
  });
  return { 'webhook-types': table(['Type', 'When', '`data`'], rows) };
}
