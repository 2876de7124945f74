import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveMessages } from '../../sdk/src/generated/live.ts';
import { checkLiveMessage } from './live-contract.ts';

type LiveData = LiveMessages[keyof LiveMessages];
type FieldOf<Data, Name> = Data extends { [N in Name & string]?: infer Value } ? Value : never;

/** A message of any type. It has the fields of all types; a test reads those of the message that it expects. */
export interface LiveMessage {
  type: keyof LiveMessages;
  /** A number is accepted and returned too. */
  requestId?: string | number;
  /** The position of a message in the order of its room. */
  seq: number;
  data: {
    [Name in LiveData extends infer Data ? (Data extends unknown ? keyof Data : never) : never]: FieldOf<
      LiveData,
      Name
    >;
  };
}

/** A message of one type. */
export interface LiveMessageOf<Type extends keyof LiveMessages> {
  type: Type;
  /** A number is accepted and returned too. */
  requestId?: string | number;
  seq: number;
  data: LiveMessages[Type];
}

/**
 * A client of the live channel on Node's own WebSocket, whose implementation shares nothing with the server's. A
 * message that violates the AsyncAPI description fails the test.
 */
export class LiveClient {
  readonly socket: WebSocket;
  readonly received: LiveMessage[] = [];
  closed: { code: number; reason: string } | undefined;
  #requests = 0;

  private constructor(url: string) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`);
    this.socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      this.received.push(message);
      // An error thrown here is uncaught, which fails the test.
      checkLiveMessage(message);
    });
    this.socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
    });
  }

  /** Connects, and signs in if a token is given. */
  static async open(url: string, token?: string): Promise<LiveClient> {
    const client = new LiveClient(url);
    await until(() => client.socket.readyState !== WebSocket.CONNECTING, 'the connection');
    if (token !== undefined) assert.equal((await client.ask({ type: 'auth', token })).type, 'auth:success');
    return client;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Sends a message with a new request id, and returns the response. */
  async ask(message: object): Promise<LiveMessage> {
    const requestId = `r${++this.#requests}`;
    this.send({ ...message, requestId });
    return this.next((one) => one.requestId === requestId, `an answer to ${JSON.stringify(message)}`);
  }

  /** Subscribes to a chatroom. */
  enter(chatroomId: string, more: object = {}): Promise<LiveMessage> {
    return this.ask({ type: 'subscribe', channel: 'chatroom', chatroomId, ...more });
  }

  say(chatroomId: string, message: string, more: object = {}): Promise<LiveMessage> {
    return this.ask({ type: 'chat:send', chatroomId, message, ...more });
  }

  /** The texts of the chat messages received so far. */
  messageTexts(): string[] {
    return this.all('chat:message').map(({ data }) => data.message);
  }

  /** Waits for a message that meets a condition, and returns the first one; it may have arrived already. */
  async next(isMeant: (message: LiveMessage) => boolean, what = 'a message'): Promise<LiveMessage> {
    await until(() => this.received.some(isMeant), what);
    return this.received.find(isMeant) as LiveMessage;
  }

  all<Type extends keyof LiveMessages>(type: Type): LiveMessageOf<Type>[] {
    return this.received.filter((one) => one.type === type) as object[] as LiveMessageOf<Type>[];
  }

  async closing(): Promise<{ code: number; reason: string }> {
    await until(() => this.closed !== undefined, 'the end');
    return this.closed as { code: number; reason: string };
  }

  close(): void {
    this.socket.close();
  }
}

/** Far longer than anything takes on a busy machine, so that only conditions that never hold fail by time. */
export const PATIENCE_MS = 120_000;

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until the condition holds. An asynchronous condition usually queries the platform, so it is checked less often
 * the longer it takes: queries every few milliseconds would slow down the very work that the test waits for.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (const deadline = Date.now() + timeoutMs; ; await sleep(pauseMs)) {
    const answer = holds();
    if (await answer) return;
    assert.ok(Date.now() < deadline, `waited in vain for ${what}`);
    if (typeof answer !== 'boolean') pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}
