import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { OBJECT_ID } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { type Contact, type Identity, userNotFound } from '../../identity/contract.ts';
import { active, inactive } from '../access/access.transitions.ts';
import type { Changes } from '../access/changing.ts';
import { graceBegan } from '../contract.ts';
import { invalidUserId } from './failures.ts';
import { BACKOFFICE, type Receiving } from './receiving.ts';
import { activityOf, envelopeOf, invalidPayload, textOf } from './webhook-bodies.ts';
import type { Body } from './webhooks.model.ts';

interface Deps extends Pick<Core, 'events' | 'clock'> {
  receiving: Receiving;
  changes: Pick<Changes, 'changeAll'>;
  identity: Pick<Identity, 'contactByEmail' | 'contactsOf'>;
  settings: { graceDays: number };
}

/** The webhook by which the backoffice reports members active or inactive. */
export function activityWebhook({ receiving, changes, identity, events, clock, settings }: Deps) {
  async function receiveActivity(body: Body) {
    const userId = textOf(body, 'userId');
    const email = textOf(body, 'email');
    if (userId === undefined && email === undefined) throw invalidPayload();
    const isActive = activityOf(body);
    const envelope = envelopeOf(body);
    if (userId !== undefined && !OBJECT_ID.test(userId)) throw invalidUserId();
    const [[byId] = [], byEmail] = await Promise.all([
      userId === undefined ? undefined : identity.contactsOf([userId]),
      email === undefined ? undefined : identity.contactByEmail(email),
    ]);
    const contact = byId ?? byEmail;
    if (!contact) throw userNotFound();
    // Nobody but the backoffice knows which of the two it means.
    if (byEmail && byEmail.userId !== contact.userId) throw invalidPayload();
    const isSame = (before: { userId: string; active: boolean }): boolean =>
      before.userId === contact.userId && before.active === isActive;
    const work = (tx: Transaction, isIgnored: boolean) => changeActivity(tx, contact, isActive, isIgnored);
    return receiving.take({
      kind: 'activity',
      userId: contact.userId,
      gone: userNotFound,
      envelope,
      isSame,
      work,
    });
  }

  async function changeActivity(
    tx: Transaction,
    { userId, email }: Contact,
    isActive: boolean,
    isIgnored: boolean,
  ) {
    const graceEndsAt = new Date(clock.now() + settings.graceDays * DAY_MS);
    const why = isActive
      ? 'The backoffice reports the member active'
      : 'The backoffice reports the member inactive';
    const result = await changes.changeAll(
      tx,
      userId,
      (grant, at) => {
        if (isIgnored || grant.source === 'manual') return grant;
        return isActive ? active(grant, at) : inactive(grant, graceEndsAt);
      },
      { actor: BACKOFFICE, why },
    );
    const current = result.grants.filter(({ status }) => status !== 'revoked');
    const results = await receiving.resultsOf(tx, current);
    if (result.changed.length > 0) {
      await receiving.record(tx, userId, 'indicator-access.activity', {
        active: isActive,
        changed: result.changed.length,
      });
      if (!isActive) {
        // A failed grant gives no access that could end.
        const begun = new Set(result.changed.flatMap(({ id, status }) => (status === 'failed' ? [] : [id])));
        const scannerIds = results
          .filter(({ accessId }) => begun.has(accessId))
          .map(({ scannerId }) => scannerId);
        if (scannerIds.length > 0) await events.publish(tx, graceBegan, { userId, scannerIds, graceEndsAt });
      }
    }
    const ends = current
      .flatMap((grant) => grant.graceEndsAt ?? [])
      .sort((one, other) => one.getTime() - other.getTime());
    return {
      userId,
      email,
      active: isActive,
      changed: result.changed.length,
      graceEndsAt: ends[0] ?? null,
      ignored: isIgnored,
      results,
    };
  }

  return { receive: receiveActivity };
}

export type ActivityWebhook = ReturnType<typeof activityWebhook>;
