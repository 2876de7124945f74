import type { Database } from '../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { Actor, Audit } from '../../kernel/records/audit.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { EventName, ListedName } from './names.model.ts';
import type { NameStore } from './names.store.ts';
import { keyOf, type NameRules } from './names.ts';

export const nameNotListed = notFound('Event name');
export const nameIsCommon = failure(
  409,
  'EVENT_NAME_RESERVED',
  'Names of the specification cannot be removed',
);
export const dictionaryIsFull = failure(
  409,
  'EVENT_NAMES_FULL',
  'There are too many event names; remove some that are not needed',
);

interface DictionaryDeps {
  store: NameStore;
  names: Pick<NameRules, 'expire' | 'standInOf'>;
  database: Database;
  audit: Audit;
  clock: Clock;
}

/** Administrators' decisions about the names by which reports count events. */
export function eventNameDictionary({ store, names, database, audit, clock }: DictionaryDeps) {
  const record = (tx: Parameters<Audit['record']>[0], action: string, name: EventName, why: Why) =>
    audit.record(tx, { ...why.actor, action, details: { ...name, reason: why.reason } });

  return {
    pageOf: (request: PageRequest): Promise<Page<ListedName>> => store.pageOf(request),

    /**
     * Lists a name at once, including a removed one.
     * @throws dictionaryIsFull
     */
    async list(name: EventName, why: Why): Promise<void> {
      await database.transaction(async (tx) => {
        if (!(await store.restore(tx, name, clock.date()))) throw dictionaryIsFull();
        await record(tx, 'event-name.listed', name, why);
      });
      names.expire();
    },

    /**
     * Removes a name: its events, past and future ones, are counted under `other`, and members cannot list it again.
     * @throws nameNotListed, nameIsCommon
     */
    remove: (name: EventName, why: Why): Promise<void> =>
      database.transaction(async (tx) => {
        const standIn = names.standInOf(name);
        if (keyOf(standIn) === keyOf(name)) throw nameIsCommon();
        if (!(await store.remove(tx, name, standIn))) throw nameNotListed();
        await record(tx, 'event-name.removed', name, why);
      }),
  };
}

export type EventNameDictionary = ReturnType<typeof eventNameDictionary>;

/** The administrator who decides, and the reason. */
interface Why {
  actor: Actor;
  reason: string;
}
