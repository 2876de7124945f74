import { setTimeout as sleep } from 'node:timers/promises';
import { transferKeys } from '../../sdk/src/index.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { Client as RawClient } from '../support/client.ts';
import { until } from '../support/live.ts';
import type { Crowd } from './crowd.ts';
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

let keys = 0;

/**
 * Members who transfer Keys, and one who says something to all others in a room. Each transfer is sent under its key until it
 * is acknowledged.
 */
export async function startLoad({ url, people, say, heard }: Crowd, database: Database) {
  const raw = new RawClient(url, { 'x-api-key': API_KEY });
  const balance = () =>
    database.count('select balance from wallet.account where user_id = $1', [people.receiverId]);
  const messages = () =>
    database.count('select count(*) from chat.message where room_id = $1', [people.roomId]);
  const before = { keys: await balance(), messages: await messages() };
  for (const one of heard) one.length = 0;
  let isOver = false;
  const counts = { requests: 0, failed: 0 };
  let transferred = 0;
  const said: Promise<number>[] = [];
  let lastFailureMs = 0;

  async function transfer(client: RawClient): Promise<void> {
    const keyed = client.with({ 'idempotency-key': `fleet-${++keys}` });
    for (let attempt = 1; ; attempt++) {
      counts.requests++;
      const answer = await keyed
        .attempt(transferKeys, { body: { toUserId: people.receiverId, amount: 1 } })
        .catch(() => undefined);
      if (answer?.status === 201) {
        transferred++;
        return;
      }
      if (attempt === 1) counts.failed++;
      lastFailureMs = performance.now();
      await sleep(BETWEEN_TRIES_MS);
    }
  }
  async function keepTransferring(client: RawClient): Promise<void> {
    while (!isOver) {
      await transfer(client);
      await sleep(BETWEEN_TRANSFERS_MS);
    }
  }
  async function keepTalking(): Promise<void> {
    for (let number = 0; !isOver; number++) {
      said.push(say(`message ${number}`));
      await sleep(BETWEEN_MESSAGES_MS);
    }
  }
  const running = [...people.senders.map(({ token }) => keepTransferring(raw.as(token))), keepTalking()];

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
      const gained = (await balance()) - before.keys;
      const stored = (await messages()) - before.messages;
      const unordered = heard.filter((one) =>
        one.some((seq, place) => place > 0 && seq <= (one[place - 1] as number)),
      );
      return {
        lost: Math.max(0, transferred - gained) + Math.max(0, seqs.length - stored),
        repeated: Math.max(0, gained - transferred) + Math.max(0, stored - seqs.length) + unordered.length,
        missed: heard.reduce((sum, one) => sum + seqs.filter((seq) => !one.includes(seq)).length, 0),
      };
    },
  };
}
