import { Type } from 'typebox';
import type { Transaction } from '../../kernel/database/queries.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';

/** The actor behind a change of a grant, for its history. */
export interface Mover {
  /** A user's id, or a service such as `service:backoffice`. */
  actor: string;
  /** A sentence for operators. */
  why: string;
}

/** The access that an approved marketplace request grants. */
export interface RequestedAccess {
  requestId: ObjectId;
  indicatorId: ObjectId;
  userId: ObjectId;
  handle: string;
}

/** A request whose approval was withdrawn. */
export interface WithdrawnRequest {
  requestId: ObjectId;
  handle: string | null;
  /** The other approved requests of the member; none can be approved or withdrawn until the transaction ends. */
  others: RequestedAccess[];
}

/** The interface of indicators for other modules. */
export interface Indicators {
  /**
   * Records a reference to an indicator, which prevents its deletion; undefined removes the reference.
   * @throws indicatorNotFound
   */
  refer(tx: Transaction, kind: string, id: ObjectId, indicatorId: ObjectId | undefined): Promise<void>;
  /**
   * Grants the access of a request, or refreshes an existing grant. Returns the id of the grant.
   * @throws indicatorNotFound, userNotFound if the member was deleted in the same moment
   */
  grantRequested(tx: Transaction, request: RequestedAccess, mover: Mover): Promise<ObjectId>;
  /**
   * Ends the grant that this request created, unless a stronger source has taken it over since. The first of the member's
   * other approved requests for the same indicator continues the grant instead.
   */
  withdrawRequested(tx: Transaction, request: WithdrawnRequest, mover: Mover): Promise<void>;
  /** Stores the handle of a member's latest request, for grants that name no handle. */
  rememberHandle(tx: Transaction, userId: ObjectId, handle: string): Promise<void>;
  /**
   * Attempts a grant immediately, for at most three seconds.
   * @returns the reason why the member does not have access yet; undefined once they have
   */
  attempt(accessId: ObjectId): Promise<string | undefined>;
  /** Attempts several grants as {@link attempt} does, within three seconds for all; returns the reasons by grant. */
  attemptAll(accessIds: ObjectId[]): Promise<Map<ObjectId, string>>;
}

export const indicatorNotFound = notFound('Indicator');

/** How long an approval waits for its grant to take effect. */
export const GRANT_WAIT_MS = 3 * SECOND_MS;

/**
 * A username at the charting platform, as entered by members: what its names consist of, since it may take anything else
 * for an attack. Names that were stored under a former rule are not checked again.
 */
const HANDLE = /^[\w.-]{1,64}$/;
/** A text with a handle, for descriptions: surrounding spaces and a leading `@` are removed. */
export const HANDLE_PATTERN = '^\\s*@?[A-Za-z0-9_.-]{1,64}\\s*$';
/** What is said of any other text. */
export const HANDLE_RULE = 'must be a username: at most 64 letters, digits, ".", "_" and "-"';

/** Returns a handle without surrounding spaces and a leading `@`; undefined if it is invalid. */
export function handleOf(text: string): string | undefined {
  const handle = text.trim().replace(/^@/, '');
  return HANDLE.test(handle) ? handle : undefined;
}

const memberData = { userId: ObjectIdShape, scannerIds: Type.Array(ObjectIdShape) };
/** Version 1 contained the names of the indicators. */
const upgrades = {
  1: ({ scanners, ...data }: { scanners: { id: ObjectId }[] }) => ({
    ...data,
    scannerIds: scanners.map(({ id }) => id),
  }),
};

/** An indicator of the catalogue was created, changed or deleted. */
export const indicatorChanged = eventKind('indicators.indicator-changed', {
  version: 1,
  data: Type.Object({ indicatorId: ObjectIdShape }),
});

/** A member can use indicators at the charting platform. */
export const accessBegan = eventKind('indicators.access-began', {
  version: 2,
  upgrades,
  data: Type.Object(memberData),
});

/** A member can no longer use indicators at the charting platform. */
export const accessEnded = eventKind('indicators.access-ended', {
  version: 2,
  upgrades,
  data: Type.Object(memberData),
});

/** An inactive member keeps indicators until a date, unless they become active again. */
export const graceBegan = eventKind('indicators.grace-began', {
  version: 2,
  upgrades,
  data: Type.Object({ ...memberData, graceEndsAt: DateTime }),
});
