import type { Transaction } from '../../../kernel/database/queries.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import type { AccessStore } from './access.store.ts';
import {
  type Entry,
  failed,
  type Grant,
  graceOver,
  NO_PINE_ID,
  nextStep,
  type Step,
} from './access.transitions.ts';
import type { Call, Claimed } from './learning.ts';
import type { Settling } from './settling.ts';

/** What is done for a due grant: the claim of a call, or the reason why none is made now. */
type Decision = Claimed | { why: string };

interface Deps {
  store: AccessStore;
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

/** Decides what is done next for a due grant, and records it before it is done. */
export function decisions({ store, settling, settings }: Deps) {
  const mover = (why: string) => ({ actor: WORKER, why });

  /** Decides the next step for a claimed grant; steps that need no call are done immediately. */
  async function decide(tx: Transaction, found: Grant, at: Date): Promise<Decision> {
    const grant = graceOver(found, at);
    const spelling = await store.spellingOf(tx, grant.handle, at);
    const step = nextStep(grant, spelling);
    if (step.do === 'settle') {
      // Ending it needs the member's lock, which must be taken before that of the row.
      await store.put(
        tx,
        [{ ...grant, leasedUntil: null, dueAt: grant.dueAt ?? at }],
        mover(whyOf(found, grant)),
        at,
      );
      return { why: NOTHING_LEFT };
    }
    if (step.do === 'resolve') return claim(tx, found, grant, step, false, at);
    await store.lockEntry(tx, step.entry);
    if (await store.isBusy(tx, grant.id, step.entry, at))
      return postpone(tx, grant, laterThan(at), 'Another grant of the same handle is under way', at);
    return step.do === 'remove' ? removal(tx, found, grant, step, at) : addition(tx, found, grant, step, at);
  }

  async function addition(
    tx: Transaction,
    found: Grant,
    grant: Grant,
    step: Extract<Step, { do: 'look' | 'add' }>,
    at: Date,
  ): Promise<Decision> {
    if (!settings.hasPlatform) return fail(tx, grant, NO_PLATFORM, 'no-platform', at);
    // Written before the look as well, so that no other grant makes a call about the same handle meanwhile.
    const entry = await store.putEntry(tx, grant.id, step.entry);
    if (step.do === 'look' || entry.origin === 'unknown') {
      return claim(tx, found, grant, { do: 'look', entry }, false, at);
    }
    await store.setOrigin(tx, entry, ['absent'], 'sent');
    return claim(tx, found, grant, { do: 'add', entry }, entry.origin === 'absent', at);
  }

  /**
   * Removes an entry only if a call of ours made it. Members may share a handle: an entry that another member wants is
   * handed over to that grant.
   */
  async function removal(
    tx: Transaction,
    found: Grant,
    grant: Grant,
    step: Extract<Step, { do: 'remove' }>,
    at: Date,
  ): Promise<Decision> {
    if (await store.isShared(tx, grant.id, step.entry)) {
      if (!(await store.handOver(tx, grant.id, step.entry)))
        return postpone(tx, grant, laterThan(at), 'Another grant of the same handle is being changed', at);
      return drop(tx, grant, step.entry, 'Another member holds the same handle', at);
    }
    const origin = await store.originOf(tx, grant.id, step.entry);
    if (origin === 'by_hand') return leaveToPerson(tx, grant, step.entry, at);
    if (origin !== 'made' && origin !== 'sent') return drop(tx, grant, step.entry, STAYS, at);
    if (!settings.hasPlatform) return fail(tx, grant, NO_PLATFORM, 'no-platform', at);
    // Whoever is granted the handle again from now on, this member included, must add it again after this call.
    await store.doubtEntry(tx, step.entry);
    return claim(tx, found, grant, step, false, at);
  }

  /** What a person gave because of a grant, a person takes away. */
  async function leaveToPerson(tx: Transaction, grant: Grant, entry: Entry, at: Date): Promise<Decision> {
    const { pineId } = grant;
    if (entry.pineId !== NO_PINE_ID || pineId === null)
      return fail(tx, grant, givenByHand(entry.handle), 'by-hand', at);
    await store.putEntry(tx, grant.id, { ...entry, pineId, isConfirmed: false });
    return drop(tx, grant, entry, 'The indicator has got its script', at);
  }

  /** Leases the grant for one call. */
  async function claim(
    tx: Transaction,
    found: Grant,
    grant: Grant,
    step: Call,
    isFirst: boolean,
    at: Date,
  ): Promise<Claimed> {
    const handle = step.do === 'look' || step.do === 'add' ? step.entry.handle : grant.handle;
    const leasedUntil = new Date(at.getTime() + settings.leaseMs);
    const claimed = { ...grant, handle, attempts: grant.attempts + 1, leasedUntil, dueAt: leasedUntil };
    await store.put(tx, [claimed], mover(whyOf(found, grant)), at);
    return { grant: claimed, step, isFirst };
  }

  async function postpone(
    tx: Transaction,
    grant: Grant,
    dueAt: Date,
    why: string,
    at: Date,
  ): Promise<Decision> {
    await store.put(tx, [{ ...grant, dueAt }], mover(why), at);
    return { why };
  }

  async function drop(tx: Transaction, grant: Grant, entry: Entry, why: string, at: Date): Promise<Decision> {
    await store.dropEntry(tx, grant.id, entry);
    return postpone(tx, grant, at, why, at);
  }

  async function fail(
    tx: Transaction,
    grant: Grant,
    why: string,
    kind: 'no-platform' | 'by-hand',
    at: Date,
  ): Promise<Decision> {
    const after = failed(grant, why, kind);
    await store.put(tx, [after], mover(why), at);
    if (kind === 'by-hand') await settling.alert(tx, after);
    return { why };
  }

  const laterThan = (at: Date): Date => new Date(at.getTime() + BUSY_MS);

  const whyOf = (before: Grant, after: Grant): string =>
    before.version === after.version
      ? 'A call to the charting platform'
      : 'The grace period of an inactive member is over';

  return { decide };
}

export type Decisions = ReturnType<typeof decisions>;
