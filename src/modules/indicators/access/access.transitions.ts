// The state machine of grants, as pure functions from a row to the next row. It distinguishes the wanted state, the
// entries that may exist at the charting platform (`entries`), and the work that reconciles them.
import type { ObjectId } from '../../../kernel/ids.ts';
import {
  type Access,
  type Entry,
  type ErrorKind,
  type Grant,
  NO_PINE_ID,
  SOURCES,
  type Source,
} from './access.model.ts';

export interface Wish {
  handle: string;
  source: Source;
  requestId: ObjectId | null;
  /** Grants with priority 1 are processed before those with 0. */
  priority: number;
}

const NO_SCRIPT =
  'The indicator has no pineId: add it and retry, or grant access manually at the charting platform';

export const sameHandle = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

/** Whether this is the entry that the grant wants. */
export const isWantedEntry = (grant: Grant, { pineId, handle }: Pick<Entry, 'pineId' | 'handle'>): boolean =>
  grant.isWanted && pineId === (grant.pineId ?? NO_PINE_ID) && sameHandle(handle, grant.handle);

/** Whether this is an entry under a former handle of a grant that is still wanted. */
export const isOfFormerHandle = (grant: Grant, { handle }: Pick<Entry, 'handle'>): boolean =>
  grant.isWanted && !sameHandle(handle, grant.handle);

const isConfirmed = (grant: Grant): boolean =>
  grant.entries.some((entry) => entry.isConfirmed && isWantedEntry(grant, entry));

const later = (at: Date, other: Date | null): Date => (other !== null && other > at ? other : at);
const stronger = (left: Source, right: Source): Source =>
  SOURCES.indexOf(right) > SOURCES.indexOf(left) ? right : left;

const CLEAR = { attempts: 0, lastError: null, errorKind: null, failedAction: null } as const;

/** Starts a new version, so that results of calls for an earlier version settle nothing. */
function wantedAnew(grant: Grant, at: Date, graceEndsAt: Date | null = null): Grant {
  const renewed = {
    ...grant,
    ...CLEAR,
    isWanted: true,
    version: grant.version + 1,
    graceEndsAt,
    endedBy: null,
  };
  if (grant.pineId !== null)
    return { ...renewed, status: 'pending_grant', dueAt: later(at, grant.leasedUntil) };
  return isConfirmed(renewed) ? stillHeld(renewed) : failed(renewed, NO_SCRIPT, 'no-script');
}

/** The member keeps access, until the end of a countdown if there is one. */
const stillHeld = (grant: Grant): Grant => ({
  ...grant,
  status: grant.graceEndsAt === null ? 'active' : 'pending_revoke',
  dueAt: grant.graceEndsAt,
});

/** Cancels a countdown; the member keeps access. */
function restored(grant: Grant, at: Date): Grant {
  if (grant.status === 'failed') return { ...grant, graceEndsAt: null, dueAt: null };
  if (grant.status === 'pending_grant') return { ...grant, graceEndsAt: null };
  if (!isConfirmed(grant)) return wantedAnew(grant, at);
  return { ...grant, ...CLEAR, status: 'active', graceEndsAt: null, dueAt: null, version: grant.version + 1 };
}

/** Grants access. A grant with the same handle does not change, except for a stronger source. */
export function granted(before: Grant, wish: Wish, at: Date): Grant {
  const grant = graceOver(before, at);
  if (!grant.isWanted) {
    const { handle, source, requestId, priority } = wish;
    return wantedAnew({ ...grant, handle, source, requestId, priority }, at);
  }
  const source = stronger(grant.source, wish.source);
  const isSame = sameHandle(grant.handle, wish.handle);
  // Who gives the handle decides about the grant, so that a denial takes that handle back; a weaker source ends nothing.
  const isTaken = source !== grant.source || (!isSame && source === wish.source);
  const requestId = isTaken ? wish.requestId : grant.requestId;
  const raised = { ...grant, source, requestId, handle: isSame ? grant.handle : wish.handle };
  const isStuck = grant.status === 'failed' && !(grant.pineId === null && grant.errorKind === 'no-script');
  if (!isSame || isStuck) return wantedAnew({ ...raised, priority: wish.priority }, at);
  return grant.graceEndsAt === null ? raised : restored(raised, at);
}

/** Changes the member's handle, for grants whose access is wanted. */
export function renamed(grant: Grant, handle: string, at: Date): Grant {
  if (!grant.isWanted || sameHandle(grant.handle, handle)) return grant;
  // A countdown continues.
  return wantedAnew({ ...grant, handle }, at, grant.graceEndsAt);
}

/** Another request continues a grant; its handle takes the place of that of the former request. */
export function inherited(
  grant: Grant,
  former: { handle: string | null },
  heir: { requestId: ObjectId; handle: string },
  at: Date,
): Grant {
  const kept = { ...grant, requestId: heir.requestId };
  const isOfFormer = former.handle !== null && sameHandle(grant.handle, former.handle);
  return isOfFormer ? renamed(kept, heir.handle, at) : kept;
}

/** Ends a grant immediately. */
export function ended(grant: Grant, endedBy: 'order' | 'inactive', at: Date): Grant {
  if (!grant.isWanted && grant.status !== 'failed') return grant;
  const over = {
    ...grant,
    ...CLEAR,
    isWanted: false,
    graceEndsAt: null,
    endedBy,
    version: grant.version + 1,
  };
  // An active grant is never revoked directly, even if it has no entries at the charting platform.
  if (grant.entries.length === 0 && grant.status !== 'active')
    return { ...over, status: 'revoked', dueAt: null };
  return { ...over, status: 'pending_revoke', dueAt: later(at, grant.leasedUntil) };
}

