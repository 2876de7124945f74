import { Type } from 'typebox';
import { paymentUnavailable } from '../../../external/payment/port.ts';
import { member } from '../../../kernel/operations/access.ts';
import { created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { checkoutNotFound, priceOutOfRange } from '../../merchant/contract.ts';
import { amountTooSmall, walletInactive, walletLocked } from '../contract.ts';
import { ROUNDING } from '../exchange-rates/exchange-rates.model.ts';
import { ISSUE_FAILURES } from '../ledger/circulation.ts';
import { BuyKeysBody, CheckoutSession, CheckoutSessionId, OwnCheckout } from './purchases.schemas.ts';
import type { PurchaseRules } from './purchases.ts';

const tag = 'Wallet';

/** Operations for buying Keys. */
export const purchaseOperations = (purchases: PurchaseRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/fund',
    id: 'buyKeys',
    tag,
    summary: 'Buy Keys with a hosted checkout',
    description: `Returns a payment link. The price is fixed at the current exchange rate, ${ROUNDING}. The Keys are credited once the payment succeeds. A checkout is open until its \`expiresAt\`.`,
    access: member,
    needsVerifiedEmail: true,
    body: BuyKeysBody,
    idempotent: true,
    success: created(CheckoutSession, { message: 'Checkout session created successfully' }),
    failures: [
      paymentUnavailable,
      amountTooSmall,
      priceOutOfRange,
      ...ISSUE_FAILURES,
      walletLocked,
      walletInactive,
    ],
    handle: ({ body, caller, idempotency }) => purchases.buy(caller, body, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/checkouts/:checkoutSessionId',
    id: 'getOwnCheckout',
    tag,
    summary: 'Retrieve a checkout of yours, and what became of it',
    access: member,
    params: Type.Object({ checkoutSessionId: CheckoutSessionId }),
    success: ok(OwnCheckout),
    failures: [checkoutNotFound],
    handle: ({ params, caller }) => purchases.find(caller.userId, params.checkoutSessionId),
  }),
];
