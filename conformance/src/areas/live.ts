import type { Area } from '../cases.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'part 2, "WebSocket"; decisions, "Content, chat, and the rest"';
const PATIENCE_MS = 10_000;

// biome-ignore lint/suspicious/noExplicitAny: what a platform sends is to be judged
type Message = { type: string; data: any; requestId?: string };

/** A connection to the live channel. */
class Connection {
  readonly #socket: WebSocket;
  readonly #received: Message[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#received.push(JSON.parse(String(data))));
  }

  static async open(trial: Trial): Promise<Connection> {
    const socket = new WebSocket(`${trial.at.url.replace(/^http/, 'ws')}/v1/live`);
    const connection = new Connection(socket);
    const isOpen = new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('error', () => resolve(false));
    });
    trial.ok(await isOpen, 'the live channel refuses the connection', undefined);
    return connection;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Waits for a message of a type. */
  async next(trial: Trial, type: string): Promise<Message> {
    for (const endsAt = performance.now() + PATIENCE_MS; ; ) {
      const found = this.#received.findIndex((one) => one.type === type);
      if (found >= 0) return this.#received.splice(found, 1)[0] as Message;
      const others = this.#received.map((one) => one.type).join(', ') || 'nothing';
      trial.ok(performance.now() < endsAt, `no ${type} came, but ${others}`, undefined);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  close(): void {
    this.#socket.close();
  }
}

const tokenOf = (headers: Record<string, string>): string =>
  (headers.authorization ?? '').slice('Bearer '.length);

export const live: Area = {
  name: 'live',
  cases: [
    {
      title: 'a connection signs in, pings, and receives what is said in its rooms',
      section: SECTION,
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const body = { name: `Conformance ${trial.at.run}`, type: 'public' };
        const { id } = trial.accepted(await trial.post(ada, '/v1/chatrooms', body), 201);
        trial.at.onClose(ada, 'DELETE', `/v1/chatrooms/${id}`);
        const [hers, his] = [await Connection.open(trial), await Connection.open(trial)];
        try {
          for (const [connection, member] of [
            [hers, ada],
            [his, ben],
          ] as const) {
            connection.send({ type: 'auth', token: tokenOf(member.headers), requestId: 'a1' });
            const signedIn = await connection.next(trial, 'auth:success');
            trial.equal(
              [signedIn.data.userId, signedIn.requestId],
              [member.id, 'a1'],
              'the answer to auth',
              undefined,
            );
            connection.send({ type: 'subscribe', channel: 'chatroom', chatroomId: id });
            await connection.next(trial, 'subscribe:success');
          }
          his.send({ type: 'ping' });
          await his.next(trial, 'pong');
          his.send({ type: 'chat:send', chatroomId: id, message: 'Hello', requestId: 'm1' });
          const acknowledged = await his.next(trial, 'chat:ack');
          trial.equal(acknowledged.requestId, 'm1', 'the "requestId" of chat:ack', undefined);
          const delivery = await hers.next(trial, 'chat:message');
          const { chatroomId, userId, message, messageId, timestamp } = delivery.data;
          trial.equal([chatroomId, userId, message], [id, ben.id, 'Hello'], 'chat:message', undefined);
          trial.shape({ messageId, timestamp }, { messageId: 'id', timestamp: 'instant' }, undefined);
          trial.accepted(await trial.post(ben, `/v1/chatrooms/${id}/messages`, { message: 'By HTTP' }), 201);
          trial.equal(
            (await hers.next(trial, 'chat:message')).data.message,
            'By HTTP',
            'chat:message',
            undefined,
          );
        } finally {
          hers.close();
          his.close();
        }
      },
    },
    {
      title: 'without a good token nothing is to be had',
      section: SECTION,
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const stranger = await Connection.open(trial);
        stranger.send({ type: 'auth', token: 'nonsense' });
        await stranger.next(trial, 'auth:error');
        stranger.close();
        const silent = await Connection.open(trial);
        silent.send({ type: 'subscribe', channel: 'notifications', userId: ada.id });
        await silent.next(trial, 'subscribe:error');
        silent.close();
      },
    },
    {
      title: 'nobody subscribes to the notifications of others, or to rooms that they may not read',
      section: SECTION,
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const body = { name: `Conformance ${trial.at.run}`, type: 'private' };
        const { id } = trial.accepted(await trial.post(ada, '/v1/chatrooms', body), 201);
        trial.at.onClose(ada, 'DELETE', `/v1/chatrooms/${id}`);
        const his = await Connection.open(trial);
        his.send({ type: 'auth', token: tokenOf(ben.headers) });
        await his.next(trial, 'auth:success');
        his.send({ type: 'subscribe', channel: 'notifications', userId: ada.id });
        await his.next(trial, 'subscribe:error');
        his.send({ type: 'subscribe', channel: 'chatroom', chatroomId: id });
        await his.next(trial, 'subscribe:error');
        his.send({ type: 'subscribe', channel: 'notifications', userId: ben.id });
        await his.next(trial, 'subscribe:success');
        his.close();
      },
    },
  ],
};
