import type { Database } from '../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, validationFailed } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Actor, Audit } from '../../kernel/records/audit.ts';
import { csvLine } from '../../kernel/text/csv.ts';
import { canonicalAddress } from '../../kernel/text/email-address.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Identity } from '../identity/contract.ts';
import { handleOf, type Indicators } from '../indicators/contract.ts';
import { productNotFound, requestDecided, requestNotFound } from './contract.ts';
import type { Product } from './products.schemas.ts';
import type { ProductStore } from './products.store.ts';
import { answersTo } from './questions.ts';
import {
  type AccessRequest,
  chartingIdRequired,
  type DecidedRequest,
  type Decision,
  type QueuedRequest,
  type RequestDraft,
} from './requests.schemas.ts';
import type { QueuedRow, QueueFilter, RequestStore } from './requests.store.ts';

/** Limit per account, since the review queue is shared. */
const MAX_REQUESTS = 200;
const CSV_AT_ONCE = 500;

export const noForm = failure(
  400,
  'PRODUCT_HAS_NO_FORM',
  'This product is available by its link, not by request',
);
export const tooManyRequestsOfMember = failure(
  409,
  'TOO_MANY_ACCESS_REQUESTS',
  `An account can have at most ${MAX_REQUESTS} requests`,
);

const NO_INDICATOR = 'The product names no indicator, so nothing was granted';
const NO_HANDLE = 'The request names no charting username, so nothing was granted';

interface Deps {
  store: RequestStore;
  products: ProductStore;
  indicators: Indicators;
  identity: Pick<Identity, 'contactsOf'>;
  database: Database;
  audit: Audit;
  events: Events;
  clock: Clock;
  newId: NewId;
}

/** The effect of a decision on the member's entitlement. */
type Entitlement = { accessId: ObjectId } | { warning: string } | undefined;

/** Members' requests for products, and administrators' decisions. */
export function requestRules(deps: Deps) {
  const { store, products, indicators, identity, database, audit, events, clock, newId } = deps;

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

  /** Saves the decision and applies its effects. */
  const save = (id: ObjectId, { status, reason }: Decision, actor: Actor) =>
    database.transaction(async (tx) => {
      const before = await store.lock(tx, id);
      if (!before) throw requestNotFound();
      const product = await products.find(before.productId, tx);
      const isRepeated = before.status === status && reason === undefined;
      const request = isRepeated ? before : await write(tx, before, { status, reason }, actor);
      if (before.status !== status && status !== 'pending') await tell(tx, request, product);
      if (before.status === 'approved' && status !== 'approved') {
        const mover = { actor: actor.actor, why: 'The approval of the request was withdrawn' };
        await indicators.withdrawRequested(tx, id, mover);
      }
      const entitlement = status === 'approved' ? await grant(tx, request, product, actor) : undefined;
      return { request, entitlement };
    });

  async function write(tx: Transaction, before: AccessRequest, { status, reason }: Decision, actor: Actor) {
    const at = clock.date();
    const decided = { reason: reason ?? null, decidedBy: actor.actor, decidedAt: at, updatedAt: at };
    const request: AccessRequest = { ...before, status, ...decided };
    await store.update(tx, request);
    const { productId, userId } = before;
    const details = { from: before.status, to: status, productId, userId };
    await audit.record(tx, { ...actor, action: 'access-request.decided', target: before.id, details });
    return request;
  }

  const tell = (tx: Transaction, request: AccessRequest, product: Product | undefined) =>
    events.publish(tx, requestDecided, {
      requestId: request.id,
      userId: request.userId,
      productId: request.productId,
      productName: product?.name ?? '',
      decision: request.status as 'approved' | 'denied',
      reason: request.reason ?? '',
    });

  async function withAccounts(rows: QueuedRow[]): Promise<QueuedRequest[]> {
    const contacts = await identity.contactsOf([...new Set(rows.map(({ userId }) => userId))]);
    const emailOf = new Map(contacts.map(({ userId, email }) => [userId, email]));
    return rows.map((row) => ({ ...row, accountEmail: emailOf.get(row.userId) ?? null }));
  }

  return {
    /** @throws requestNotFound */
    async existing(id: ObjectId): Promise<AccessRequest> {
      const request = await store.find(id);
      if (!request) throw requestNotFound();
      return request;
    },

    /**
     * Submits a request. Another one for the same product and e-mail replaces the details of one that is not approved.
     * @throws productNotFound, noForm, chartingIdRequired, 422 for answers
     */
    async submit(draft: RequestDraft, userId: ObjectId): Promise<{ request: AccessRequest; isNew: boolean }> {
      const product = await products.find(draft.productId);
      if (!product?.isActive) throw productNotFound();
      if (product.ctaType === 'link') throw noForm();
      const details = detailsOf(draft, product);
      const email = canonicalAddress(draft.email) as string;
      return database.transaction(async (tx) => {
        await tx.lock('marketplace.requests-of', userId);
        const before = await store.findOwn(tx, userId, product.id, email);
        if (before?.status === 'approved') return { request: before, isNew: false };
        if (details.chartingId !== null) await indicators.rememberHandle(tx, userId, details.chartingId);
        const at = clock.date();
        if (before) {
          const request = { ...before, ...details, submissions: before.submissions + 1, updatedAt: at };
          await store.update(tx, request);
          return { request, isNew: false };
        }
        if ((await store.countOf(tx, userId)) >= MAX_REQUESTS) throw tooManyRequestsOfMember();
        const request: AccessRequest = {
          id: newId(),
          productId: product.id,
          userId,
          email,
          ...details,
          status: 'pending',
          submissions: 1,
          reason: null,
          decidedBy: null,
          decidedAt: null,
          createdAt: at,
          updatedAt: at,
        };
        await store.insert(tx, request);
        return { request, isNew: true };
      });
    },

    /** Decides a request. The decision is kept even if access fails; the result says why there is none yet. */
    async decide(id: ObjectId, decision: Decision, actor: Actor): Promise<DecidedRequest> {
      const { request, entitlement } = await save(id, decision, actor);
      if (entitlement === undefined) return request;
      const warning =
        'warning' in entitlement ? entitlement.warning : await indicators.attempt(entitlement.accessId);
      return warning === undefined ? request : { ...request, entitlementWarning: warning };
    },

    /** Returns the status of each product requested with an e-mail: by the caller, or by anyone for administrators. */
    async statusesOf(text: string, caller: UserCaller): Promise<Record<ObjectId, AccessRequest['status']>> {
      const email = canonicalAddress(text);
      if (email === undefined) return {};
      const rows = await store.statusesOf(email, holds(caller, 'admin') ? undefined : caller.userId);
      return Object.fromEntries(rows.map(({ productId, status }) => [productId, status]));
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
        yield (await withAccounts(some))
          .map((request) =>
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
            ),
          )
          .join('');
      }
    },
  };
}

export type RequestRules = ReturnType<typeof requestRules>;

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

/** Returns the correctable fields of a request. @throws chartingIdRequired, 422 */
function detailsOf(
  draft: RequestDraft,
  product: Product,
): Pick<AccessRequest, 'fullName' | 'chartingId' | 'answers'> {
  const given = draft.chartingId?.trim() ?? '';
  if (given === '' && product.productType === 'scanner') throw chartingIdRequired();
  const chartingId = given === '' ? null : (handleOf(given) ?? null);
  if (given !== '' && chartingId === null)
    throw validationFailed([{ field: 'chartingId', message: 'must be a username without spaces' }]);
  const answers = answersTo(product.requestFields, draft.answers ?? {});
  return { fullName: draft.fullName.trim(), chartingId, answers };
}
