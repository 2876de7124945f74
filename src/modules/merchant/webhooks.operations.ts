import { Type } from 'typebox';
import { invalidEvent, invalidSignature, paymentUnavailable } from '../../external/payment/port.ts';
import { signedWebhook } from '../../kernel/operations/access.ts';
import { LARGE_BODY_BYTES, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { ReceivePaymentWebhookResult } from './webhooks.schemas.ts';
import type { Webhooks } from './webhooks.ts';

export const webhookOperations = (webhooks: Webhooks): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/webhooks/payments',
    id: 'receivePaymentWebhook',
    tag: 'Webhooks',
    summary: 'Receive an event from the payment provider',
    description:
      'The provider signs the raw body (`Stripe-Signature`); no API key is required. Events may arrive more than once and in any order; each takes effect once.',
    access: signedWebhook,
    // Accepts anything: the signature is verified before the content is validated.
    body: Type.Unknown({ description: 'An event from the provider' }),
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(ReceivePaymentWebhookResult),
    failures: [invalidSignature, invalidEvent, paymentUnavailable],
    handle: async ({ raw }) => {
      await webhooks.receive(raw.text, raw.header('stripe-signature'));
      return { received: true };
    },
  }),
];
