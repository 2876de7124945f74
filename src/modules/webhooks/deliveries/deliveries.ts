import type { Static } from 'typebox';
import type { Core } from '../../../kernel/core.ts';
import { mapPage, type PageRequest } from '../../../kernel/database/pagination.ts';
import { notFound, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { job } from '../../../kernel/messaging/jobs.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { endOf, instantOf } from '../../../kernel/time/time.ts';
import { publicId } from '../events/events.model.ts';
import { forgetDeliveries, replayMore } from './deliveries.jobs.ts';
import { bodyOf, type DeliveryRow, deliveryId, sequenceIn } from './deliveries.model.ts';
import type { ReplayBody } from './deliveries.schemas.ts';
import type { DeliveryFilter, DeliveryStore, Replayed } from './deliveries.store.ts';

export const deliveryNotFound = notFound('Webhook delivery');

/** Maximum number of deliveries that one transaction sends again, or one statement deletes. */
const REPLAYED_AT_ONCE = 5_000;
const DELETED_AT_ONCE = 5_000;

/** The fields of an endpoint that deliveries are read by. */
interface Target {
  id: ObjectId;
  number: number;
  url: string;
  enabled: boolean;
  lastSequence: number;
}

interface DeliveryDeps extends Pick<Core, 'database' | 'audit' | 'jobs'> {
  store: DeliveryStore;
}

/**
 * The event's own id was lost with the event, after 30 days. While an endpoint is disabled, no attempt is made at any
 * time.
 */
const viewOf = ({ enabled }: Target, { endpoint, eventId, nextAttemptAt, ...rest }: DeliveryRow) => ({
  ...rest,
  nextAttemptAt: enabled ? nextAttemptAt : null,
  id: deliveryId({ endpoint, sequence: rest.sequence }),
  eventId: eventId === null ? '' : publicId(eventId),
});

/** The deliveries of an endpoint, as administrators read them and send them again. */
export function deliveryRules({ store, database, audit, jobs }: DeliveryDeps) {
  return {
    jobs: [
      job(replayMore, {
        runIn: async (tx, { endpoint, fromSequence, toSequence, since, until }) => {
          const range: Replayed = {
            fromSequence,
            toSequence,
            since: since === undefined ? undefined : new Date(since),
            until: until === undefined ? undefined : new Date(until),
          };
          const replayed = await store.replay(tx, endpoint, range, REPLAYED_AT_ONCE);
          const last = replayed.at(-1);
          if (last === undefined || replayed.length < REPLAYED_AT_ONCE) return;
          const rest = { endpoint, toSequence, fromSequence: last + 1 };
          await jobs.enqueue(tx, replayMore, [
            { ...rest, ...(since !== undefined && { since }), ...(until !== undefined && { until }) },
          ]);
        },
      }),
      job(forgetDeliveries, {
        lowPriority: true,
        run: async ({ endpoint }, { signal }) => {
          while (!signal.aborted && (await store.delete(endpoint, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
          signal.throwIfAborted();
        },
      }),
    ],
    /** @throws deliveryNotFound for a cursor that is not of this endpoint */
    async pageOf(target: Target, filter: DeliveryFilter, request: PageRequest) {
      const { number } = target;
      const { before } = request;
      const place = before === undefined ? undefined : sequenceIn(before, number);
      if (before !== undefined && place === undefined) throw deliveryNotFound();
      return mapPage(await store.pageOf(number, filter, request, place), (row) => viewOf(target, row));
    },
    /** @throws deliveryNotFound */
    async get(target: Target, id: ObjectId) {
      const { number } = target;
      const sequence = sequenceIn(id, number);
      const found = sequence === undefined ? undefined : await store.find(number, sequence);
      if (!found) throw deliveryNotFound();
      const { happenedAt, data, responses, ...row } = found;
      const { eventId, type } = row;
      const body =
        eventId !== null && happenedAt !== null && data !== null
          ? bodyOf({ id: eventId, type, happenedAt, data, sequence: row.sequence })
          : null;
      return { ...viewOf(target, row), body, responses };
    },
    /**
     * Sends deliveries again that were attempted before.
     * @throws 422
     */
    async replay(target: Target, body: Static<typeof ReplayBody>, actor: Actor): Promise<{ events: number }> {
      const { id, number, url, lastSequence: toSequence } = target;
      const { fromSequence } = body;
      if ((fromSequence === undefined) === (body.since === undefined))
        throw validationFailed([{ field: 'fromSequence', message: 'give exactly one of it and since' }]);
      const since = body.since === undefined ? undefined : instantOf(body.since);
      const until = body.until === undefined ? undefined : endOf(body.until);
      if (since && until && until < since)
        throw validationFailed([{ field: 'until', message: 'must not be before since' }]);
      const range: Replayed = { fromSequence, toSequence, since, until };
      return database.transaction(async (tx) => {
        const events = await store.countReplayed(tx, number, range);
        const replayed = await store.replay(tx, number, range, REPLAYED_AT_ONCE);
        const last = replayed.at(-1);
        if (last !== undefined && events > replayed.length)
          await jobs.enqueue(tx, replayMore, [
            {
              endpoint: number,
              toSequence,
              fromSequence: last + 1,
              ...(since && { since: since.toISOString() }),
              ...(until && { until: until.toISOString() }),
            },
          ]);
        const action = 'webhook-endpoint.replayed';
        await audit.record(tx, {
          ...actor,
          action,
          target: id,
          targetName: url,
          details: { ...body, events },
        });
        return { events };
      });
    },
  };
}

export type DeliveryRules = ReturnType<typeof deliveryRules>;
