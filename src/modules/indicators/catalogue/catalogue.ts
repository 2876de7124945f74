import type { Core } from '../../../kernel/core.ts';
import { isDuplicate } from '../../../kernel/database/faults.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { Failure, failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import { type Actor, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import { indicatorChanged, indicatorNotFound } from '../contract.ts';
import { applyGrants } from '../jobs.ts';
import type { Indicator } from './catalogue.model.ts';
import type { IndicatorChanges, IndicatorDraft } from './catalogue.schemas.ts';
import type { CatalogueStore } from './catalogue.store.ts';

/** Limited, because a webhook processes the whole catalogue in one transaction. */
export const MAX_INDICATORS = 500;

export const pineIdTaken = failure(409, 'PINE_ID_TAKEN', 'Another indicator has this pineId');
export const catalogueFull = failure(
  409,
  'CATALOGUE_FULL',
  `The catalogue has its ${MAX_INDICATORS} indicators; delete one first`,
);
/** For the catalogue of failures; the thrown failure includes the counts. */
export const indicatorInUse = failure(
  400,
  'INDICATOR_IN_USE',
  '2 members still hold this indicator and 1 product points at it; deactivate it instead (isActive false)',
);

interface Deps extends Pick<Core, 'database' | 'events' | 'audit' | 'jobs' | 'clock' | 'newId'> {
  store: CatalogueStore;
}

/** The catalogue of indicators, called scanners in paths. */
export function catalogueRules({ store, database, events, audit, jobs, clock, newId }: Deps) {
  async function change(
    id: ObjectId,
    work: (tx: Transaction, before: Indicator) => Promise<void>,
  ): Promise<void> {
    try {
      await database.transaction(async (tx) => {
        if (!(await store.lock(tx, id))) throw indicatorNotFound();
        await work(tx, await existing(id, tx));
        await events.publish(tx, indicatorChanged, { indicatorId: id });
      });
    } catch (error) {
      throw isDuplicate(error, 'indicator_pine_id_key') ? pineIdTaken() : error;
    }
  }

  /** @throws indicatorNotFound */
  async function existing(id: ObjectId, tx?: Transaction): Promise<Indicator> {
    const indicator = await store.find(id, tx);
    if (!indicator) throw indicatorNotFound();
    return indicator;
  }

  return {
    existing,
    list: (includesInactive: boolean, caller: UserCaller): Promise<Indicator[]> =>
      store.list(includesInactive && holds(caller, 'admin'), MAX_INDICATORS),

    /** Returns an indicator; a retired one only to administrators and its holders. @throws indicatorNotFound */
    async visible(id: ObjectId, caller: UserCaller): Promise<Indicator> {
      const indicator = await existing(id);
      const maySee =
        indicator.isActive || holds(caller, 'admin') || (await store.isHeldBy(id, caller.userId));
      if (!maySee) throw indicatorNotFound();
      return indicator;
    },

    /** @throws pineIdTaken, catalogueFull */
    async create(draft: IndicatorDraft, actor: Actor, idempotency = notIdempotent): Promise<Indicator> {
      const at = clock.date();
      const indicator: Indicator = {
        id: newId(),
        description: '',
        pineId: null,
        chartingUrl: null,
        isActive: true,
        sortOrder: 0,
        ...draft,
        activeAccessCount: 0,
        createdAt: at,
        updatedAt: at,
      };
      try {
        await database.transaction(async (tx) => {
          await tx.lock('indicators.catalogue');
          if ((await store.count(tx)) >= MAX_INDICATORS) throw catalogueFull();
          await store.insert(tx, indicator);
          const details = { name: indicator.name, pineId: indicator.pineId };
          await events.publish(tx, indicatorChanged, { indicatorId: indicator.id });
          await audit.record(tx, {
            ...actor,
            action: 'indicator.created',
            target: indicator.id,
            targetName: indicator.name,
            details,
          });
          await answered(tx, { idempotency }, indicator);
        });
      } catch (error) {
        throw isDuplicate(error, 'indicator_pine_id_key') ? pineIdTaken() : error;
      }
      return indicator;
    },

    /**
     * Changes the given fields; writes nothing if they are so already. With a new script, every grant is made again there.
     * @throws pineIdTaken, changedMeanwhile
     */
    async update(id: ObjectId, given: IndicatorChanges, actor: Actor): Promise<Indicator> {
      const { expectedUpdatedAt, ...changes } = given;
      await change(id, async (tx, before) => {
        const differing = changesOf(before, changes);
        if (changesNothing(differing)) return;
        mustBeAsRead(before, { expectedUpdatedAt });
        const at = timeOfChange(clock, before);
        const after = { ...before, ...changes, updatedAt: at };
        await store.update(tx, after);
        if (after.pineId !== before.pineId && (await store.moveGrants(tx, after, actor.actor, at)) > 0)
          await jobs.enqueue(tx, applyGrants, [{}]);
        await audit.record(tx, {
          ...actor,
          action: 'indicator.updated',
          target: id,
          targetName: after.name,
          changes: differing,
          details: { ...changes },
        });
      });
      return existing(id);
    },

    /** @throws indicatorInUse, with the counts */
    delete: (id: ObjectId, actor: Actor): Promise<void> =>
      change(id, async (tx, { name }) => {
        const { held, referenced } = await store.usesOf(tx, id);
        if (held > 0 || referenced > 0) throw inUse(held, referenced);
        await store.delete(tx, id, clock.date());
        await audit.record(tx, { ...actor, action: 'indicator.deleted', target: id, targetName: name });
      }),

    /** @throws indicatorNotFound */
    async refer(
      tx: Transaction,
      kind: string,
      id: ObjectId,
      indicatorId: ObjectId | undefined,
    ): Promise<void> {
      if (indicatorId === undefined) return store.forget(tx, kind, id);
      if ((await store.share(tx, [indicatorId])).length === 0) throw indicatorNotFound();
      await store.refer(tx, kind, id, indicatorId);
    },
  };
}

export type CatalogueRules = ReturnType<typeof catalogueRules>;

function inUse(held: number, referenced: number): Failure {
  const holders = held === 1 ? '1 member still holds' : `${held} members still hold`;
  const products = referenced === 1 ? '1 product points' : `${referenced} products point`;
  return new Failure(
    400,
    indicatorInUse.code,
    `${holders} this indicator and ${products} at it; deactivate it instead (isActive false)`,
  );
}
