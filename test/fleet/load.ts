import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  createClient,
  fundWalletAsAdmin,
  signIn,
  signUp,
  transferKeys,
} from '../../sdk/src/index.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { newEmail, PASSWORD, Client as RawClient } from '../support/client.ts';
import { until } from '../support/live.ts';
import { PRODUCTION } from '../support/programs.ts';
import { API_KEY } from './fleet.ts';

const BETWEEN_TRANSFERS_MS = 40;
/** Within what a member may say in a minute. */
const BETWEEN_MESSAGES_MS = 1_000;
const BETWEEN_TRIES_MS = 100;

/** What an outage cost. */
export interface Cost {
  requests: number;
  /** Requests that were not answered as they should be at their first attempt. */
  failed: number;
  /** Transfers and messages that were acknowledged, and do not exist. */
  lost: number;
  /** Transfers and messages that exist more than once, and messages that a listener got twice or out of order. */
  repeated: number;
  /** Messages that a listener never got. */
  missed: number;
}

interface Options {
  url: string;
  lanes: number;
  listeners: number;
  database: Database;
}

/**
 * Members who transfer Keys, say something in a room, and listen to it. Each transfer is sent under its key until it is
 * acknowledged.
 */
export async function startLoad({ url, lanes, listeners, database }: Options) {
  const raw = new RawClient(url, { 'x-api-key': API_KEY });
  const body = {
    email: PRODUCTION.ADMIN_EMAIL,
    password: PRODUCTION.ADMIN_PASSWORD,
    platform: 'web' as const,
  };
  const admin = raw.as((await raw.call(signIn, { body })).data.accessToken);
  const person = () => ({ email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B' });
  const newMember = async () => {
    const { data } = await raw.call(signUp, { body: { ...person(), platform: 'web' } });
    return { id: data.user.id, client: raw.as(data.accessToken) };
  };
  const receiver = await newMember();
  const senders = await Promise.all(Array.from({ length: lanes }, newMember));
  for (const { id } of senders)
    await admin.call(fundWalletAsAdmin, { body: { userId: id, amount: 1_000_000 } });

  const apis: Client[] = [];
  for (let number = 0; number < listeners + 1; number++) {
    const api = createClient({ baseUrl: url, apiKey: API_KEY });
    await api.auth.signUp({ ...person(), platform: 'web' });
    apis.push(api);
  }
  const [speaker, ...audience] = apis as [Client, ...Client[]];
  const { id: roomId } = await speaker.chatrooms.create({ name: 'Fleet', type: 'public' });
  const heard = await Promise.all(
    audience.map(async (api) => {
      const seqs: number[] = [];
      const room = api.live().room(roomId);
      room.on('message', ({ seq }) => seqs.push(seq));
      await new Promise<void>((resolve) => room.on('entered', () => resolve()));
      return seqs;
    }),
  );

  let isOver = false;
  const counts = { requests: 0, failed: 0 };
  const transferred: string[] = [];
  const said: Promise<number>[] = [];
  let lastFailureMs = 0;

  async function transfer(client: RawClient, key: string): Promise<void> {
    const keyed = client.with({ 'idempotency-key': key });
    for (let attempt = 1; ; attempt++) {
      counts.requests++;
      const answer = await keyed
        .attempt(transferKeys, { body: { toUserId: receiver.id, amount: 1 } })
        .catch(() => undefined);
      if (answer?.status === 201 && answer.data) {
        transferred.push(answer.data.transaction.transactionId);
        return;
      }
      if (attempt === 1) counts.failed++;
      lastFailureMs = performance.now();
      await sleep(BETWEEN_TRIES_MS);
    }
  }
  const running = [
    ...senders.map(async ({ client }, lane) => {
      for (let number = 0; !isOver; number++) {
        await transfer(client, `lane-${lane}-${number}`);
        await sleep(BETWEEN_TRANSFERS_MS);
      }
    }),
    (async () => {
      for (let number = 0; !isOver; number++) {
        said.push(
          speaker
            .live()
            .room(roomId)
            .send(`message ${number}`)
            .then(({ seq }) => seq),
        );
        await sleep(BETWEEN_MESSAGES_MS);
      }
    })(),
  ];

  return {
    /** The counts of requests so far, and when one failed last (`performance.now()`). */
    sofar: () => ({ ...counts, lastFailureMs }),
    /** Ends the load, waits for what is on its way, and compares what exists with what was acknowledged. */
    async end(): Promise<Omit<Cost, 'requests' | 'failed'>> {
      isOver = true;
      await Promise.all(running);
      const seqs = await Promise.all(said);
      await until(() => heard.every((one) => one.length >= seqs.length), 'what was said').catch(
        () => undefined,
      );
      for (const api of apis) api.live().close();
      const keys = await database.count('select balance from wallet.account where user_id = $1', [
        receiver.id,
      ]);
      const stored = await database.count('select count(*) from chat.message where room_id = $1', [roomId]);
      const inOrder = Array.from({ length: seqs.length }, (_, place) => place + 1);
      const wrong = heard.filter((one) =>
        one.some((seq, place) => place > 0 && seq <= (one[place - 1] as number)),
      );
      return {
        lost: Math.max(0, transferred.length - keys) + Math.max(0, seqs.length - stored),
        repeated: Math.max(0, keys - transferred.length) + Math.max(0, stored - seqs.length) + wrong.length,
        missed: heard.reduce((sum, one) => sum + inOrder.filter((seq) => !one.includes(seq)).length, 0),
      };
    },
  };
}
