import type { Static, TObject } from 'typebox';
import type { EventKind } from '../../kernel/messaging/events.ts';

/** The public event that an event of a module becomes, as the data of a public type. */
export interface PublicSource<Data = object> {
  // biome-ignore lint/suspicious/noExplicitAny: `kind` determines the type of the data
  kind: EventKind<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  map(data: any): Data | undefined;
}

/**
 * Maps an event to public data: ids and numbers, never names, addresses or free texts. Returns undefined for an
 * event that should not be published, such as a repetition. It must not fail: the event would reach nobody before it is
 * mended.
 */
export const fromEvent = <Data extends object, Public>(
  kind: EventKind<Data>,
  map: (data: Data) => Public | undefined,
): PublicSource<Public> => ({ kind, map });

/** A type of event that other systems receive, contributed by the module where it happens. */
export interface PublicEvent {
  /** The subject and the action: `wallet.funded`. The name must never change once it is published. */
  type: string;
  /** States when the event happens, in a sentence for developers of receivers. */
  about: string;
  /** Incremented when a field changes its meaning; new fields do not count. */
  version: number;
  /** The fields; each needs a description, unless it is a common id. */
  data: TObject;
  from: PublicSource[];
}

export const publicEvent = <Shape extends TObject>(
  type: string,
  {
    about,
    version = 1,
    data,
    from,
  }: { about: string; version?: number; data: Shape; from: PublicSource<Static<Shape>>[] },
): PublicEvent => ({ type, about, version, data, from: from as PublicSource[] });

/** An event that other systems do not learn of, and why. A test fails for events that are neither public nor internal. */
export interface InternalEvent {
  // biome-ignore lint/suspicious/noExplicitAny: only its name matters
  kind: EventKind<any>;
  reason: string;
}

/** Lists events that stay internal for the same reason. */
// biome-ignore lint/suspicious/noExplicitAny: only their names matter
export const internalEvents = (reason: string, ...kinds: EventKind<any>[]): InternalEvent[] =>
  kinds.map((kind) => ({ kind, reason }));

declare module '../module.ts' {
  interface Contributions {
    /** Events that other systems receive by webhooks and read in the feed. */
    publicEvents?: PublicEvent[];
    /** Events that other systems do not receive. */
    internalEvents?: InternalEvent[];
  }
}
