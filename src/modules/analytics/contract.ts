import type { Event, EventKind } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Something that a member did on the platform, as operators count it. */
export interface Fact {
  userId: ObjectId;
  /** As clients name theirs: `course.enrolled`. */
  name: string;
  /** `conversion`, `trading`, `education` or `engagement`. */
  type: string;
  metadata?: Record<string, unknown>;
  /** US cents, signed; of payments. */
  cents?: number;
}

/** The facts that an event stands for. */
export interface FactSource {
  // biome-ignore lint/suspicious/noExplicitAny: the kind says what the data is
  kind: EventKind<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  factsOf(data: any, event: Event<object>): Fact[];
}

/**
 * Says which facts an event stands for. They are recorded in the transaction that publishes it: none without the change,
 * and none twice.
 */
export const facts = <Data extends object>(
  kind: EventKind<Data>,
  factsOf: (data: Data, event: Event<object>) => Fact[],
): FactSource => ({ kind, factsOf });

/** Figures of one member, as the modules' own records have them. */
export interface MemberFigures {
  engagement: { posts: number; comments: number; reactions: number };
  trading: { trades: number; winRate: number };
  education: { coursesEnrolled: number; lessonsCompleted: number };
}

/** Figures of the platform within a period, as the modules' own records have them. */
export interface PlatformFigures {
  /** Members at the end of the period. */
  totalUsers: number;
  newUsers: number;
  watchSeconds: number;
}

/** What a module contributes to analytics. */
export interface Measures {
  facts?: FactSource[];
  ofMember?(userId: ObjectId): Promise<Partial<MemberFigures>>;
  /** The end is excluded. */
  between?(from: Date, to: Date): Promise<Partial<PlatformFigures>>;
}
