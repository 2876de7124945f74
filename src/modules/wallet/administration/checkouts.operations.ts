import { Type } from 'typebox';
import { paymentUnavailable } from '../../../external/payment/port.ts';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { boundsOf } from '../../../kernel/operations/periods.ts';
import { checkoutNotFound } from '../../merchant/contract.ts';
import { CREDIT_FAILURES } from '../contract.ts';
import { CheckoutShape, ListCheckoutsQuery } from './checkouts.schemas.ts';
import type { CheckoutRules } from './checkouts.ts';

const tag = 'Wallet';
const params = Type.Object({ id: pathId('checkout') });

export const checkoutOperations = (checkouts: CheckoutRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/checkouts',
    id: 'listCheckouts',
    tag,
    summary: 'List the checkouts of all members, newest first',
    access: administrator,
    query: ListCheckoutsQuery,
    success: pageOf(CheckoutShape),
    handle: ({ query: { page, limit, before, status, userId, ...bounds } }) =>
      checkouts.pageOf({ status, userId, ...boundsOf(bounds) }, { page, limit, before }),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/checkouts/:id',
    id: 'getCheckout',
    tag,
    summary: 'Retrieve a checkout with the Keys that it bought',
    access: administrator,
    params,
    success: ok(CheckoutShape),
    failures: [checkoutNotFound],
    handle: ({ params }) => checkouts.find(params.id),
  }),
  operation({
    method: 'POST',
    path: '/v1/admin/checkouts/:id/reconcile',
    id: 'reconcileCheckout',
    tag,
    summary: 'Query the payment provider about a checkout, and settle it',
    description:
      'Keys that were paid for are credited, once, however often it is called, and those whose payment was refunded or disputed meanwhile are taken back. The platform does the same by itself while a checkout is open, at growing intervals.',
    access: administrator,
    params,
    load: ({ params }) => checkouts.find(params.id),
    idempotent: true,
    success: ok(CheckoutShape, { message: 'The payment provider was asked' }),
    failures: [checkoutNotFound, paymentUnavailable, ...CREDIT_FAILURES],
    handle: ({ loaded, caller, facts, idempotency }) =>
      checkouts.reconcile(loaded, actorOf(caller, facts), idempotency),
  }),
];
