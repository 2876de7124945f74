import assert from 'node:assert/strict';
import { listEventName, trackEvents } from '../../sdk/src/index.ts';
import type { Member, TestPlatform } from './platform.ts';

/** An event that a member sends, by the place of the member. */
export interface Tracked {
  member: number;
  name: string;
  at: number;
}

/** Has members track events in an arbitrary order, each of them in bulk. Their names are counted by themselves. */
export function trackerOf({ admin }: TestPlatform, members: Member[]) {
  const listed = new Set<string>();
  return async (events: Tracked[], type: string): Promise<void> => {
    for (const { name } of events) {
      if (listed.has(`${name} ${type}`)) continue;
      listed.add(`${name} ${type}`);
      await admin.call(listEventName, {
        body: { eventName: name, eventType: type, reason: 'For this test' },
      });
    }
    await Promise.all(
      members.map(async ({ client }, member) => {
        const own = events.filter((one) => one.member === member);
        if (own.length === 0) return;
        const bulk = own.map(({ name, at }) => ({
          eventName: name,
          eventType: type,
          timestamp: new Date(at).toISOString(),
        }));
        const { status, body } = await client.call(trackEvents, { body: { events: bulk } });
        assert.equal(status, 202, JSON.stringify(body));
      }),
    );
  };
}
