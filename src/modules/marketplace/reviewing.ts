import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type FailureKind, failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { forEachId } from '../../kernel/operations/bulk.ts';
import { type Actor, changesOf } from '../../kernel/records/audit.ts';
import { csvLine } from '../../kernel/text/csv.ts';
import { type Identity, memberOf, profileLookup } from '../identity/contract.ts';
import type { Indicators } from '../indicators/contract.ts';
import { requestDecided, requestNotFound } from './contract.ts';
import type { Product } from './products.model.ts';
import type { ProductStore } from './products.store.ts';
import type { AccessRequest, QueuedRow, QueueFilter } from './requests.model.ts';
import type { DecidedRequest, Decision, QueuedRequest } from './requests.schemas.ts';
import type { RequestStore } from './requests.store.ts';

const CSV_AT_ONCE = 500;

const NO_INDICATOR = 'The product names no indicator, or was deleted, so nothing was granted';
const NO_HANDLE = 'The request names no charting username, so nothing was granted';

interface Deps extends Pick<Core, 'database' | 'audit' | 'events' | 'clock'> {
  store: RequestStore;
  products: Pick<ProductStore, 'findKept'>;
  indicators: Pick<Indicators, 'grantRequested' | 'withdrawRequested' | 'attempt' | 'attemptAll'>;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
}

const already = (status: AccessRequest['status']) =>
  failure(409, 'ACCESS_REQUEST_CHANGED', `The request is already ${status}`);

/** The failures for a request whose status is not the expected one, by its actual status. */
export const ALREADY = {
  pending: already('pending'),
  approved: already('approved'),
  denied: already('denied'),
} satisfies Record<AccessRequest['status'], FailureKind>;

/** The outcome of one of several requests. */
interface BulkDecision {
  status: AccessRequest['status'] | null;
  entitlementWarning: string | null;
}

/** The effect of a decision on the member's entitlement. */
type Entitlement = { accessId: ObjectId } | { warning: string } | undefined;

