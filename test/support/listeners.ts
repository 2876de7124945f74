import { setTimeout as sleep } from 'node:timers/promises';
import { sendChatMessage } from '../../sdk/src/index.ts';
import { Client } from './client.ts';
import { LiveClient, type LiveMessage } from './live.ts';

/** A client that follows the reference: it reconnects, to another process if need be, and requests missed messages. */
export class Listener {
  readonly heard: LiveMessage[] = [];
  readonly closes: number[] = [];
  #seq = 0;
  #isOver = false;
  #client: LiveClient | undefined;
  readonly #token: string;
  readonly #room: string;

  constructor(token: string, room: string) {
    this.#token = token;
    this.#room = room;
  }

  /** Connects to the addresses in turn until it is stopped. */
  async listen(urls: () => string[], first: number): Promise<void> {
    for (let place = first; !this.#isOver; place++) {
      const all = urls();
      try {
        await this.#once(all[place % all.length] as string);
      } catch {
        // the process does not listen, or went away again
      }
      if (!this.#isOver) await sleep(50 + Math.random() * 100);
    }
  }

  async #once(url: string): Promise<void> {
    const client = await LiveClient.open(url, this.#token);
    this.#client = client;
    const subscription = { type: 'subscribe', channel: 'chatroom', chatroomId: this.#room, after: this.#seq };
    client.send(subscription);
    let place = 0;
    const take = () => {
      for (; place < client.received.length; place++) {
        const message = client.received[place];
        if (message?.seq === undefined) continue;
        this.heard.push(message);
        this.#seq = message.seq;
      }
    };
    while (!client.closed) {
      take();
      await sleep(5);
    }
    take();
    this.closes.push(client.closed.code);
  }

  stop(): void {
    this.#isOver = true;
    this.#client?.close();
  }

  get seqs(): number[] {
    return this.heard.map(({ seq }) => seq);
  }
}

/**
 * Sends messages until it is stopped. Each is repeated with the same id until it is acknowledged; after a failure it
 * goes to the next address. `acknowledged` holds those that were.
 */
export function keepSending(member: Client, room: string, urls: () => string[]) {
  let isOver = false;
  const acknowledged: string[] = [];
  const done = (async () => {
    for (let number = 1; !isOver; number++) {
      const message = `no. ${number}`;
      for (let attempt = 0; ; attempt++) {
        const all = urls();
        const client = new Client(all[attempt % all.length] as string, member.headers);
        const body = { message, clientMessageId: message };
        const status = await client.attempt(sendChatMessage, { params: { chatroomId: room }, body }).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 201) break;
        await sleep(20);
      }
      acknowledged.push(message);
      await sleep(25);
    }
  })();
  return {
    acknowledged,
    stop: async () => {
      isOver = true;
      await done;
    },
  };
}