/**
 * Starts the countdown of an inactive member's access, once. A pending grant continues, and a failed one stays on the
 * worklist, because the member has no access that a countdown could preserve.
 */
export function inactive(grant: Grant, graceEndsAt: Date): Grant {
  if (grant.source === 'manual' || !grant.isWanted || grant.graceEndsAt !== null) return grant;
  if (grant.status === 'pending_grant') return { ...grant, graceEndsAt };
  if (grant.status === 'failed') return { ...grant, graceEndsAt, dueAt: graceEndsAt };
  return { ...grant, ...CLEAR, status: 'pending_revoke', graceEndsAt, dueAt: graceEndsAt };
}

/** Cancels the countdown of a member who is active again; access that has ended is not restored. */
export function active(before: Grant, at: Date): Grant {
  const grant = graceOver(before, at);
  return grant.isWanted && grant.graceEndsAt !== null ? restored(grant, at) : grant;
}

/** Ends a countdown that has expired. */
export const graceOver = (grant: Grant, at: Date): Grant =>
  grant.isWanted && grant.graceEndsAt !== null && grant.graceEndsAt <= at
    ? ended(grant, 'inactive', at)
    : grant;

/** Retries a failed grant. */
export function retried(grant: Grant, at: Date): Grant {
  // A countdown that has started since continues.
  if (grant.failedAction === 'grant') return { ...wantedAnew(grant, at, grant.graceEndsAt), priority: 1 };
  return { ...ended(grant, grant.endedBy ?? 'order', at), priority: 1 };
}

/** Grants again an access that the charting platform has lost. */
export const absentOutside = (grant: Grant, at: Date): Grant => wantedAnew({ ...grant, priority: 0 }, at);

/**
 * Continues after an administrator has taken over the entries under the handle of a grant. For a grant that has ended,
 * they are removed now; one that waited for a person continues automatically.
 */
export function takenOver(grant: Grant, at: Date): Grant {
  if (grant.status === 'revoked')
    return {
      ...grant,
      ...CLEAR,
      status: 'pending_revoke',
      version: grant.version + 1,
      dueAt: at,
      priority: 1,
    };
  return grant.status === 'failed' && grant.errorKind === 'by-hand' ? retried(grant, at) : grant;
}

/** Resolves a failed grant that a person completed by hand. */
export function doneByHand(grant: Grant): Grant {
  const resolved = { ...grant, ...CLEAR, version: grant.version + 1 };
  if (grant.failedAction === 'revoke') return { ...resolved, status: 'revoked', dueAt: null };
  // A countdown that has started since continues.
  return stillHeld(resolved);
}

/** A worker's next step for a due grant. */
export type Step =
  | { do: 'resolve'; handle: string }
  | { do: 'remove'; entry: Entry }
  /** Looks the entry up before adding it: an existing entry is not the platform's own. */
  | { do: 'look'; entry: Entry }
  | { do: 'add'; entry: Entry }
  /** No further call is needed. */
  | { do: 'settle' };

/** @param spelling the platform's spelling of the handle, if known */
export function nextStep(grant: Grant, spelling: string | undefined): Step {
  const isPendingGrant = grant.status === 'pending_grant' && grant.pineId !== null;
  // Checked before anything is removed, so that a mistyped handle removes nothing.
  if (isPendingGrant && spelling === undefined) return { do: 'resolve', handle: grant.handle };
  const unwanted = grant.entries.find((entry) => !isWantedEntry(grant, entry));
  if (unwanted && (grant.status === 'pending_grant' || !grant.isWanted))
    return { do: 'remove', entry: unwanted };
  if (!isPendingGrant || isConfirmed(grant)) return { do: 'settle' };
  const { origin } = grant.entries.find((entry) => isWantedEntry(grant, entry)) ?? { origin: 'unknown' };
  const entry = {
    pineId: grant.pineId as string,
    handle: spelling ?? grant.handle,
    isConfirmed: false,
    origin,
  };
  // The origin of a found entry is uncertain once the entry is no longer confirmed.
  return { do: origin === 'unknown' || origin === 'found' ? 'look' : 'add', entry };
}

/** Moves a grant that needs no further call to its final status. */
export function arrived(grant: Grant, at: Date): Grant {
  const rest = { ...grant, ...CLEAR, leasedUntil: null };
  if (!grant.isWanted) return { ...rest, status: 'revoked', dueAt: null };
  if (grant.status !== 'pending_grant') return { ...rest, dueAt: grant.graceEndsAt };
  if (grant.pineId === null && !isConfirmed(grant)) return failed(grant, NO_SCRIPT, 'no-script');
  if (grant.graceEndsAt === null) return stillHeld(rest);
  return { ...rest, status: 'pending_revoke', dueAt: later(grant.graceEndsAt, at) };
}

/** Marks a grant as failed: it requires a person, unless a countdown ends it first. */
export const failed = (grant: Grant, lastError: string, errorKind: ErrorKind): Grant => ({
  ...grant,
  status: 'failed',
  failedAction: grant.isWanted ? 'grant' : 'revoke',
  lastError,
  errorKind,
  dueAt: grant.graceEndsAt,
});

/** Whether a grant needs work now. */
export const isUnderWay = ({ status, isWanted }: Access): boolean =>
  status === 'pending_grant' || (status === 'pending_revoke' && !isWanted);
