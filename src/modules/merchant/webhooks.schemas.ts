import { Type } from 'typebox';

export const ReceivePaymentWebhookResult = Type.Object({ received: Type.Boolean({ examples: [true] }) });
