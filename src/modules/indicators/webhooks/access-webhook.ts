import type { Transaction } from '../../../kernel/database/queries.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Contact, Identity } from '../../identity/contract.ts';
import type { AccessStore } from '../access/access.store.ts';
import { ended } from '../access/access.transitions.ts';
import type { Changes } from '../access/changing.ts';
import type { CatalogueStore } from '../catalogue/catalogue.store.ts';
import { MAX_INDICATORS } from '../catalogue/catalogue.ts';
import { HANDLE_RULE, handleOf } from '../contract.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import { chartingUsernameRequired, customerNotFound, invalidAction } from './failures.ts';
import { BACKOFFICE, type Receiving } from './receiving.ts';
import { envelopeOf, invalidPayload, mustAgree, spelled } from './webhook-bodies.ts';
import type { Body } from './webhooks.model.ts';

interface Deps {
  receiving: Receiving;
  changes: Pick<Changes, 'grant' | 'changeAll'>;
  store: Pick<AccessStore, 'lockOfMember'>;
  holders: Pick<HolderStore, 'find'>;
  catalogue: Pick<CatalogueStore, 'scripts'>;
  identity: Pick<Identity, 'contactByCustomerId'>;
}

/** The webhook by which the backoffice grants a customer all indicators, or revokes them. */
export function accessWebhook({ receiving, changes, store, holders, catalogue, identity }: Deps) {
  /**
   * Returns the handle on record: from a grant, saved by the member, from their latest request, or from an ended grant.
   */
  async function handleOnRecord(tx: Transaction, userId: ObjectId): Promise<string | undefined> {
    // Sorted by id, which is the order of time; a row's update time also changes with each step of its work.
    const grants = (await store.lockOfMember(tx, userId)).toSorted((one, other) =>
      one.id < other.id ? 1 : -1,
    );
    const current = grants.find(({ status }) => status !== 'revoked');
    if (current) return current.handle;
    const holder = await holders.find(tx, userId);
    return holder?.savedHandle ?? holder?.requestHandle ?? grants[0]?.handle;
  }

  async function receiveAccess(body: Body) {
    const customerId = spelled(body, 'customer_id', 'customerId');
    if (customerId === undefined) throw invalidPayload();
    const { action } = body;
    if (action !== 'grant' && action !== 'revoke') throw invalidAction();
    // A revocation has no use for it, and must not leave the access because of it.
    if (action === 'revoke') mustAgree(body, 'charting_username', 'chartingUsername');
    const given = action === 'grant' ? spelled(body, 'charting_username', 'chartingUsername') : undefined;
    const envelope = envelopeOf(body);
    const contact = await identity.contactByCustomerId(customerId);
    if (!contact) throw customerNotFound();
    const named = given === undefined ? undefined : handleOf(given);
    if (given !== undefined && named === undefined)
      throw validationFailed([{ field: 'charting_username', message: HANDLE_RULE }]);

    const isSame = (before: { userId: string; action: string }): boolean =>
      before.userId === contact.userId && before.action === action;
    const work = async (tx: Transaction, isIgnored: boolean) => {
      const change = action === 'grant' ? grantAll : revokeAll;
      const { hasMoved, ...done } = await change(tx, contact, named, isIgnored);
      if (hasMoved)
        await receiving.record(tx, contact.userId, `indicator-access.${action}`, {
          customerId,
          changed: done.changed,
        });
      return {
        customerId,
        action,
        userId: contact.userId,
        email: contact.email,
        ignored: isIgnored,
        ...done,
      };
    };
    return receiving.take({
      kind: 'access',
      userId: contact.userId,
      gone: customerNotFound,
      envelope,
      isSame,
      work,
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
    const result = isIgnored
      ? { grants: await store.lockOfMember(tx, userId), changed: [] }
      : await changes.grant(tx, userId, { indicators: all, wish, mover });
    return {
      chartingUsername,
      scanners: all.length,
      hasMoved: result.changed.length > 0,
      changed: result.changed.filter(({ status }) => status !== 'failed').length,
      skipped: 0,
      failed: result.grants.filter(({ status }) => status === 'failed').length,
      results: await receiving.resultsOf(tx, result.grants),
    };
  }

  async function revokeAll(
    tx: Transaction,
    { userId }: Contact,
    _named: string | undefined,
    isIgnored: boolean,
  ) {
    const all = await catalogue.scripts(tx, MAX_INDICATORS);
    const current = (await store.lockOfMember(tx, userId)).filter(({ status }) => status !== 'revoked');
    const ids = new Set(current.map(({ id }) => id));
    const mover = { actor: BACKOFFICE, why: 'The backoffice revokes access' };
    const result = await changes.changeAll(
      tx,
      userId,
      (grant, at) => (isIgnored ? grant : ended(grant, 'order', at)),
      mover,
    );
    const results = result.grants.filter(({ id }) => ids.has(id));
    const heldScanners = new Set(current.map(({ indicatorId }) => indicatorId));
    return {
      chartingUsername: current[0]?.handle ?? null,
      scanners: all.length,
      hasMoved: result.changed.length > 0,
      changed: result.changed.length,
      skipped: all.filter(({ id }) => !heldScanners.has(id)).length,
      failed: results.filter(({ status }) => status === 'failed').length,
      results: await receiving.resultsOf(tx, results),
    };
  }

  return { receive: receiveAccess };
}

export type AccessWebhook = ReturnType<typeof accessWebhook>;
