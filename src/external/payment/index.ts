import type { CircuitBoard } from '../../kernel/net/circuit-breaker.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { PaymentProvider } from './port.ts';
import type { PaymentSettings } from './settings.ts';
import { stripePayments } from './stripe.ts';

/** Returns the payment provider, or undefined when none is configured: checkouts are then rejected. */
export function paymentProvider(
  settings: PaymentSettings,
  parts: { clock: Clock; board: CircuitBoard },
): PaymentProvider | undefined {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = settings;
  if (settings.provider !== 'stripe' || !secretKey || !webhookSecret) return undefined;
  return stripePayments({ ...parts, secretKey, webhookSecret, ...(apiUrl === undefined ? {} : { apiUrl }) });
}
