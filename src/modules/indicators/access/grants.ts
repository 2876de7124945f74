import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { Cache } from '../../../kernel/distributed/cache.ts';
import { type Failure, notFound, tooManyRequests } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Jobs } from '../../../kernel/messaging/jobs.ts';
import type { Actor, Audit } from '../../../kernel/records/audit.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { CatalogueStore } from '../catalogue/catalogue.store.ts';
import { indicatorNotFound, type Mover, type RequestedAccess } from '../contract.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import { carryOut } from '../jobs.ts';
import type { AccessStore } from './access.store.ts';
import { ended, type Grant, granted, renamed, type Wish } from './access.transitions.ts';
import type { Settling } from './settling.ts';

export const accessNotFound = notFound('Access grant');
/** Limited, since each change moves all the member's grants, and all members share the platform's calls. */
export const HANDLE_CHANGES = { lengthMs: DAY_MS, limit: 10 };

export const tooManyHandleChanges = (retryAfterSeconds: number): Failure =>
  tooManyRequests('TOO_MANY_HANDLE_CHANGES', retryAfterSeconds);

interface Deps {
  store: AccessStore;
  catalogue: CatalogueStore;
  holders: HolderStore;
  settling: Pick<Settling, 'tell'>;
  database: Database;
  audit: Audit;
  jobs: Pick<Jobs, 'enqueue'>;
  cache: Pick<Cache, 'consumeSliding'>;
  clock: Clock;
  newId: NewId;
}

/** The result of a change to several grants of one member. */
export interface Walk {
  grants: Grant[];
  /** Grants that the change started or halted. */
  changed: Grant[];
}

