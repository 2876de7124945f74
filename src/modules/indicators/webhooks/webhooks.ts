import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure, invalidId } from '../../../kernel/failures.ts';
import { OBJECT_ID, type ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import type { Audit } from '../../../kernel/records/audit.ts';
import { type Clock, DAY_MS } from '../../../kernel/time/time.ts';
import { type Contact, type Identity, userNotFound } from '../../identity/contract.ts';
import type { AccessStore } from '../access/access.store.ts';
import { active, ended, type Grant, inactive } from '../access/access.transitions.ts';
import type { GrantRules } from '../access/grants.ts';
import type { CatalogueStore } from '../catalogue/catalogue.store.ts';
import { MAX_INDICATORS } from '../catalogue/catalogue.ts';
import { graceBegan, handleOf } from '../contract.ts';
import type { HolderStore, WebhookKind } from '../handles/holders.store.ts';
import {
  activityOf,
  type Body,
  type Envelope,
  envelopeOf,
  invalidPayload,
  spelled,
  textOf,
} from './webhook-bodies.ts';

export const invalidAction = failure(400, 'INVALID_ACTION', 'The action must be grant or revoke');
export const customerNotFound = failure(
  404,
  'CUSTOMER_NOT_FOUND',
  'No account is mapped to this customer_id',
);
export const invalidUserId = invalidId('user');
export const chartingUsernameRequired = failure(
  422,
  'CHARTING_USERNAME_REQUIRED',
  'No charting username is on record for this customer, and none was given',
);

export const eventIdReused = failure(
  409,
  'EVENT_ID_REUSED',
  'This eventId was used for another member or another action',
);

const BACKOFFICE = 'service:backoffice';

interface Deps {
  grants: Pick<GrantRules, 'grant' | 'walk'>;
  store: Pick<AccessStore, 'lockMember' | 'lockOfMember'>;
  holders: HolderStore;
  catalogue: CatalogueStore;
  identity: Pick<Identity, 'contactByCustomerId' | 'contactByEmail' | 'contactsOf'>;
  database: Database;
  audit: Audit;
  events: Events;
  clock: Clock;
  settings: { graceDays: number };
}

/** Handles webhooks of the external backoffice, which may be repeated, concurrent and out of order. */
export function webhookRules(deps: Deps) {
  const { grants, store, holders, catalogue, identity, database, audit, events, clock, settings } = deps;

  /**
   * Handles an event under the lock of the member: a repeated event returns its first response, and an event older than
   * the newest one is ignored.
   * @throws eventIdReused when `isSame` denies that the response belongs to this event
   */
  function take<Answer extends object>(
    kind: WebhookKind,
    userId: ObjectId,
    { eventId, occurredAt: claimedAt }: Envelope,
    isSame: (before: Answer) => boolean,
    work: (tx: Transaction, isIgnored: boolean) => Promise<Answer>,
  ): Promise<Answer> {
    // A sender whose clock is ahead must not make later events look old.
    const occurredAt = claimedAt && new Date(Math.min(claimedAt.getTime(), clock.now()));
    return database.transaction(async (tx) => {
      await store.lockMember(tx, userId);
      const before = eventId === undefined ? undefined : await answerTo(tx, kind, eventId);
      if (before && !isSame(before as Answer)) throw eventIdReused();
      if (before) return before as Answer;
      const isIgnored = occurredAt !== undefined && (await isOutdated(tx, kind, userId, occurredAt));
      const answer = await work(tx, isIgnored);
      if (occurredAt && !isIgnored) await holders.noteOccurred(tx, userId, kind, occurredAt);
      if (eventId !== undefined) await holders.keepAnswer(tx, kind, eventId, answer, clock.date());
      return answer;
    });
  }

  /** Returns the first response to an event, if there was one; concurrent ones with this id wait. */
  async function answerTo(tx: Transaction, kind: WebhookKind, eventId: string): Promise<object | undefined> {
    await tx.lock(`indicators.webhook-${kind}`, eventId);
    return holders.answerOf(tx, kind, eventId);
  }

  async function isOutdated(
    tx: Transaction,
    kind: WebhookKind,
    userId: ObjectId,
    at: Date,
  ): Promise<boolean> {
    const holder = await holders.find(tx, userId);
    const newest = kind === 'access' ? holder?.accessOccurredAt : holder?.activityOccurredAt;
    return newest ? newest > at : false;
  }

  /** Returns the handle on record: from a grant, saved by the member, from their latest request, or from an ended grant. */
  async function handleOnRecord(tx: Transaction, userId: ObjectId): Promise<string | undefined> {
    // By their ids, which are ordered by time: a row also changes with each step of its work.
    const grants = (await store.lockOfMember(tx, userId)).toSorted((one, other) =>
      one.id < other.id ? 1 : -1,
    );
    const held = grants.find(({ status }) => status !== 'revoked');
    if (held) return held.handle;
    const holder = await holders.find(tx, userId);
    return holder?.savedHandle ?? holder?.requestHandle ?? grants[0]?.handle;
  }

  async function resultsOf(tx: Transaction, list: Grant[]) {
    const named = await catalogue.namesOf(
      tx,
      list.map(({ indicatorId }) => indicatorId),
    );
    const nameOf = new Map(named.map(({ id, name }) => [id, name]));
    return list.map(({ id, indicatorId, status, lastError }) => ({
      scannerId: indicatorId,
      scannerName: nameOf.get(indicatorId) ?? '',
      accessId: id,
      status,
      ...(status === 'failed' && lastError !== null ? { error: lastError } : {}),
    }));
  }

  async function receiveAccess(body: Body) {
    const customerId = spelled(body, 'customer_id', 'customerId');
    if (customerId === undefined) throw invalidPayload();
    const { action } = body;
    if (action !== 'grant' && action !== 'revoke') throw invalidAction();
    const given = spelled(body, 'charting_username', 'chartingUsername');
    const envelope = envelopeOf(body);
    const contact = await identity.contactByCustomerId(customerId);
    if (!contact) throw customerNotFound();
    const named = given === undefined ? undefined : handleOf(given);
    if (given !== undefined && named === undefined) throw invalidPayload();

    const isSame = (before: { userId: string; action: string }): boolean =>
      before.userId === contact.userId && before.action === action;
    return take('access', contact.userId, envelope, isSame, async (tx, isIgnored) => {
      const walk = action === 'grant' ? grantAll : revokeAll;
      const done = await walk(tx, contact, named, isIgnored);
      if (done.changed > 0)
        await record(tx, contact.userId, `indicator-access.${action}`, { customerId, changed: done.changed });
      return {
        customerId,
        action,
        userId: contact.userId,
        email: contact.email,
        ignored: isIgnored,
        ...done,
      };
    });
  }

  async function grantAll(
    tx: Transaction,
    { userId }: Contact,
    named: string | undefined,
    isIgnored: boolean,
  ) {
    const all = await catalogue.scripts(tx, MAX_INDICATORS);
    const chartingUsername = named ?? (await handleOnRecord(tx, userId));
    if (chartingUsername === undefined) throw chartingUsernameRequired();
    const wish = { handle: chartingUsername, source: 'automated' as const, requestId: null, priority: 0 };
    const mover = { actor: BACKOFFICE, why: 'The backoffice grants access' };
    const walked = isIgnored
      ? { grants: await store.lockOfMember(tx, userId), changed: [] }
      : await grants.grant(tx, userId, all, wish, mover);
    return {
      chartingUsername,
      scanners: all.length,
      changed: walked.changed.length,
      skipped: 0,
      failed: walked.grants.filter(({ status }) => status === 'failed').length,
      results: await resultsOf(tx, walked.grants),
    };
  }

  async function revokeAll(
    tx: Transaction,
    { userId }: Contact,
    _named: string | undefined,
    isIgnored: boolean,
  ) {
    const all = await catalogue.scripts(tx, MAX_INDICATORS);
    const held = (await store.lockOfMember(tx, userId)).filter(({ status }) => status !== 'revoked');
    const ids = new Set(held.map(({ id }) => id));
    const mover = { actor: BACKOFFICE, why: 'The backoffice revokes access' };
    const walked = await grants.walk(
      tx,
      userId,
      (grant, at) => (isIgnored ? grant : ended(grant, 'order', at)),
      mover,
    );
    const results = walked.grants.filter(({ id }) => ids.has(id));
    const heldScanners = new Set(held.map(({ indicatorId }) => indicatorId));
    return {
      chartingUsername: held[0]?.handle ?? null,
      scanners: all.length,
      changed: walked.changed.length,
      skipped: all.filter(({ id }) => !heldScanners.has(id)).length,
      failed: results.filter(({ status }) => status === 'failed').length,
      results: await resultsOf(tx, results),
    };
  }

  async function receiveActivity(body: Body) {
    const userId = textOf(body.userId);
    const email = textOf(body.email);
    if (userId === undefined && email === undefined) throw invalidPayload();
    const isActive = activityOf(body);
    const envelope = envelopeOf(body);
    if (userId !== undefined && !OBJECT_ID.test(userId)) throw invalidUserId();
    const contact =
      (userId === undefined ? undefined : (await identity.contactsOf([userId]))[0]) ??
      (email === undefined ? undefined : await identity.contactByEmail(email));
    if (!contact) throw userNotFound();
    const isSame = (before: { userId: string; active: boolean }): boolean =>
      before.userId === contact.userId && before.active === isActive;
    return take('activity', contact.userId, envelope, isSame, (tx, isIgnored) =>
      changeActivity(tx, contact, isActive, isIgnored),
    );
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
    const walked = await grants.walk(
      tx,
      userId,
      (grant, at) => {
        if (isIgnored || grant.source === 'manual') return grant;
        return isActive ? active(grant, at) : inactive(grant, graceEndsAt);
      },
      { actor: BACKOFFICE, why },
    );
    const held = walked.grants.filter(({ status }) => status !== 'revoked');
    const results = await resultsOf(tx, held);
    if (walked.changed.length > 0) {
      await record(tx, userId, 'indicator-access.activity', {
        active: isActive,
        changed: walked.changed.length,
      });
      if (!isActive) {
        // A failed grant gives no access that could end.
        const begun = new Set(walked.changed.flatMap(({ id, status }) => (status === 'failed' ? [] : [id])));
        const scanners = results
          .filter(({ accessId }) => begun.has(accessId))
          .map(({ scannerId: id, scannerName: name }) => ({ id, name }));
        if (scanners.length > 0) await events.publish(tx, graceBegan, { userId, scanners, graceEndsAt });
      }
    }
    const ends = held
      .flatMap((grant) => grant.graceEndsAt ?? [])
      .sort((one, other) => one.getTime() - other.getTime());
    return {
      userId,
      email,
      active: isActive,
      changed: walked.changed.length,
      graceEndsAt: ends[0] ?? null,
      ignored: isIgnored,
      results,
    };
  }

  const record = (tx: Transaction, target: ObjectId, action: string, details: Record<string, unknown>) =>
    audit.record(tx, { actor: BACKOFFICE, action, target, details });

  return { receiveAccess, receiveActivity };
}

export type WebhookRules = ReturnType<typeof webhookRules>;
