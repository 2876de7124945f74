import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { notFound } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { userNotFound } from '../../identity/contract.ts';
import type { CatalogueStore } from '../catalogue/catalogue.store.ts';
import type { Mover } from '../contract.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import { applyGrants } from '../jobs.ts';
import type { Grant } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { granted, type Wish } from './access.transitions.ts';
import type { Settling } from './settling.ts';

export const accessNotFound = notFound('Access grant');

interface Deps extends Pick<Core, 'database' | 'jobs' | 'clock' | 'newId'> {
  store: AccessStore;
  catalogue: Pick<CatalogueStore, 'share'>;
  holders: Pick<HolderStore, 'isErased'>;
  settling: Pick<Settling, 'tell'>;
}

/** The result of a change to several grants of one member. */
export interface ChangeResult {
  grants: Grant[];
  /** Grants that the change started or halted. */
  changed: Grant[];
}

/** Indicators to grant to a member. */
interface Granting {
  indicators: { id: ObjectId; pineId: string | null }[];
  wish: Wish;
  mover: Mover;
}

export const ofAdministrator = (actor: Actor, why: string): Mover => ({ actor: actor.actor, why });

/** Changes of the wanted state, under the lock of the member. Jobs apply them at the charting platform. */
export function changing(deps: Deps) {
  const { store, catalogue, holders, settling, database, jobs, clock, newId } = deps;

  const blank = (userId: ObjectId, indicator: { id: ObjectId; pineId: string | null }, at: Date): Grant => ({
    id: newId(),
    indicatorId: indicator.id,
    userId,
    handle: '',
    isWanted: false,
    status: 'revoked',
    failedAction: null,
    source: 'marketplace',
    requestId: null,
    version: 0,
    attempts: 0,
    lastError: null,
    errorKind: null,
    priority: 0,
    dueAt: null,
    leasedUntil: null,
    graceEndsAt: null,
    endedBy: null,
    notifiedStatus: null,
    createdAt: at,
    updatedAt: at,
    pineId: indicator.pineId,
    entries: [],
  });

  /** Applies a change to grants whose member is locked, writes the changed ones, and enqueues the job. */
  async function apply(
    tx: Transaction,
    grants: Grant[],
    change: (grant: Grant, at: Date) => Grant,
    mover: Mover,
  ): Promise<ChangeResult> {
    const at = clock.date();
    const pairs = grants.map((before) => ({ before, after: change(before, at) }));
    const written = pairs.filter(({ before, after }) => after !== before && differs(before, after));
    await store.put(
      tx,
      written.map(({ after }) => after),
      mover,
      at,
    );
    if (written.some(({ after }) => after.dueAt !== null)) await jobs.enqueue(tx, applyGrants, [{}]);
    for (const userId of new Set(written.map(({ after }) => after.userId))) await settling.tell(tx, userId);
    const isMoved = ({ before, after }: { before: Grant; after: Grant }): boolean =>
      before.version !== after.version || before.graceEndsAt?.getTime() !== after.graceEndsAt?.getTime();
    return {
      grants: pairs.map(({ after }) => after),
      changed: written.filter(isMoved).map(({ after }) => after),
    };
  }

  /**
   * Changes one grant under the lock of its member; a grant of a deleted member is deleted when it ends.
   * @throws accessNotFound
   */
  async function changeOne(
    id: ObjectId,
    change: (grant: Grant, at: Date) => Grant,
    mover: Mover,
    also: (tx: Transaction, before: Grant, after: Grant) => Promise<void>,
  ): Promise<Grant> {
    return database.transaction(async (tx) => {
      const found = await store.find(id, tx);
      if (!found) throw accessNotFound();
      await store.lockMember(tx, found.userId);
      const before = await store.lock(tx, id);
      if (!before) throw accessNotFound();
      const { grants } = await apply(tx, [before], change, mover);
      const after = only(grants);
      await also(tx, before, after);
      const isOver = after.status === 'revoked' && after.leasedUntil === null;
      if (isOver && (await holders.isErased(tx, after.userId))) await store.delete(tx, [id]);
      return after;
    });
  }

  /** Applies a change to all grants that a member holds. */
  async function changeAll(
    tx: Transaction,
    userId: ObjectId,
    change: (grant: Grant, at: Date) => Grant,
    mover: Mover,
  ): Promise<ChangeResult> {
    await store.lockMember(tx, userId);
    return apply(tx, await store.lockOfMember(tx, userId), change, mover);
  }

  /**
   * Grants a member indicators, refreshing existing grants. Skips indicators that no longer exist.
   * @throws userNotFound if the member was deleted in the same moment: nothing would end the grants
   */
  async function grant(
    tx: Transaction,
    userId: ObjectId,
    { indicators, wish, mover }: Granting,
  ): Promise<ChangeResult> {
    await store.lockMember(tx, userId);
    if (await holders.isErased(tx, userId)) throw userNotFound();
    const ids = indicators.map(({ id }) => id);
    const existing = new Set(await catalogue.share(tx, ids));
    const current = new Map((await store.lockOfMember(tx, userId, ids)).map((one) => [one.indicatorId, one]));
    const at = clock.date();
    const grants = indicators
      .filter(({ id }) => existing.has(id))
      .map((indicator) => current.get(indicator.id) ?? blank(userId, indicator, at));
    return apply(tx, grants, (one, now) => granted(one, wish, now), mover);
  }

  return { apply, changeOne, changeAll, grant };
}

export type Changes = ReturnType<typeof changing>;

/** Whether a grant has changed; a change of the priority alone does not count. */
const differs = (before: Grant, after: Grant): boolean =>
  JSON.stringify({ ...before, priority: 0 }) !== JSON.stringify({ ...after, priority: 0 });
