import type { TSchema } from 'typebox';
import type { LiveMessageKind } from '../../kernel/live/live.ts';
import {
  type Command,
  failuresOf,
  type LiveContributions,
  PROTOCOL_FAILURES,
} from '../../kernel/live/live-commands.ts';
import {
  AUTH_MS,
  MAX_MESSAGE_KIBIBYTES,
  MAX_REQUEST_ID_LENGTH,
  PING_MS,
} from '../../kernel/live/live-limits.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import { VERSION } from '../http/envelope.ts';
import { type Json, schemaComponents } from '../openapi/schemas.ts';
import { examplesOf } from './examples.ts';

const ADDRESS = '/v1/live';
const CHANNEL = '#/channels/live';
const REQUEST_ID = { $ref: '#/components/schemas/RequestId' };
const ERROR_CODE = { $ref: '#/components/schemas/LiveErrorCode' };

const ABOUT = `
The live channel is a WebSocket at \`${ADDRESS}\` that carries JSON text messages of at most ${MAX_MESSAGE_KIBIBYTES} KiB. It needs no API key.
Send \`auth\` first, within ${AUTH_MS / SECOND_MS} seconds of connecting, then subscribe. Send \`ping\` every ${PING_MS / SECOND_MS} seconds.

A command may include a \`requestId\` of your choice, a text or a number, which its answer repeats. Numbered messages have a
\`seq\`: remember the last one of each room and subscribe with \`after\` when you reconnect, and the messages you missed come
first. Ignore a \`seq\` that you have seen, and unknown fields and message types.

Operations whose action is \`receive\` are commands, which clients send; those whose action is \`send\` are messages, which clients
receive.
`.trim();

const AUDIENCES = {
  room: 'connections subscribed to the chatroom',
  user: 'connections of the member, subscribed to their notifications',
  everyone: 'all signed-in connections',
  connection: 'this connection only',
} satisfies Record<LiveMessageKind['audience'], string>;

const ACCESS = {
  anyone: 'anyone who is connected',
  'signed-in': 'signed-in members',
  verified: 'signed-in members',
} satisfies Record<NonNullable<Command['access']>, string>;

/** Returns the AsyncAPI 3.0 description of the live channel, generated from the shapes that check commands. */
export function describeLive({ messages, commands, closes }: LiveContributions, serverUrl: string): Json {
  const components = schemaComponents();
  const described: Record<string, Json> = {};
  const operations: Record<string, Json> = {};
  const answers = new Set(commands.flatMap(({ answer }) => answer?.type ?? []));
  const [general] = messages.filter(({ type }) => type === 'error');

  const inOrder = commands.toSorted((a, b) => Number(b.access === 'anyone') - Number(a.access === 'anyone'));
  for (const command of inOrder) {
    const id = idOfCommand(command);
    described[id] = describeCommand(command, components.schema);
    operations[`send${capital(idOf(command))}`] = commandOperation(command, general);
  }
  for (const kind of messages) {
    const id = idOf(kind);
    const mayAnswer = answers.has(kind.type) || kind.isRefusal === true;
    described[id] = describeMessage(kind, mayAnswer, components.schema);
    operations[`receive${capital(id)}`] = {
      action: 'send',
      channel: { $ref: CHANNEL },
      summary: kind.summary,
      messages: [messageRef(id)],
    };
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Platform API, the live channel',
      version: VERSION,
      description: ABOUT,
      license: { name: 'MIT' },
    },
    servers: { live: serverOf(serverUrl) },
    defaultContentType: 'application/json',
    channels: {
      live: {
        address: ADDRESS,
        title: 'The live channel',
        summary: 'Chat, presence, prices, notifications and news.',
        servers: [{ $ref: '#/servers/live' }],
        messages: Object.fromEntries(
          Object.keys(described).map((id) => [id, { $ref: `#/components/messages/${id}` }]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
        'x-close-codes': closes.map(({ code, reason, advice }) => ({ code, reason, advice })),
      },
    },
    operations,
    components: {
      messages: described,
      schemas: { ...components.all(), RequestId, LiveErrorCode: errorCodes(commands) },
    },
  };
}

const RequestId: Json = {
  type: ['string', 'number'],
  description: `An id that you choose for a command. Its answer repeats it; of a text, the first ${MAX_REQUEST_ID_LENGTH} characters`,
  examples: ['r1'],
};

function errorCodes(commands: Command[]): Json {
  const makers = [...PROTOCOL_FAILURES, ...commands.flatMap(failuresOf)];
  return {
    type: 'string',
    enum: [...new Set(makers.map((make) => make().code))].sort(),
    description: 'Stable codes for programs. New ones may be added.',
  };
}

type ToSchema = (shape: TSchema) => unknown;

function describeCommand(command: Command, schema: ToSchema): Json {
  const { type, channel, summary, fields } = command;
  const { properties, required = [] } = schema(fields) as { properties: Json; required?: string[] };
  const named = channel === undefined ? { type } : { type, channel };
  const constants = Object.fromEntries(Object.entries(named).map(([name, word]) => [name, { const: word }]));
  return {
    name: type,
    title: titleOf(command),
    summary,
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: [...Object.keys(named), ...required],
      properties: { ...constants, ...properties, requestId: REQUEST_ID },
    },
    examples: examplesOf(fields).map((example) => ({ payload: { ...named, ...(example as Json) } })),
  };
}

