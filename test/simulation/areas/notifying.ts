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

// Each transfer notifies its receiver once, and webhooks arrive at least once, numbered without gaps.

export const notifyingKinds = {
  'webhooks.mode': 3,
  'webhooks.disable': 1,
  'webhooks.enable': 1,
};

const MODES = ['ok', 'ok', 'refuse', 'cut off', 'late'] as const;
const SETTLING_TRIES = 200;
/** Within the time limit of the platform. */
const LATE_MS = 300;

interface SentWebhook {
  id: string;
  type: string;
  data: { transactionId?: string; amount?: number; usdAmount?: number };
}

/** A receiver of webhooks that accepts requests, at once or late, refuses or drops them, depending on its mode. */
async function newReceiver() {
  const bodies = new Map<number, string>();
  const faults: string[] = [];
  const state: { mode: (typeof MODES)[number]; secret: string } = { mode: 'ok', secret: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { sequence } = JSON.parse(body) as { sequence: number };
    if ((bodies.get(sequence) ?? body) !== body)
      faults.push(`webhook ${sequence} came again with another body`);
    bodies.set(sequence, body);
    const headers = request.headers as Record<string, string>;
    const atMs = Number(headers['webhook-timestamp']) * SECOND_MS;
    await verifyWebhook(body, headers, state.secret, atMs).catch((error) => faults.push(String(error)));
    if (state.mode === 'late') await sleep(LATE_MS);
    if (state.mode === 'cut off') response.destroy();
    else response.writeHead(state.mode === 'refuse' ? 503 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    bodies,
    faults,
    state,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function notifyingArea(stage: Stage): Area<typeof notifyingKinds> {
  const { admin, database, clock } = stage;
  let receiver: Awaited<ReturnType<typeof newReceiver>> | undefined;
  let endpointId = '';
  const enable = async (enabled: boolean): Promise<void> => {
    const params = { id: endpointId };
    const answer = await stage.retryUntilCertain(admin, (client) =>
      client.attempt(updateWebhookEndpoint, { params, body: { enabled } }),
    );
    expectStatus(stage, `the webhook endpoint is ${enabled ? 'enabled' : 'disabled'}`, answer, 200);
  };
  /** Waits until no delivery is pending. Moves the clock by `stepMs` at each try, so that failed ones are retried. */
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
    throw new Violation('some webhooks stay pending');
  }
  /** The webhooks that arrived, in the order of their numbers. */
  const sentWebhooks = (): SentWebhook[] =>
    [...(receiver?.bodies ?? [])].sort(([one], [other]) => one - other).map(([, body]) => JSON.parse(body));

  async function judgeWebhooks(): Promise<void> {
    const sent = sentWebhooks();
    const { last } = (await database.first<{ last: number }>(
      'select max(last_sequence) as last from webhooks.endpoint',
    )) ?? { last: 0 };
    assert.deepEqual(receiver?.faults, [], 'webhooks with a wrong signature or a changed body');
    assert.deepEqual(
      [...(receiver?.bodies.keys() ?? [])].sort((one, other) => one - other),
      Array.from({ length: last }, (_, place) => place + 1),
      'the numbers of the webhooks, without gaps',
    );
    assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length, 'each event has one number');
    const transfers = await database.count(`select count(*) from wallet.transaction where type = 'transfer'`);
    assert.equal(
      sent.filter(({ type }) => type === 'wallet.transferred').length,
      transfers,
      'the number of webhooks about transfers',
    );
    for (const { type, data } of sent)
      if (type === 'withdrawal.requested')
        assert.equal(
          data.usdAmount,
          Math.floor(Math.round((data.amount ?? 0) * RATE * 10_000) / 100) / 100,
          'the amount of a payout, rounded down',
        );
  }

  /** @throws AssertionError unless the receiver of each transfer was notified of it once */
  async function judgeNotifications(): Promise<void> {
    const transfers = sortedTransactions(sentWebhooks(), 'wallet.transferred');
    const rows = await database.all<{ transactionId: string; times: number }>(
      `select metadata ->> 'transactionId' as transaction_id, count(*) as times
       from notifications.notification where metadata ? 'fromUserId' and metadata ? 'transactionId' group by 1`,
    );
    assert.deepEqual(
      rows.filter(({ times }) => times !== 1),
      [],
      'transfers with more than one notification',
    );
    assert.deepEqual(
      rows.map(({ transactionId }) => transactionId).sort(),
      transfers,
      'the transfers whose receivers were notified',
    );
    const wrong = await database.all(
      `select user_id, total, unread from notifications.tally
       where total <> (select count(*) from notifications.notification as one where one.user_id = tally.user_id)`,
    );
    assert.deepEqual(wrong, [], 'members with a wrong count of notifications');
  }

  return {
    begin: async () => {
      receiver = await newReceiver();
      const { url } = receiver;
      const { data } = await stage.retryUntilCertain(admin, (client) =>
        client.attempt(createWebhookEndpoint, { body: { url } }),
      );
      if (!data) throw new Violation('the webhook endpoint could not be created');
      endpointId = data.id;
      receiver.state.secret = data.secret;
    },
    commands: {
      'webhooks.mode': async ({ pick: [mode] }) => {
        if (!receiver) return;
        receiver.state.mode = MODES[mode % MODES.length] as (typeof MODES)[number];
        stage.note(`the webhook receiver is set to: ${receiver.state.mode}`);
      },
      'webhooks.disable': () => enable(false),
      'webhooks.enable': () => enable(true),
    },
    settle: async () => {
      if (receiver) receiver.state.mode = 'ok';
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

const sortedTransactions = (all: SentWebhook[], wanted: string): string[] =>
  all.flatMap(({ type, data }) => (type === wanted ? [String(data.transactionId)] : [])).sort();
