import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { admitSliding } from '../../../kernel/distributed/rate-limiter.ts';
import { type Failure, tooManyRequests } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import type { CatalogueStore } from '../catalogue/catalogue.store.ts';
import { indicatorNotFound, type Mover, type RequestedAccess, type WithdrawnRequest } from '../contract.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import type { Grant } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { ended, inherited, renamed, type Wish } from './access.transitions.ts';
import { type Changes, ofAdministrator } from './changing.ts';

/** Limited, because each change moves all the member's grants, and all members share the platform's calls. */
export const HANDLE_CHANGES = { lengthMs: DAY_MS, limit: 10 };

export const tooManyHandleChanges = (retryAfterSeconds: number): Failure =>
  tooManyRequests('TOO_MANY_HANDLE_CHANGES', retryAfterSeconds);

interface Deps extends Pick<Core, 'database' | 'audit' | 'cache' | 'clock'> {
  store: AccessStore;
  catalogue: CatalogueStore;
  holders: HolderStore;
  changes: Changes;
}

/** Granting and revoking indicators. */
export function grantRules(deps: Deps) {
  const { store, catalogue, holders, changes, database, audit, cache, clock } = deps;

  return {
    /** Grants manually. @throws indicatorNotFound, userNotFound */
    grantByHand: <Result>(
      { indicatorId, userId, handle }: { indicatorId: ObjectId; userId: ObjectId; handle: string },
      actor: Actor,
      then: (tx: Transaction, grant: Grant) => Promise<Result>,
    ): Promise<Result> =>
      database.transaction(async (tx) => {
        const indicator = await catalogue.find(indicatorId, tx);
        if (!indicator) throw indicatorNotFound();
        const wish: Wish = { handle, source: 'manual', requestId: null, priority: 1 };
        const mover = ofAdministrator(actor, 'Granted by an administrator');
        const [made] = (await changes.grant(tx, userId, { indicators: [indicator], wish, mover })).grants;
        if (!made) throw indicatorNotFound();
        const details = { indicatorId, userId, chartingUsername: handle };
        await audit.record(tx, { ...actor, action: 'indicator-access.granted', target: made.id, details });
        return then(tx, made);
      }),

    /** Revokes immediately. @throws accessNotFound */
    revoke: (id: ObjectId, actor: Actor): Promise<Grant> =>
      changes.changeOne(
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
        return (await changes.apply(tx, grants, (grant, at) => renamed(grant, handle, at), mover)).changed
          .length;
      });
    },

    async grantRequested(tx: Transaction, request: RequestedAccess, mover: Mover): Promise<ObjectId> {
      const { userId, indicatorId, requestId, handle } = request;
      const indicator = await catalogue.find(indicatorId, tx);
      if (!indicator) throw indicatorNotFound();
      const wish: Wish = { handle, source: 'marketplace', requestId, priority: 1 };
      const [made] = (await changes.grant(tx, userId, { indicators: [indicator], wish, mover })).grants;
      if (!made) throw indicatorNotFound();
      return made.id;
    },
    async withdrawRequested(tx: Transaction, request: WithdrawnRequest, mover: Mover): Promise<void> {
      const found = await store.ofRequest(tx, request.requestId);
      if (!found) return;
      const change = (grant: Grant, at: Date): Grant => {
        if (grant.requestId !== request.requestId) return grant;
        const heir = request.others.find(({ indicatorId }) => indicatorId === grant.indicatorId);
        const after =
          heir && grant.isWanted ? inherited(grant, request, heir, at) : ended(grant, 'order', at);
        return { ...after, priority: 1 };
      };
      await changes.changeAll(tx, found.userId, change, mover);
    },
    /** Ends all grants of a deleted member; their remaining data is erased as the grants end. */
    async erase(tx: Transaction, userId: ObjectId): Promise<void> {
      await store.lockMember(tx, userId);
      await holders.erase(tx, userId, clock.date());
      const mover = { actor: 'service:identity', why: 'The account was deleted' };
      const { grants } = await changes.changeAll(tx, userId, endedPermanently, mover);
      const over = grants.filter(({ status, leasedUntil }) => status === 'revoked' && leasedUntil === null);
      await store.delete(
        tx,
        over.map(({ id }) => id),
      );
    },
  };

  function admitChange(userId: ObjectId): Promise<void> {
    const answer = { nowMs: clock.now(), refused: tooManyHandleChanges };
    return admitSliding(cache, `charting-username:${userId}`, HANDLE_CHANGES, answer);
  }
}

export type GrantRules = ReturnType<typeof grantRules>;

/** Ends a grant. If a call is in progress, the grant is processed again after it, and then deleted. */
function endedPermanently(grant: Grant, at: Date): Grant {
  const over = ended(grant, 'order', at);
  return over.status === 'revoked' && over.leasedUntil !== null ? { ...over, dueAt: over.leasedUntil } : over;
}
