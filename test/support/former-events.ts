import assert from 'node:assert/strict';
import { listNotifications } from '../../sdk/src/index.ts';
import { idMaker } from '../../src/kernel/ids.ts';
import { until } from './live.ts';
import type { Member, TestPlatform } from './platform.ts';

/**
 * Writes events of earlier versions to the outbox, as an older release would, and reads the resulting notifications.
 */
export function formerEvents(platform: TestPlatform) {
  const { clock, database } = platform;
  const newId = idMaker(clock);

  const settled = () =>
    until(async () => {
      const waiting = await database.count(
        `select (select count(*) from kernel.outbox) + (select count(*) from jobs.job
           where state in ('created', 'active', 'retry') and (name like 'on.%' or name like 'notifications.fan-out%'))`,
      );
      return waiting === 0;
    }, 'all events to be delivered');

  const notificationsOf = async ({ client }: Member) =>
    (await client.call(listNotifications, { query: { limit: 50 } })).data;

  return {
    /** Waits until all events have been delivered. */
    settled,
    /** Writes an event of version 1 to the outbox after all before it are delivered, and waits until it is, too. */
    async queued(name: string, data: object): Promise<void> {
      await settled();
      const event = { id: newId(), name, version: 1, occurredAt: new Date(clock.now()).toISOString(), data };
      await database.execute('insert into kernel.outbox (event, events) values ($1, $2)', [
        name,
        JSON.stringify([event]),
      ]);
      await settled();
    },
    /** The notifications of a member, newest first. */
    notificationsOf,
    async newestOf(member: Member) {
      const [{ title, message, metadata } = assert.fail('no notification')] = await notificationsOf(member);
      return { title, message, metadata };
    },
    async newMember(): Promise<Member> {
      const member = await platform.newMember();
      await settled();
      return member;
    },
  };
}
