import type { Core } from '../../../kernel/core.ts';
import { type Event, inOrder, type Subscription } from '../../../kernel/messaging/events.ts';
import { upgraded } from '../../../kernel/messaging/versions.ts';
import type { Catalogue } from './catalogue.ts';
import type { EventLogStore } from './event-log.store.ts';
import type { Logged } from './events.model.ts';

interface LogDeps extends Pick<Core, 'log' | 'check'> {
  store: EventLogStore;
  catalogue: Catalogue;
}

/** The public form of a module's event; `unreadable` if the event is newer than this program. */
type Reading = { type: string; data: object } | 'no news' | 'unreadable';

/** The log of public events, in the order of commits. */
export function eventLog({ store, catalogue, log, check }: LogDeps) {
  /** Logged once: later events are published only after a program can read this one, which operators must know. */
  const warn = (name: string, error?: unknown): void =>
    log.error({ err: error, event: name }, 'an event cannot be made public; the feed stops before it');

  function read({ name, version, data }: Pick<Event<object>, 'name' | 'version' | 'data'>): Reading {
    const found = catalogue.sourceOf(name);
    if (!found) return 'unreadable';
    try {
      const current = upgraded(found.source.kind, version, data);
      if (!current) return 'unreadable';
      const mapped = found.source.map(current);
      if (mapped) check(`the public event ${found.type}`, found.shape, mapped);
      return mapped ? { type: found.type, data: mapped } : 'no news';
    } catch (error) {
      warn(name, error);
      return 'unreadable';
    }
  }

  function loggedOf(event: Event<object>): Logged | undefined {
    const reading = read(event);
    if (reading === 'no news') return undefined;
    const { id, name, version, data, occurredAt } = event;
    const happenedAt = new Date(occurredAt);
    if (reading === 'unreadable')
      return { id, type: null, happenedAt, data: null, unread: JSON.stringify({ name, version, data }) };
    return { id, type: reading.type, happenedAt, data: JSON.stringify(reading.data), unread: null };
  }

  return {
    /** Appends the events of modules to the log, in the transaction that takes them out of the outbox. */
    subscriptions: (): Subscription[] =>
      inOrder(
        catalogue.types.flatMap(({ from }) => from.map(({ kind }) => kind)),
        'webhooks',
        async (events, tx) => {
          const logged = events.flatMap((event) => loggedOf(event) ?? []);
          if (logged.length > 0) await store.append(tx, logged);
        },
      ),
    /** Reads events that an older program could not read; returns whether there are any left. */
    async readAgain(): Promise<boolean> {
      for (const { position, unread } of await store.unread()) {
        const reading = read(unread as unknown as Event<object>);
        if (reading === 'unreadable') return true;
        const data = reading === 'no news' ? undefined : JSON.stringify(reading.data);
        await store.resolve(
          position,
          reading === 'no news' ? undefined : { type: reading.type, data: data as string },
        );
      }
      return false;
    },
  };
}
