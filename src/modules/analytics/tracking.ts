import { batching } from '../../kernel/concurrency/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Cache } from '../../kernel/distributed/cache.ts';
import { type RateWindow, secondsUntil } from '../../kernel/distributed/rate-limiter.ts';
import {
  Failure,
  type FieldFault,
  serviceUnavailable,
  tooManyRequests,
  validationFailed,
} from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { RightParts } from '../../kernel/operations/right-parts.ts';
import { isOutage } from '../../kernel/outages.ts';
import { type Clock, DAY_MS, instantOf } from '../../kernel/time/time.ts';
import type { NameRules } from './names.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS, SEEN_MS } from './tracking.model.ts';
import type { EventDraft } from './tracking.schemas.ts';
import { type NewEvent, trackingStore } from './tracking.store.ts';

/** Maximum number of events that one member may track within a UTC day; each is stored for more than a year. */
const MAX_A_DAY: RateWindow = { name: 'day', lengthMs: DAY_MS, limit: 50_000 };
export const tooManyEvents = (retryAfterSeconds = 60) =>
  tooManyRequests('TOO_MANY_EVENTS', retryAfterSeconds);

interface TrackingDeps {
  names: NameRules;
  cache: Pick<Cache, 'consume'>;
  database: Database;
  clock: Clock;
  newId: NewId;
}

/** Tracking: batches events of many clients into few statements, and responds once they are committed. */
export function trackingRules({ names, cache, database, clock, newId }: TrackingDeps) {
  /** Stores the events of several requests; returns the number of new events of each. */
  async function storeAll(requests: NewEvent[][]): Promise<number[]> {
    const nowMs = clock.now();
    const kept = await database.transaction((tx) =>
      trackingStore.store(tx, requests.flat(), new Date(nowMs), new Date(nowMs - SEEN_MS)),
    );
    return requests.map((events) => events.filter(({ id }) => kept.has(id)).length);
  }

  /** Stores a batch; if the database rejects it, only the faulty requests fail. */
  async function storeEach(requests: NewEvent[][]): Promise<(number | Error)[]> {
    try {
      return await storeAll(requests);
    } catch (error) {
      if (requests.length === 1 || isOutage(error) || error instanceof Failure) throw error;
      const alone = requests.map((request) => storeAll([request]).catch((reason: Error) => [reason]));
      return (await Promise.all(alone)).flat();
    }
  }

  const queue = { concurrency: 2, maxQueued: 20_000, onOverflow: serviceUnavailable };
  const storeOne = batching(storeEach, { ...queue, maxSize: 500 });
  // Each request has up to a thousand events, so a few make a statement.
  const storeMany = batching(storeEach, { ...queue, maxSize: 4, maxQueued: 200 });

  /** Returns the fault of an event that is too old. */
  const ageFaults = (atMs: number, field: string): FieldFault[] =>
    atMs < clock.now() - MAX_AGE_MS
      ? [{ field, message: `must not be older than ${MAX_AGE_MS / DAY_MS} days` }]
      : [];

  /** @throws 422 for events that are too old, by field name */
  function timesOf(drafts: EventDraft[], fieldOf: (place: number) => string): Date[] {
    const nowMs = clock.now();
    const times = drafts.map(({ timestamp }) => (timestamp ? instantOf(timestamp).getTime() : nowMs));
    const faults = times.flatMap((atMs, place) => ageFaults(atMs, fieldOf(place)));
    if (faults.length > 0) throw validationFailed(faults.slice(0, 100));
    return times.map((atMs) => new Date(atMs > nowMs + MAX_AHEAD_MS ? nowMs : atMs));
  }

  /**
   * Counts the events of a member against the daily limit, including duplicates.
   * @throws tooManyEvents
   */
  async function take(count: number, userId: ObjectId): Promise<void> {
    const taken = await cache.consume(`analytics:events:${userId}`, [MAX_A_DAY], clock.now(), count);
    if (!taken.admitted) throw tooManyEvents(secondsUntil(taken, clock.now()));
  }

  async function eventsOf(drafts: EventDraft[], userId: ObjectId, times: Date[]): Promise<NewEvent[]> {
    const drafted = drafts.map(({ eventName, eventType }) => ({ name: eventName, type: eventType }));
    const counted = await names.countedNames(drafted, userId);
    return drafts.map(({ eventId = null as string | null, metadata = {} }, place) => ({
      id: newId(),
      userId,
      name: counted[place]?.no as number,
      ownName: counted[place]?.own?.name ?? null,
      ownType: counted[place]?.own?.type ?? null,
      eventId,
      at: times[place] as Date,
      metadata: JSON.stringify(metadata),
    }));
  }

  return {
    /** Returns the faults of an event that its shape cannot express. */
    faultsOf: ({ timestamp }: Partial<EventDraft>): FieldFault[] =>
      timestamp ? ageFaults(instantOf(timestamp).getTime(), 'timestamp') : [],
    /** Returns the faults of many events that their shape cannot express. */
    faultsOfAll: ({ events = [] }: RightParts<{ events: EventDraft[] }>): FieldFault[] =>
      events.flatMap(({ timestamp } = {}, place) =>
        timestamp ? ageFaults(instantOf(timestamp).getTime(), `events.${place}.timestamp`) : [],
      ),
    /** @throws 422, tooManyEvents, tooManyNames, 503 */
    async track(draft: EventDraft, userId: ObjectId): Promise<{ accepted: number }> {
      const times = timesOf([draft], () => 'timestamp');
      await take(1, userId);
      return { accepted: await storeOne(await eventsOf([draft], userId, times)) };
    },
    /** Tracks all events or none. @throws 422, tooManyEvents, tooManyNames, 503 */
    async trackAll(
      drafts: EventDraft[],
      userId: ObjectId,
    ): Promise<{ accepted: number; duplicates: number }> {
      const times = timesOf(drafts, (place) => `events.${place}.timestamp`);
      await take(drafts.length, userId);
      const accepted = await storeMany(await eventsOf(drafts, userId, times));
      return { accepted, duplicates: drafts.length - accepted };
    },
  };
}

export type TrackingRules = ReturnType<typeof trackingRules>;
