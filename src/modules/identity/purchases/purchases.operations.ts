import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { instantOf } from '../../../kernel/time/time.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import { opensPlatform } from '../platforms/sku-access.ts';
import type { Purchase } from './purchases.model.ts';
import { ListPurchasesQuery, PurchaseDraft, PurchaseShape, RecordedPurchase } from './purchases.schemas.ts';
import { type PurchaseRules, purchaseNotFound } from './purchases.ts';

const tag = 'User administration';
const userParams = Type.Object({ userId: pathId('user') });

/** The purchases of users, which grant access to platforms. */
export const purchaseOperations = (purchases: PurchaseRules, accounts: Accounts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/admin/auth/users/:userId/purchases',
    id: 'recordPurchase',
    tag,
    summary: 'Record a purchase, which grants platform access for as long as its SKU allows',
    access: administrator,
    params: userParams,
    idempotent: true,
    body: PurchaseDraft,
    description:
      'A purchase of a SKU that no platform accepts is recorded with a `warning`; `GET /v1/admin/platforms` lists those that are.',
    success: created(RecordedPurchase, { message: 'Purchase recorded' }),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, body, caller, facts, idempotency }) => {
      const bought = { ...body, last_purchased_date: instantOf(body.last_purchased_date) };
      const warning = opensPlatform(body.sku) ? null : `The SKU ${body.sku} opens no platform`;
      const of = (purchase: Purchase) => ({ ...purchase, warning });
      return of(await purchases.record(params.userId, bought, actorOf(caller, facts), { idempotency, of }));
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users/:userId/purchases',
    id: 'listPurchases',
    tag,
    summary: 'List the purchases of a user, newest record first',
    access: administrator,
    params: userParams,
    query: ListPurchasesQuery,
    success: pageOf(PurchaseShape),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: ({ params, query }) => purchases.pageOf(params.userId, query),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/admin/auth/users/:userId/purchases/:purchaseId',
    id: 'removePurchase',
    tag,
    summary: 'Remove a recorded purchase',
    access: administrator,
    params: Type.Object({ userId: pathId('user'), purchaseId: pathId('purchase') }),
    success: ok(PurchaseShape, { message: 'Purchase removed' }),
    failures: [userNotFound, purchaseNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: ({ params, caller, facts }) =>
      purchases.remove(params.userId, params.purchaseId, actorOf(caller, facts)),
  }),
];
