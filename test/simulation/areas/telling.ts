import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookEndpoint, updateWebhookEndpoint, verifyWebhook } from '../../../sdk/src/index.ts';
import { HOUR_MS, SECOND_MS } from '../../../src/kernel/time/time.ts';
import type { Area } from '../area.ts';
import { RATE } from '../people.ts';
import { expectStatus, type Stage, Violation } from '../stage.ts';

// Whoever is to be told of something is: members once, other systems at least once and in numbers without gaps.

export const tellingKinds = {
  'webhooks.mood': 3,
  'webhooks.disable': 1,
  'webhooks.enable': 1,
};

const MOODS = ['ok', 'ok', 'refuse', 'cut off'] as const;
const SETTLING_TRIES = 200;

interface Told {
  id: string;
  type: string;
  data: { transactionId?: string; amount?: number; usdAmount?: number };
}

/** A receiver of webhooks that lies when it is told to. */
async function newReceiver() {
  const bodies = new Map<number, string>();
  const faults: string[] = [];
  const now: { mood: (typeof MOODS)[number]; secret: string } = { mood: 'ok', secret: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { sequence } = JSON.parse(body) as { sequence: number };
    if ((bodies.get(sequence) ?? body) !== body) faults.push(`${sequence} came with another body`);
    bodies.set(sequence, body);
    const headers = request.headers as Record<string, string>;
    const atMs = Number(headers['webhook-timestamp']) * SECOND_MS;
    await verifyWebhook(body, headers, now.secret, atMs).catch((error) => faults.push(String(error)));
    if (now.mood === 'cut off') response.destroy();
    else response.writeHead(now.mood === 'ok' ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    bodies,
    faults,
    now,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function tellingArea(stage: Stage): Area<typeof tellingKinds> {
  const { admin, database, clock } = stage;
  let receiver: Awaited<ReturnType<typeof newReceiver>> | undefined;
  let endpointId = '';
  const enable = async (enabled: boolean): Promise<void> => {
    const params = { id: endpointId };
    const answer = await stage.insist(admin, (client) =>
      client.attempt(updateWebhookEndpoint, { params, body: { enabled } }),
    );
    expectStatus(stage, `the endpoint of webhooks is ${enabled ? 'enabled' : 'disabled'}`, answer, 200);
  };
  /** Waits until nothing is on its way; each time some time passes, so that what failed is tried again. */
  async function untilDelivered(stepMs: number): Promise<void> {
    for (let tries = 0; tries < SETTLING_TRIES; tries++) {
      const open = await database.count(
        `select (select count(*) from webhooks.delivery where status = 'pending') + (select count(*)
           from webhooks.event, webhooks.progress where event.position > progress.position)`,
      );
      if (open === 0) return;
      clock.advance(stepMs);
      await sleep(100);
    }
    throw new Violation('webhooks never arrive');
  }
  /** What was sent, in the order of its numbers. */
  const told = (): Told[] =>
    [...(receiver?.bodies ?? [])].sort(([one], [other]) => one - other).map(([, body]) => JSON.parse(body));

  async function judgeWebhooks(): Promise<void> {
    const sent = told();
    const { last } = (await database.first<{ last: number }>(
      'select max(last_sequence) as last from webhooks.endpoint',
    )) ?? { last: 0 };
    assert.deepEqual(receiver?.faults, [], 'webhooks are signed, and stay what they were');
    assert.deepEqual(
      [...(receiver?.bodies.keys() ?? [])].sort((one, other) => one - other),
      Array.from({ length: last }, (_, place) => place + 1),
      'webhooks have numbers without gaps',
    );
    assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length, 'one event has one number');
    const transfers = await database.count(`select count(*) from wallet.transaction where type = 'transfer'`);
    assert.equal(
      sent.filter(({ type }) => type === 'wallet.transferred').length,
      transfers,
      'each transfer is told',
    );
    for (const { type, data } of sent)
      if (type === 'withdrawal.requested')
        assert.equal(
          data.usdAmount,
          Math.floor(Math.round((data.amount ?? 0) * RATE * 10_000) / 100) / 100,
          'payouts are rounded down',
        );
  }

  /** @throws AssertionError unless the receiver of each transfer was notified of it once */
  async function judgeNotifications(): Promise<void> {
    const transfers = sortedTransactions(told(), 'wallet.transferred');
    const rows = await database.all<{ transactionId: string; times: number }>(
      `select metadata ->> 'transactionId' as transaction_id, count(*) as times
       from notifications.notification where metadata ? 'fromUserId' and metadata ? 'transactionId' group by 1`,
    );
    assert.deepEqual(
      rows.filter(({ times }) => times !== 1),
      [],
      'nobody is notified twice',
    );
    assert.deepEqual(
      rows.map(({ transactionId }) => transactionId).sort(),
      transfers,
      'who gets Keys is notified',
    );
    const wrong = await database.all(
      `select user_id, total, unread from notifications.tally
       where total <> (select count(*) from notifications.notification as one where one.user_id = tally.user_id)`,
    );
    assert.deepEqual(wrong, [], 'notifications are counted');
  }

  return {
    begin: async () => {
      receiver = await newReceiver();
      const { url } = receiver;
      const { data } = await stage.insist(admin, (client) =>
        client.attempt(createWebhookEndpoint, { body: { url } }),
      );
      if (!data) throw new Violation('no endpoint can be created');
      endpointId = data.id;
      receiver.now.secret = data.secret;
    },
    commands: {
      'webhooks.mood': async ({ pick: [mood] }) => {
        if (!receiver) return;
        receiver.now.mood = MOODS[mood % MOODS.length] as (typeof MOODS)[number];
        stage.note(`the receiver of webhooks: ${receiver.now.mood}`);
      },
      'webhooks.disable': () => enable(false),
      'webhooks.enable': () => enable(true),
    },
    settle: async () => {
      if (receiver) receiver.now.mood = 'ok';
      await enable(true);
      await untilDelivered(HOUR_MS);
    },
    rest: () => untilDelivered(0),
    judge: async () => {
      await judgeWebhooks();
      await judgeNotifications();
    },
    end: () => receiver?.close(),
  };
}

const sortedTransactions = (all: Told[], wanted: string): string[] =>
  all.flatMap(({ type, data }) => (type === wanted ? [String(data.transactionId)] : [])).sort();
