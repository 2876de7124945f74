import type { Transaction } from '../../../kernel/database/queries.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import type { SpellingStore } from '../handles/spellings.store.ts';
import { type Entry, type Grant, NO_PINE_ID, type Origin } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { failed, graceOver, nextStep, type Step, sameHandle } from './access.transitions.ts';
import type { EntryStore } from './entries.store.ts';
import type { Call, Claimed } from './observations.ts';
import type { Settling } from './settling.ts';

/** The decision for a due grant: the call that was claimed, or the reason why none is made now. */
type Decision = Claimed | { why: string };

interface Deps {
  store: Pick<AccessStore, 'put'>;
  spellings: Pick<SpellingStore, 'find'>;
  entries: EntryStore;
  settling: Pick<Settling, 'alert'>;
  settings: { leaseMs: number; hasPlatform: boolean };
}

const BUSY_MS = SECOND_MS;
const WORKER = 'service:indicators';
const NO_PLATFORM =
  'No charting platform is configured: make the change there manually and mark it as resolved, or set CHARTING_SESSION_ID and retry';
const givenByHand = (handle: string): string =>
  `A person gave ${handle} access at the charting platform: remove it there and mark this as resolved, or take it over`;
const STAYS = 'The entry at the charting platform was not made by this grant, so it stays';
const NOTHING_LEFT = 'Nothing is left to do at the charting platform';

/** A due grant: as found, and with its countdown ended if it has expired. */
interface Due {
  tx: Transaction;
  found: Grant;
  grant: Grant;
  at: Date;
}

/** Decides the next step of a due grant, and records it before it is taken. */
export function decisions({ store, spellings, entries, settling, settings }: Deps) {
  const put = ({ tx, at }: Due, grant: Grant, why: string): Promise<void> =>
    store.put(tx, [grant], { actor: WORKER, why }, at);

  /** Decides the next step for a claimed grant; steps that need no call are done immediately. */
  async function decide(tx: Transaction, found: Grant, at: Date): Promise<Decision> {
    const grant = graceOver(found, at);
    const due: Due = { tx, found, grant, at };
    const spelling = await spellings.find(tx, grant.handle, at);
    const step = nextStep(grant, spelling);
    if (step.do === 'settle') {
      // Ending the grant requires the member's lock, which must be taken before that of the row.
      await put(due, { ...grant, leasedUntil: null, dueAt: grant.dueAt ?? at }, whyOf(due));
      return { why: NOTHING_LEFT };
    }
    if (step.do === 'resolve') return claim(due, step);
    await entries.lock(tx, [step.entry]);
    if (await entries.isBusy(tx, grant.id, step.entry, at))
      return postpone(due, laterThan(at), 'Another grant of the same handle is under way');
    return step.do === 'remove' ? removal(due, step) : addition(due, step);
  }

  async function addition(due: Due, step: Extract<Step, { do: 'look' | 'add' }>): Promise<Decision> {
    const { tx, grant } = due;
    if (!settings.hasPlatform) return fail(due, NO_PLATFORM, 'no-platform');
    // Recorded before the lookup too, so that no other grant makes a concurrent call for the same handle.
    const entry = await entries.put(tx, grant.id, step.entry);
    if (step.do === 'look' || entry.origin === 'unknown') return claim(due, { do: 'look', entry });
    await entries.setOrigin(tx, entry, ['absent'], 'sent');
    return claim(due, { do: 'add', entry }, entry.origin === 'absent');
  }

  /**
   * Removes an entry only if a call of the platform made it. Members may share a handle: an entry that another member
   * wants is handed over to that member's grant.
   */
  async function removal(due: Due, step: Extract<Step, { do: 'remove' }>): Promise<Decision> {
    const { tx, grant, at } = due;
    if (await entries.isShared(tx, grant.id, step.entry)) {
      if (!(await entries.handOver(tx, grant.id, step.entry)))
        return postpone(due, laterThan(at), 'Another grant of the same handle is being changed');
      return drop(due, step.entry, 'Another member holds the same handle');
    }
    const origin = await entries.originOf(tx, grant.id, step.entry);
    if (origin === 'by_hand') return leaveToPerson(due, step.entry);
    if (origin !== 'made' && origin !== 'sent')
      return drop(keepingAccess(due, step.entry, origin), step.entry, STAYS);
    if (!settings.hasPlatform) return fail(due, NO_PLATFORM, 'no-platform');
    // A later grant of the same handle, to this member or another, must add the entry again after this call.
    await entries.doubt(tx, step.entry);
    return claim(due, step);
  }

  /** Access that a person gave because of a grant must be removed by a person. */
  async function leaveToPerson(due: Due, entry: Entry): Promise<Decision> {
    const { pineId, id } = due.grant;
    if (entry.pineId !== NO_PINE_ID || pineId === null)
      return fail(due, givenByHand(entry.handle), 'by-hand');
    await entries.put(due.tx, id, { ...entry, pineId, isConfirmed: false });
    return drop(due, entry, 'The indicator now has a script');
  }

  /**
   * Leases the grant for one call.
   * @param isFirst whether this is the first call that may add the entry
   */
  async function claim(due: Due, step: Call, isFirst = false): Promise<Claimed> {
    const { grant, at } = due;
    const handle = step.do === 'look' || step.do === 'add' ? step.entry.handle : grant.handle;
    const leasedUntil = new Date(at.getTime() + settings.leaseMs);
    const claimed = { ...grant, handle, attempts: grant.attempts + 1, leasedUntil, dueAt: leasedUntil };
    await put(due, claimed, whyOf(due));
    return { grant: claimed, step, isFirst };
  }

  async function postpone(due: Due, dueAt: Date, why: string): Promise<Decision> {
    await put(due, { ...due.grant, dueAt }, why);
    return { why };
  }

  async function drop(due: Due, entry: Entry, why: string): Promise<Decision> {
    await entries.drop(due.tx, due.grant.id, entry);
    return postpone(due, due.at, why);
  }

  async function fail(due: Due, why: string, kind: 'no-platform' | 'by-hand'): Promise<Decision> {
    const after = failed(due.grant, why, kind);
    await put(due, after, why);
    if (kind === 'by-hand') await settling.alert(due.tx, after);
    return { why };
  }

  return { decide };
}

/** A member who keeps access that was there before the grant is not told that it ends. */
const keepingAccess = (due: Due, entry: Entry, origin: Origin): Due => {
  const { grant } = due;
  const isOfGrant = entry.pineId === grant.pineId && sameHandle(entry.handle, grant.handle);
  const staysOpen = origin === 'found' && entry.isConfirmed && isOfGrant && !grant.isWanted;
  return staysOpen ? { ...due, grant: { ...grant, notifiedStatus: null } } : due;
};

const laterThan = (at: Date): Date => new Date(at.getTime() + BUSY_MS);

const whyOf = ({ found, grant }: Due): string =>
  found.version === grant.version
    ? 'A call to the charting platform'
    : 'The grace period of an inactive member is over';

export type Decisions = ReturnType<typeof decisions>;
