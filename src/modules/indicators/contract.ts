import { Type } from 'typebox';
import type { Transaction } from '../../kernel/database/queries.ts';
import { eventKind } from '../../kernel/events.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** Who or what set a grant in motion, for its history. */
export interface Mover {
  /** A user's id, or a service such as `service:backoffice`. */
  actor: string;
  /** A sentence that operators read. */
  why: string;
}

/** What was asked for by an approved marketplace request. */
export interface RequestedAccess {
  requestId: ObjectId;
  indicatorId: ObjectId;
  userId: ObjectId;
  handle: string;
}

/** Indicators, as other modules see them. */
export interface Indicators {
  /**
   * Notes that something points at an indicator, which can't be deleted from then on; undefined forgets it.
   * @throws indicatorNotFound
   */
  refer(tx: Transaction, kind: string, id: ObjectId, indicatorId: ObjectId | undefined): Promise<void>;
  /** Grants what a request asked for; an already held grant is refreshed. Returns the id of the grant. */
  grantRequested(tx: Transaction, request: RequestedAccess, mover: Mover): Promise<ObjectId>;
  /** Ends the grant that this request created, unless another source has raised it since. */
  withdrawRequested(tx: Transaction, requestId: ObjectId, mover: Mover): Promise<void>;
  /** Remembers the handle of a member's latest request, for grants that name none. */
  rememberHandle(tx: Transaction, userId: ObjectId, handle: string): Promise<void>;
  /**
   * Tries a grant at once, for at most three seconds.
   * @returns why the member does not have access yet; undefined once they have
   */
  attempt(accessId: ObjectId): Promise<string | undefined>;
}

export const indicatorNotFound = notFound('Indicator');

/** A name at the charting platform, as members write it. */
const HANDLE = /^[^\s\p{C}@/\\]{1,64}$/u;

/** Returns a handle without spaces around it and without the `@` that people put before it; undefined if it is none. */
export function handleOf(text: string): string | undefined {
  const handle = text.trim().replace(/^@/, '');
  return HANDLE.test(handle) ? handle : undefined;
}

const Scanner = Type.Object({ id: ObjectIdShape, name: Type.String() });
const memberData = { userId: ObjectIdShape, scanners: Type.Array(Scanner) };

/** An indicator of the catalogue was created, changed or deleted. */
export const indicatorChanged = eventKind('indicators.indicator-changed', {
  version: 1,
  data: Type.Object({ indicatorId: ObjectIdShape }),
});

/** A member can use indicators at the charting platform. */
export const accessBegan = eventKind('indicators.access-began', {
  version: 1,
  data: Type.Object(memberData),
});

/** A member can no longer use indicators at the charting platform. */
export const accessEnded = eventKind('indicators.access-ended', {
  version: 1,
  data: Type.Object(memberData),
});

/** An inactive member keeps indicators until a date, unless they become active again. */
export const graceBegan = eventKind('indicators.grace-began', {
  version: 1,
  data: Type.Object({ ...memberData, graceEndsAt: DateTime }),
});
