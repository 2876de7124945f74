import type { Static, TObject, TSchema } from 'typebox';
import type { Transaction } from '../database/queries.ts';
import type { ObjectId } from '../ids.ts';
import { currentTrace, currentTraceparent, newTrace, type Trace, traceFrom, withTrace } from '../trace.ts';
import { requireUpgrades, type Upgrades } from './versions.ts';

/** A kind of event: a change in one module that other modules may react to. */
export interface EventKind<Data extends object> {
  /** The module, then what happened: `wallet.transferred`. */
  name: string;
  /** Incremented when queued events no longer match the shape. */
  version: number;
  shape: TSchema;
  upgrades: Upgrades;
  /** Carries the type of the data; never set. */
  readonly data?: Data;
}

/**
 * Declares a kind of event with the shape of its data. Subscribers receive queued events of earlier versions upgraded.
 * @throws when an earlier version has no upgrade
 */
export function eventKind<Shape extends TObject>(
  name: string,
  { version, data, upgrades = {} }: { version: number; data: Shape; upgrades?: Upgrades },
): EventKind<Static<Shape> & object> {
  requireUpgrades({ name, version, upgrades });
  return { name, version, shape: data, upgrades };
}

/** An event as subscribers receive it. */
export interface Event<Data extends object> {
  /** Identical at every delivery; subscribers use it as their idempotency key. */
  id: ObjectId;
  name: string;
  version: number;
  /** ISO 8601. */
  occurredAt: string;
  data: Data;
  /** The trace of the cause, if it had one. */
  traceparent?: string;
}

/**
 * A subscription to a kind of event. Made by the functions below, which ensure that it receives only events of that
 * kind.
 */
export interface Subscription {
  kind: EventKind<object>;
  /** Unique among the subscribers of the event. */
  subscriber: string;
  handle?(events: Event<object>[], tx: Transaction): Promise<void>;
  handleExternally?(event: Event<object>): Promise<void>;
  handleInTransaction?(events: Event<object>[], tx: Transaction): Promise<void>;
  handleInOrder?: HandleInOrder;
}

/** Receives events of several kinds, each in the version in which it was published. */
type HandleInOrder = (events: Event<object>[], tx: Transaction) => Promise<void>;

/**
 * Subscribes to a kind of event. Delivery is a durable job. What `receive` writes through `tx` commits with the job's
 * completion, so an event takes effect exactly once within the database.
 */
export const on = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  receive: (event: Event<Data>, tx: Transaction) => Promise<void>,
): Subscription =>
  onMany(kind, subscriber, async (events, tx) => {
    for (const event of events) await withTrace(traceOf([event]), () => receive(event, tx));
  });

/** Returns the trace that all these events share; otherwise a new one, because no single request caused them. */
export function traceOf(events: Event<object>[]): Trace {
  const first = traceFrom(events[0]?.traceparent);
  const isShared = events.every(({ traceparent }) => traceFrom(traceparent)?.traceId === first?.traceId);
  const current = currentTrace();
  // The job that delivers them is in the same trace: what the event causes is part of it.
  if (isShared && first && current?.traceId === first.traceId) return current;
  return { ...((isShared && first) || newTrace()), job: current?.job };
}

/**
 * Subscribes to batches of at most 100 events that were published together, for kinds published by the thousand. When a
 * batch fails, its events are retried individually.
 */
export const onMany = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handle: (events: Event<Data>[], tx: Transaction) => Promise<void>,
): Subscription => ({ kind, subscriber, handle });

/**
 * Subscribes with work that calls external systems. It runs outside any transaction and may run more than once, so it
 * must be idempotent by the event's id.
 */
export const onExternal = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handleExternally: (event: Event<Data>) => Promise<void>,
): Subscription => ({ kind, subscriber, handleExternally });

/**
 * Subscribes with work that is part of the change: it runs in the publisher's transaction, so that both commit or
 * neither. For effects that must not be delayed, such as granting Keys that were paid for.
 */
export const onInTransaction = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handleInTransaction: (event: Event<Data>, tx: Transaction) => Promise<void>,
): Subscription =>
  onManyInTransaction(kind, subscriber, async (events, tx) => {
    for (const event of events) await handleInTransaction(event, tx);
  });

/**
 * Subscribes, within the publisher's transaction, to all events published together; for kinds published by the hundred.
 */
export const onManyInTransaction = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handleInTransaction: (events: Event<Data>[], tx: Transaction) => Promise<void>,
): Subscription => ({ kind, subscriber, handleInTransaction });

/**
 * Subscribes to several kinds in the order in which their events left the outbox, which is that of their commits wherever
 * one change waited for another. `handleInOrder` runs in the transaction that takes the events out of the outbox, once for
 * each, and one after the other over all processes. All other subscribers wait for it, so it must be short. An event for
 * which it fails reaches no subscriber until a later attempt, after others that follow it.
 */
export const inOrder = (
  kinds: EventKind<object>[],
  subscriber: string,
  handleInOrder: HandleInOrder,
): Subscription[] => kinds.map((kind) => ({ kind, subscriber, handleInOrder }));

/** An event about to be published. */
export interface Announcement {
  kind: EventKind<object>;
  /** Called only if the kind has subscribers. */
  data: () => object;
  traceparent: string | undefined;
}

export const announcement = <Data extends object>(kind: EventKind<Data>, data: () => Data): Announcement => ({
  kind,
  data,
  traceparent: currentTraceparent(),
});

/** Events of one kind as they are written to the outbox. */
export interface OutboxRow {
  event: string;
  /** JSON text. */
  events: string;
}

export interface Events {
  /** Publishes within the transaction: every subscriber receives each event if and only if it commits. */
  publish<Data extends object>(tx: Transaction, kind: EventKind<Data>, ...data: Data[]): Promise<void>;
  /** Publishes events of several kinds within the transaction, grouping those of one kind. */
  publishAll(tx: Transaction, announcements: Announcement[]): Promise<void>;
  /**
   * Returns the outbox rows of these events, for a statement that writes them together with the change itself;
   * undefined if a subscriber runs in the publisher's transaction.
   */
  outboxRows(announcements: Announcement[]): OutboxRow[] | undefined;
}
