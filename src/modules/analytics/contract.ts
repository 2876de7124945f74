import { type Static, type TSchema, Type } from 'typebox';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Event, EventKind } from '../../kernel/messaging/events.ts';

/** An action of a member, as counted in operators' reports. */
export interface Fact {
  userId: ObjectId;
  /** Named like client events: `course.enrolled`. */
  name: string;
  /** `conversion`, `trading`, `education` or `engagement`. */
  type: string;
  metadata?: Record<string, unknown>;
  /** Signed amount in US cents, for payments. */
  cents?: number;
}

/** Maps an event to the facts that it represents. */
export interface FactSource {
  // biome-ignore lint/suspicious/noExplicitAny: `kind` determines the type of the data
  kind: EventKind<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  factsOf(data: any, event: Event<object>): Fact[];
}

/**
 * Declares the facts that an event represents. They are recorded exactly once, in the transaction that publishes the
 * event.
 */
export const facts = <Data extends object>(
  kind: EventKind<Data>,
  factsOf: (data: Data, event: Event<object>) => Fact[],
): FactSource => ({ kind, factsOf });

/** The shapes of figures. */
export const Count = Type.Integer({ minimum: 0 });
export const Percentage = Type.Number({ minimum: 0, maximum: 100 });

/** Returns a part of a whole in percent with two decimals; 0 if the whole is 0. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;

/** Figures of a section, with their shapes. Several modules may contribute to one section. */
export interface Figures<Of> {
  /** The name of the section in the API: `trading`. */
  section: string;
  fields: Record<string, TSchema>;
  read(of: Of): Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** Declares figures: `figures('trading', { trades: Count }, (userId) => store.figuresOf(userId))`. */
export const figures = <Of, const Fields extends Record<string, TSchema>>(
  section: string,
  fields: Fields,
  read: (of: Of) => Valued<Fields> | Promise<Valued<Fields>>,
): Figures<Of> => ({ section, fields, read });

type Valued<Fields extends Record<string, TSchema>> = { [Name in keyof Fields]: Static<Fields[Name]> };

/** A period of the dashboard. */
export interface Period {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Sums of the facts with these names that the platform recorded within the period. */
  facts: { count(...names: string[]): number; cents(...names: string[]): number };
}

/** A module's contribution to analytics. */
export interface Measures {
  facts?: FactSource[];
  /** Names and types of events that are listed from the start; other names are listed once several members use them. */
  tracked?: { names?: string[]; types?: string[] };
  /** Figures of a member, by the member's id. */
  ofMember?: Figures<ObjectId>[];
  /** Figures of the platform on the dashboard. */
  ofPlatform?: Figures<Period>[];
}

declare module '../module.ts' {
  interface Contributions {
    /** Figures shown to operators, and to members about themselves. */
    measures?: Measures;
  }
}
