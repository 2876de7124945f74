import type { ObjectId } from '../../kernel/ids.ts';
import type { Event, EventKind } from '../../kernel/messaging/events.ts';

/** An action of a member, as counted in operators' reports. */
export interface Fact {
  userId: ObjectId;
  /** Follows the naming of client events: `course.enrolled`. */
  name: string;
  /** `conversion`, `trading`, `education` or `engagement`. */
  type: string;
  metadata?: Record<string, unknown>;
  /** Signed amount in US cents, for payments. */
  cents?: number;
}

/** Maps an event to the facts that it represents. */
export interface FactSource {
  // biome-ignore lint/suspicious/noExplicitAny: the kind says what the data is
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

/** Figures of one member, from the modules' own records. */
export interface MemberFigures {
  engagement: { posts: number; comments: number; reactions: number };
  trading: { trades: number; winRate: number };
  education: { coursesEnrolled: number; lessonsCompleted: number };
}

/** Figures of the platform within a period, from the modules' own records. */
export interface PlatformFigures {
  /** Members at the end of the period. */
  totalUsers: number;
  newUsers: number;
  watchSeconds: number;
}

/** A module's contribution to analytics. */
export interface Measures {
  facts?: FactSource[];
  ofMember?(userId: ObjectId): Promise<Partial<MemberFigures>>;
  /** The end is excluded. */
  between?(from: Date, to: Date): Promise<Partial<PlatformFigures>>;
}

declare module '../module.ts' {
  interface Contributions {
    /** Figures shown to operators, and to members about themselves. */
    measures?: Measures;
  }
}
