import type { Core } from '../../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { failure, notFound } from '../../../kernel/failures.ts';
import { OBJECT_ID, type ObjectId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { Identity } from '../../identity/contract.ts';
import { type Person, personLookup } from '../contract.ts';
import type { AlertFilter, AlertRecord } from './alerts.model.ts';
import { alertStore } from './alerts.store.ts';

export const alertNotFound = notFound('Alert');
export const alertClosed = failure(409, 'ALERT_CLOSED', 'The alert is closed already');

interface AlertDeps extends Pick<Core, 'database' | 'audit' | 'clock'> {
  identity: Pick<Identity, 'contactsOf'>;
}

type AlertView = AlertRecord & { member: Person | null };

/** What operators must deal with, until an administrator closes it. */
export function alertRules({ database, audit, clock, identity }: AlertDeps) {
  const store = alertStore(database);

  async function viewer(alerts: AlertRecord[]): Promise<(alert: AlertRecord) => AlertView> {
    const ids = alerts.flatMap(({ target }) => (OBJECT_ID.test(target) ? [target as ObjectId] : []));
    const personOf = await personLookup(identity, ids);
    return (alert) => ({ ...alert, member: personOf(alert.target as ObjectId) });
  }

  return {
    backlog: store.backlog,

    /** Returns alerts, newest first. */
    async pageOf(filter: AlertFilter, request: PageRequest): Promise<Page<AlertView>> {
      const page = await store.pageOf(filter, request);
      return mapPage(page, await viewer(page.items));
    },

    /** @throws alertNotFound */
    async find(id: ObjectId): Promise<AlertRecord> {
      const alert = await store.find(id);
      if (!alert) throw alertNotFound();
      return alert;
    },

    /** Records that an alert was dealt with. @throws alertClosed, also if a newer alert has taken its place */
    async close(open: AlertRecord, actor: Actor, idempotency: IdempotencyContext): Promise<AlertView> {
      const viewOf = await viewer([open]);
      return database.transaction(async (tx) => {
        const closed = await store.close(tx, open.id, { by: actor.actor, at: clock.date() });
        if (!closed) throw alertClosed();
        const { id: target, action: targetName, subject, details } = closed;
        const entry = { action: 'alert.closed', target, targetName, details: { subject, ...details } };
        await audit.record(tx, { ...actor, ...entry });
        return answered(tx, { idempotency }, viewOf(closed));
      });
    },
  };
}

export type AlertRules = ReturnType<typeof alertRules>;