/** Grants and revocations. Jobs apply them to the charting platform. */
export function grantRules(deps: Deps) {
  const { store, catalogue, holders, settling, database, audit, jobs, cache, clock, newId } = deps;

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
    told: null,
    createdAt: at,
    updatedAt: at,
    pineId: indicator.pineId,
    entries: [],
  });

  /** Applies a change to grants whose member is locked, writes the differences, and enqueues the job. */
  async function apply(
    tx: Transaction,
    grants: Grant[],
    change: (grant: Grant, at: Date) => Grant,
    mover: Mover,
  ): Promise<Walk> {
    const at = clock.date();
    const pairs = grants.map((before) => ({ before, after: change(before, at) }));
    const written = pairs.filter(({ before, after }) => after !== before && differs(before, after));
    await store.put(
      tx,
      written.map(({ after }) => after),
      mover,
      at,
    );
    if (written.some(({ after }) => after.dueAt !== null)) await jobs.enqueue(tx, carryOut, [{}]);
    for (const userId of new Set(written.map(({ after }) => after.userId))) await settling.tell(tx, userId);
    const isMoved = ({ before, after }: { before: Grant; after: Grant }): boolean =>
      before.version !== after.version || before.graceEndsAt?.getTime() !== after.graceEndsAt?.getTime();
    return {
      grants: pairs.map(({ after }) => after),
      changed: written.filter(isMoved).map(({ after }) => after),
    };
  }

  /** Changes one grant under the lock of its member; of a deleted member nothing is kept after the end. @throws accessNotFound */
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
      const after = grants[0] as Grant;
      await also(tx, before, after);
      const isOver = after.status === 'revoked' && after.leasedUntil === null;
      if (isOver && (await holders.isErased(tx, after.userId))) await store.delete(tx, [id]);
      return after;
    });
  }

  /** Applies a change to all grants that a member holds. */
  async function walk(
    tx: Transaction,
    userId: ObjectId,
    change: (grant: Grant, at: Date) => Grant,
    mover: Mover,
  ): Promise<Walk> {
    await store.lockMember(tx, userId);
    return apply(tx, await store.lockOfMember(tx, userId), change, mover);
  }

  /** Grants a member indicators, refreshing existing grants. Skips indicators that no longer exist. */
  async function grant(
    tx: Transaction,
    userId: ObjectId,
    indicators: { id: ObjectId; pineId: string | null }[],
    wish: Wish,
    mover: Mover,
  ): Promise<Walk> {
    await store.lockMember(tx, userId);
    const ids = indicators.map(({ id }) => id);
    const existing = new Set(await catalogue.share(tx, ids));
    const held = new Map((await store.lockOfMember(tx, userId, ids)).map((one) => [one.indicatorId, one]));
    const at = clock.date();
    const grants = indicators
      .filter(({ id }) => existing.has(id))
      .map((indicator) => held.get(indicator.id) ?? blank(userId, indicator, at));
    return apply(tx, grants, (one, now) => granted(one, wish, now), mover);
  }

  return {
    walk,
    grant,
    changeOne,

    /** Grants manually. @throws indicatorNotFound */
    grantByHand: (indicatorId: ObjectId, userId: ObjectId, handle: string, actor: Actor): Promise<Grant> =>
      database.transaction(async (tx) => {
        const indicator = await catalogue.find(indicatorId, tx);
        if (!indicator) throw indicatorNotFound();
        const wish: Wish = { handle, source: 'manual', requestId: null, priority: 1 };
        const mover = ofAdministrator(actor, 'Granted by an administrator');
        const [made] = (await grant(tx, userId, [indicator], wish, mover)).grants;
        if (!made) throw indicatorNotFound();
        const details = { indicatorId, userId, chartingUsername: handle };
        await audit.record(tx, { ...actor, action: 'indicator-access.granted', target: made.id, details });
        return made;
      }),

    /** Revokes immediately. @throws accessNotFound */
    revoke: (id: ObjectId, actor: Actor): Promise<Grant> =>
      changeOne(
        id,
        (grant, at) => ({ ...ended(grant, 'order', at), priority: 1 }),
        ofAdministrator(actor, 'Revoked by an administrator'),
        async (tx, before, after) => {
          if (before.version === after.version) return;
          const { indicatorId, userId } = after;
          const details = { indicatorId, userId };
          await audit.record(tx, { ...actor, action: 'indicator-access.revoked', target: id, details });
        },
      ),

    /** Saves a member's handle and moves their grants to it; returns how many moved. @throws 429 */
    async saveHandle(userId: ObjectId, handle: string): Promise<number> {
      return database.transaction(async (tx) => {
        await store.lockMember(tx, userId);
        const grants = await store.lockOfMember(tx, userId);
        const moving = grants.some((grant) => renamed(grant, handle, clock.date()) !== grant);
        if (moving) await admitChange(userId);
        await holders.save(tx, userId, 'saved_handle', handle);
        const mover = { actor: userId, why: 'The member changed the charting username' };
        return (await apply(tx, grants, (grant, at) => renamed(grant, handle, at), mover)).changed.length;
      });
    },

    async grantRequested(tx: Transaction, asked: RequestedAccess, mover: Mover): Promise<ObjectId> {
      const { userId, indicatorId, requestId, handle } = asked;
      const indicator = await catalogue.find(indicatorId, tx);
      if (!indicator) throw indicatorNotFound();
      const wish: Wish = { handle, source: 'marketplace', requestId, priority: 1 };
      const [made] = (await grant(tx, userId, [indicator], wish, mover)).grants;
      if (!made) throw indicatorNotFound();
      return made.id;
    },
    async withdrawRequested(tx: Transaction, requestId: ObjectId, mover: Mover): Promise<void> {
      const found = await store.ofRequest(tx, requestId);
      if (!found) return;
      await walk(
        tx,
        found.userId,
        (grant, at) =>
          grant.requestId === requestId ? { ...ended(grant, 'order', at), priority: 1 } : grant,
        mover,
      );
    },
    /** Ends all grants of a deleted member; their remaining data is erased as the grants end. */
    async erase(tx: Transaction, userId: ObjectId): Promise<void> {
      await holders.erase(tx, userId, clock.date());
      const mover = { actor: 'service:identity', why: 'The account was deleted' };
      const { grants } = await walk(tx, userId, endedForGood, mover);
      const over = grants.filter(({ status, leasedUntil }) => status === 'revoked' && leasedUntil === null);
      await store.delete(
        tx,
        over.map(({ id }) => id),
      );
    },
  };

  async function admitChange(userId: ObjectId): Promise<void> {
    const nowMs = clock.now();
    const { admitted, retryAtMs } = await cache.consumeSliding(
      `charting-username:${userId}`,
      HANDLE_CHANGES,
      nowMs,
    );
    if (!admitted) throw tooManyHandleChanges(Math.ceil((retryAtMs - nowMs) / SECOND_MS));
  }
}

export type GrantRules = ReturnType<typeof grantRules>;

export const ofAdministrator = (actor: Actor, why: string): Mover => ({ actor: actor.actor, why });

/** Ends a grant. One with a call under way is looked at again after it, and deleted then. */
function endedForGood(grant: Grant, at: Date): Grant {
  const over = ended(grant, 'order', at);
  return over.status === 'revoked' && over.leasedUntil !== null ? { ...over, dueAt: over.leasedUntil } : over;
}

/** Returns whether a grant has changed; the priority alone does not count. */
const differs = (before: Grant, after: Grant): boolean =>
  JSON.stringify({ ...before, priority: 0 }) !== JSON.stringify({ ...after, priority: 0 });