function commandOperation(command: Command, general: LiveMessageKind | undefined): Json {
  const { summary, access = 'verified', answer, refusal = general, limit, throttle } = command;
  const replies = [answer, refusal].filter((kind) => kind !== undefined);
  return {
    action: 'receive',
    channel: { $ref: CHANNEL },
    summary,
    messages: [messageRef(idOfCommand(command))],
    reply: {
      channel: { $ref: CHANNEL },
      messages: replies.map((kind) => messageRef(idOf(kind))),
    },
    'x-audience': ACCESS[access],
    'x-error-codes': [...new Set(failuresOf(command).map((make) => make().code))].sort(),
    ...(limit ? { 'x-limit': limit } : {}),
    ...(throttle
      ? {
          'x-limit': `once every ${throttle.everyMs / SECOND_MS} seconds per member and ${throttle.of}, and ${throttle.perSecond} times a second per member, over all connections; further messages are ignored`,
        }
      : {}),
  };
}

function describeMessage(kind: LiveMessageKind, mayAnswer: boolean, schema: ToSchema): Json {
  const { type, shape, summary, audience, numbered, isRefusal, examples } = kind;
  const data = schema(shape) as { properties?: Json };
  return {
    name: type,
    title: titleOf(kind),
    summary,
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: numbered ? ['type', 'data', 'seq'] : ['type', 'data'],
      properties: {
        type: { const: type },
        data: isRefusal ? { ...data, properties: { ...data.properties, code: ERROR_CODE } } : data,
        ...(numbered
          ? { seq: { type: 'integer', description: 'Its sequence number in the room', examples: [121] } }
          : {}),
        ...(mayAnswer ? { requestId: REQUEST_ID } : {}),
      },
    },
    examples: (examples ?? examplesOf(shape)).map((example) => ({
      payload: numbered ? { type, data: example, seq: 121 } : { type, data: example },
    })),
    'x-audience': AUDIENCES[audience],
  };
}

/** Returns the server, which AsyncAPI identifies by host; clients fill in the host when ours is unknown. */
function serverOf(serverUrl: string): Json {
  const description = 'Browsers can connect from the origins that may use the API.';
  if (!URL.canParse(serverUrl)) {
    const host = { default: 'localhost', description: 'The host of the API' };
    return { host: '{host}', protocol: 'wss', variables: { host }, description };
  }
  const { host, protocol } = new URL(serverUrl);
  return { host, protocol: protocol === 'https:' ? 'wss' : 'ws', description };
}

type Named = Pick<Command, 'type' | 'channel'> | Pick<LiveMessageKind, 'type'>;

const wordsOf = (named: Named): string[] => [
  named.type,
  ...('channel' in named && named.channel !== undefined ? [named.channel] : []),
];

const titleOf = (named: Named): string => wordsOf(named).join(' ');

/** Returns the camelCase id: `chat:send` becomes `chatSend`, `subscribe` to a chatroom `subscribeChatroom`. */
const idOf = (named: Named): string =>
  wordsOf(named)
    .flatMap((word) => word.split(/[^a-z0-9]+/i))
    .map((word, place) => (place === 0 ? word : capital(word)))
    .join('');

/** The suffix separates commands from messages of the same type, such as `chat:typing`. */
const idOfCommand = (command: Command): string => `${idOf(command)}Command`;

const messageRef = (id: string): Json => ({ $ref: `${CHANNEL}/messages/${id}` });

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
