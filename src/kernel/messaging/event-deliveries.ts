import { type Static, Type } from 'typebox';
import { chunks } from '../database/chunks.ts';
import { withTrace } from '../trace.ts';
import { type Event, type EventKind, type Subscription, traceOf } from './events.ts';
import { type Job, job, jobKind } from './jobs.ts';
import type { Upgrades } from './versions.ts';

/** The shape of an event in a job. */
export const EventShape = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
  occurredAt: Type.String(),
  data: Type.Unsafe<object>({ type: 'object' }),
  traceparent: Type.Optional(Type.String()),
});
const DeliveryShape = Type.Object({ events: Type.Array(EventShape) });

const queueOf = ({ kind, subscriber }: Subscription): string => `on.${kind.name}.${subscriber}`;

/**
 * A delivery has the version of its kind of event, so that a program returns deliveries of versions that it does not
 * know yet. Each event in it is upgraded from its own version, because an older program may have relayed it.
 */
function upgradesOf<Delivery>(
  { upgrades }: EventKind<object>,
  mapEvents: (delivery: Delivery, change: (event: Event<object>) => Event<object>) => object,
): Upgrades {
  const stepFrom = (version: number) => (event: Event<object>) =>
    event.version === version
      ? { ...event, version: version + 1, data: upgrades[version]?.(event.data) ?? event.data }
      : event;
  return Object.fromEntries(
    Object.keys(upgrades).map((version) => [
      version,
      (delivery: Delivery) => mapEvents(delivery, stepFrom(Number(version))),
    ]),
  );
}
/** The kind of job that delivers to a subscriber in the database: a batch of events. */
export const deliveryTo = (subscription: Subscription) =>
  jobKind(queueOf(subscription), {
    version: subscription.kind.version,
    data: DeliveryShape,
    upgrades: upgradesOf(subscription.kind, ({ events }: { events: Event<object>[] }, change) => ({
      events: events.map(change),
    })),
  });
/** The kind of job that delivers to a subscriber that calls external systems: one event. */
export const externalDeliveryTo = (subscription: Subscription) =>
  jobKind(queueOf(subscription), {
    version: subscription.kind.version,
    data: EventShape,
    upgrades: upgradesOf(subscription.kind, (event: Event<object>, change) => change(event)),
  });

/** Deliveries of few events that are waiting become one transaction of up to a hundred events. */
const DELIVERIES_AT_ONCE = 20;

/** Returns the jobs that deliver events to their subscribers. */
export const subscriptionJobs = (subscriptions: Subscription[]): Job[] =>
  subscriptions.flatMap((subscription) => {
    const { handle, handleExternally } = subscription;
    if (handle)
      return job(deliveryTo(subscription), {
        runAllIn: (tx, deliveries) => {
          const events = deliveries.flatMap((delivery) => delivery.events);
          return withTrace(traceOf(events), () => handle(events, tx));
        },
        split: ({ events }) => events.map((one) => ({ events: [one] })),
        lowPriority: true,
        takes: DELIVERIES_AT_ONCE,
      });
    return handleExternally ? job(externalDeliveryTo(subscription), { run: handleExternally }) : [];
  });

const MAX_PER_JOB = 100;

/** Divides events into the data of deliveries. */
export const toDeliveries = (events: Event<object>[]): Static<typeof DeliveryShape>[] =>
  [...chunks(events, MAX_PER_JOB)].map((part) => ({ events: part }));
