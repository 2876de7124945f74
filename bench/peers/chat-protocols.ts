// How a client of the part `chat` enters the room and sends a message, for each protocol. What arrives is searched for
// the mark of a message, whatever the protocol, so that receiving costs the clients the same for every server.
import { masked } from '../masked-frame.ts';

export type Kind = 'ours' | 'ejabberd' | 'nats' | 'jetstream';

/** The server to which clients connect. */
export interface Target {
  kind: Kind;
  port: number;
  /** The room of the platform, and tokens of its members. */
  room?: string;
  tokens?: string[];
}

/** Bytes to send, and the text whose arrival ends the step. */
interface Step {
  send: string | Buffer;
  until: string;
}

interface Protocol {
  /** What a connection does until it is in the room, or until it can send to it if it does not listen. */
  enter(target: Target, client: number, token: string | undefined, listens: boolean): Step[];
  /** The bytes of a message; the id is the same when it is sent again. */
  message(target: Target, client: number, id: string, text: string): string | Buffer;
  /** What a connection sends every half minute. */
  keepAlive?: string | Buffer;
  /** An acknowledgement comes beside the copy; it is the only thing with a brace in it. */
  isAcknowledged?: true;
}

/** `^`, two digits for the client and nine for the number of its message, which begins with one. */
export const markOf = (client: number, number: number): string =>
  `^${String(client).padStart(2, '0')}${String(number).padStart(9, '0')}`;

const UPGRADE =
  'GET /v1/live HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const STREAM =
  "<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>";
const FEATURES = '</stream:features>';
const XMPP_ROOM = 'bench@conference.localhost';
const SUBJECT = 'room';

export const PROTOCOLS: Record<Kind, Protocol> = {
  ours: {
    enter({ room }, _client, token, listens) {
      const auth = masked(JSON.stringify({ type: 'auth', token }));
      const subscribe = masked(JSON.stringify({ type: 'subscribe', channel: 'chatroom', chatroomId: room }));
      return [
        { send: UPGRADE, until: ' 101 ' },
        { send: auth, until: 'auth:success' },
        ...(listens ? [{ send: subscribe, until: 'subscribe:success' }] : []),
      ];
    },
    message: ({ room }, _client, id, message) =>
      masked(JSON.stringify({ type: 'chat:send', chatroomId: room, message, clientMessageId: id })),
    keepAlive: masked('{"type":"ping"}'),
  },
  ejabberd: {
    enter: (_target, client) => [
      { send: STREAM, until: FEATURES },
      { send: "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>", until: '<success' },
      { send: STREAM, until: FEATURES },
      {
        send: "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
        until: '</iq>',
      },
      {
        send: `<presence to='${XMPP_ROOM}/client${client}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`,
        until: '<subject', // follows the list of those who are in the room
      },
    ],
    message: (_target, _client, id, text) =>
      `<message type='groupchat' to='${XMPP_ROOM}' id='${id}'><body>${text}</body></message>`,
  },
  nats: {
    enter: () => [{ send: `CONNECT {"verbose":false}\r\nSUB ${SUBJECT} 1\r\nPING\r\n`, until: 'PONG' }],
    message: (_target, _client, _id, text) => `PUB ${SUBJECT} ${text.length}\r\n${text}\r\n`,
    keepAlive: 'PING\r\n',
  },
  jetstream: {
    enter: (_target, client) => [
      {
        send: `CONNECT {"verbose":false,"headers":true}\r\nSUB ${SUBJECT} 1\r\nSUB stored.${client} 2\r\nPING\r\n`,
        until: 'PONG',
      },
    ],
    message(_target, client, id, text) {
      const header = `NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`;
      const lengths = `${header.length} ${header.length + text.length}`;
      return `HPUB ${SUBJECT} stored.${client} ${lengths}\r\n${header}${text}\r\n`;
    },
    keepAlive: 'PING\r\n',
    isAcknowledged: true,
  },
};
