import assert from 'node:assert/strict';
import { listEventName, trackEvents } from '../../sdk/src/index.ts';
import type { Member, TestPlatform } from './platform.ts';

/** An event to track, with the index of the member who sends it. */
export interface Tracked {
  member: number;
  name: string;
  at: number;
}

/** Tracks events as members, in bulk and in an arbitrary order. Their names get counts of their own. */
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