/** Administrators' review of requests: the queue, and decisions with their effects. */
export function reviewing(deps: Deps) {
  const { store, products, indicators, identity, database, audit, events, clock } = deps;

  async function grant(
    tx: Transaction,
    request: AccessRequest,
    product: Product | undefined,
    actor: Actor,
  ): Promise<Entitlement> {
    if (product?.productType !== 'scanner') return undefined;
    if (product.scannerId === null) return { warning: NO_INDICATOR };
    if (request.chartingId === null) return { warning: NO_HANDLE };
    const asked = {
      requestId: request.id,
      indicatorId: product.scannerId,
      userId: request.userId,
      handle: request.chartingId,
    };
    const mover = { actor: actor.actor, why: 'An administrator approved the request' };
    return { accessId: await indicators.grantRequested(tx, asked, mover) };
  }

  /** @throws requestNotFound, a failure of `ALREADY` if the request is not what is expected */
  async function lock(
    tx: Transaction,
    id: ObjectId,
    expected: AccessRequest['status'] | undefined,
  ): Promise<AccessRequest> {
    const found = await store.find(id, tx);
    if (!found) throw requestNotFound();
    // A withdrawal depends on the member's other requests.
    await store.lockMember(tx, found.userId);
    const request = await store.lock(tx, id);
    if (!request) throw requestNotFound();
    if (expected !== undefined && request.status !== expected) throw ALREADY[request.status]();
    return request;
  }

  /** Saves the decision and applies its effects. @throws as `lock` */
  const save = (id: ObjectId, { status, reason, expectedStatus }: Decision, actor: Actor) =>
    database.transaction(async (tx) => {
      const before = await lock(tx, id, expectedStatus);
      const product = await products.findKept(tx, before.productId);
      const isRepeated = before.status === status && [undefined, before.reason].includes(reason);
      const about = { before, name: product?.name };
      const request = isRepeated ? before : await write(tx, about, { status, reason }, actor);
      if (before.status !== status && status !== 'pending') await notifyMember(tx, request);
      if (before.status === 'approved' && status !== 'approved') {
        const mover = { actor: actor.actor, why: 'The approval of the request was withdrawn' };
        const others = await store.approvedOf(tx, before.userId);
        const withdrawn = { requestId: id, handle: before.chartingId, others };
        await indicators.withdrawRequested(tx, withdrawn, mover);
      }
      const entitlement = status === 'approved' ? await grant(tx, request, product, actor) : undefined;
      return { request, entitlement };
    });

  async function write(
    tx: Transaction,
    { before, name }: { before: AccessRequest; name: string | undefined },
    { status, reason }: Decision,
    actor: Actor,
  ) {
    const at = clock.date();
    const decided = { reason: reason ?? null, decidedBy: actor.actor, decidedAt: at, updatedAt: at };
    const request: AccessRequest = { ...before, status, ...decided };
    await store.update(tx, request);
    const { productId, userId } = before;
    const details = { from: before.status, to: status, productId, userId };
    await audit.record(tx, {
      ...actor,
      action: 'access-request.decided',
      target: before.id,
      // Not the name that the member entered, which an erasure would not find.
      ...(name !== undefined && { targetName: name }),
      changes: changesOf(before, { status }),
      details,
    });
    return request;
  }

  const notifyMember = (tx: Transaction, request: AccessRequest) =>
    events.publish(tx, requestDecided, {
      requestId: request.id,
      userId: request.userId,
      productId: request.productId,
      decision: request.status as 'approved' | 'denied',
    });

  async function withAccounts(rows: QueuedRow[]): Promise<QueuedRequest[]> {
    const contacts = await identity.contactsOf([...new Set(rows.map(({ userId }) => userId))]);
    const emailOf = new Map(contacts.map(({ userId, email }) => [userId, email]));
    const people = rows.flatMap(({ userId, decidedBy }) => [userId, decidedBy]).filter((id) => id !== null);
    const profileOf = await profileLookup(identity, people);
    return rows.map((row) => ({
      ...row,
      user: memberOf(profileOf(row.userId)),
      decider: row.decidedBy === null ? null : memberOf(profileOf(row.decidedBy)),
      accountEmail: emailOf.get(row.userId) ?? null,
    }));
  }

  return {
    /** Decides a request. The decision is kept even if granting access fails; the result then contains the reason. */
    async decide(id: ObjectId, decision: Decision, actor: Actor): Promise<DecidedRequest> {
      const { request, entitlement } = await save(id, decision, actor);
      if (entitlement === undefined) return request;
      const warning =
        'warning' in entitlement ? entitlement.warning : await indicators.attempt(entitlement.accessId);
      return warning === undefined ? request : { ...request, entitlementWarning: warning };
    },

    /** Decides requests alike; all grants together are waited for as long as one is. */
    async decideAll(ids: ObjectId[], decision: Decision, actor: Actor) {
      const accessOf = new Map<string, ObjectId>();
      const results = await forEachId<BulkDecision>(
        ids,
        { status: null, entitlementWarning: null },
        async (id) => {
          const { request, entitlement } = await save(id, decision, actor);
          if (entitlement && 'accessId' in entitlement) accessOf.set(id, entitlement.accessId);
          const warning = entitlement && 'warning' in entitlement ? entitlement.warning : null;
          return { status: request.status, entitlementWarning: warning };
        },
      );
      const reasons = await indicators.attemptAll([...new Set(accessOf.values())]);
      return results.map((result) => {
        const accessId = accessOf.get(result.id);
        const reason = accessId === undefined ? undefined : reasons.get(accessId);
        return reason === undefined ? result : { ...result, entitlementWarning: reason };
      });
    },

    /** Returns the review queue, most recently changed first. */
    async queue(filter: QueueFilter, request: PageRequest): Promise<Page<QueuedRequest>> {
      const page = await store.pageOf(filter, request);
      return { ...page, items: await withAccounts(page.items) };
    },

    /** Returns the review queue as lines of CSV (RFC 4180). */
    async *csvOf(filter: QueueFilter): AsyncGenerator<string> {
      yield csvLine(...CSV_COLUMNS);
      for await (const some of store.all(filter, CSV_AT_ONCE)) {
        yield (await withAccounts(some)).map(lineOf).join('');
      }
    },
  };
}

export type Reviewing = ReturnType<typeof reviewing>;

const CSV_COLUMNS = [
  'id',
  'productId',
  'productName',
  'userId',
  'fullName',
  'email',
  'accountEmail',
  'chartingId',
  'status',
  'answers',
  'createdAt',
  'updatedAt',
];

const lineOf = (request: QueuedRequest): string =>
  csvLine(
    request.id,
    request.productId,
    request.productName,
    request.userId,
    request.fullName,
    request.email,
    request.accountEmail,
    request.chartingId,
    request.status,
    request.answers.map(({ label, value }) => `${label}: ${String(value)}`).join('\n'),
    request.createdAt,
    request.updatedAt,
  );
