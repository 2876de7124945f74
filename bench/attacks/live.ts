import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Attack, Attacks, Headers, Stage } from './stage.ts';

const MESSAGES = 40;
const SUBSCRIPTIONS = 250;
const HOLD_MS = 1_500;

/** Attacks over the live channel. */
export function liveAttacks({ url, attacker, prepare, post }: Stage): Attacks {
  /** Opens a socket, sends the messages, and leaves after a while; with `reads` false it never reads. */
  function visit(
    messages: object[],
    stayMs: number,
    { headers = {} as Headers, reads = true } = {},
  ): Promise<number> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`, { headers });
      socket.on('open', () => {
        if (!reads) socket.pause();
        for (const message of messages) socket.send(JSON.stringify(message));
        setTimeout(() => socket.terminate(), stayMs);
      });
      socket.on('error', () => undefined);
      socket.on('close', (code) => resolve(code === 1006 ? 101 : code));
    });
  }

  const auth = { type: 'auth', token: attacker.token };
  const subscribe = (chatroomId: string, after?: number) => ({
    type: 'subscribe',
    channel: 'chatroom',
    chatroomId,
    after,
  });

  /** Fills a public room, and returns its id. */
  async function fillRoom(words: number): Promise<string> {
    const room = await prepare('/v1/chatrooms', attacker.headers, { name: 'Noise', type: 'public' });
    const message = JSON.stringify({ message: 'noise '.repeat(words) });
    for (let number = 0; number < MESSAGES; number++)
      await post(`/v1/chatrooms/${room.id}/messages`, attacker.headers, message);
    return room.id;
  }

  const many =
    (count: number, one: (number: number) => Promise<number>): Attack =>
    async (number) => {
      const statuses = await Promise.all(Array.from({ length: count }, (_, at) => one(number * count + at)));
      return statuses[0] as number;
    };

  return {
    replays: async () => {
      const room = await fillRoom(300);
      const subscribes = Array.from({ length: 30 }, () => subscribe(room, 0));
      return () => visit([auth, ...subscribes], 20);
    },
    'replays not read': async () => {
      const room = await fillRoom(300);
      const subscribes = Array.from({ length: SUBSCRIPTIONS }, () => subscribe(room, 0));
      return () => visit([auth, ...subscribes], HOLD_MS, { reads: false });
    },
    'subscriptions to any room': async () => (number) => {
      const subscribes = Array.from({ length: SUBSCRIPTIONS }, (_, at) =>
        subscribe((number * SUBSCRIPTIONS + at).toString(16).padStart(24, '0')),
      );
      return visit([auth, ...subscribes], HOLD_MS);
    },
    'strangers that stay': async () => many(50, () => visit([], HOLD_MS)),
    'strangers behind proxies': async () =>
      many(50, (number) =>
        visit([], HOLD_MS, {
          headers: { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` },
        }),
      ),
    'strangers with tokens': async () =>
      many(20, (number) => visit([{ type: 'auth', token: `${attacker.token}${number}` }], 200)),
    'connections of one member': async () => many(20, () => visit([auth], 200)),
    'messages at random': async () => async () => {
      const noise = Array.from({ length: SUBSCRIPTIONS }, () => ({
        type: 'x'.repeat(200),
        deep: [[[[[[]]]]]],
      }));
      const status = await visit([auth, ...noise], 200);
      await sleep(1);
      return status;
    },
  };
}
