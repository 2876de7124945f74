import { paymentUnavailable } from '../../../external/payment/port.ts';
import { member } from '../../../kernel/operations/access.ts';
import { created, type Operation, operation } from '../../../kernel/operations/operation.ts';
import { priceOutOfRange } from '../../merchant/contract.ts';
import { CREDIT_FAILURES, walletInactive, walletLocked } from '../contract.ts';
import { amountTooSmall } from '../exchange-rates/exchange-rates.ts';
import { BuyKeysBody, CheckoutSession } from './purchases.schemas.ts';
import type { PurchaseRules } from './purchases.ts';

const tag = 'Wallet';

/** Buying Keys. */
export const purchaseOperations = (purchases: PurchaseRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/fund',
    id: 'buyKeys',
    tag,
    summary: 'Buy Keys with a hosted checkout',
    description:
      'Returns a payment link. The price is fixed at the current exchange rate, rounded half-up to the cent. The Keys are credited once the payment succeeds. A checkout is open for 24 hours.',
    access: member,
    body: BuyKeysBody,
    idempotent: true,
    success: created(CheckoutSession, { message: 'Checkout session created successfully' }),
    failures: [
      paymentUnavailable,
      amountTooSmall,
      priceOutOfRange,
      ...CREDIT_FAILURES,
      walletLocked,
      walletInactive,
    ],
    handle: ({ body, caller, idempotency }) => purchases.buy(caller.userId, body, idempotency),
  }),
];
