import { optionalUrl } from '../../kernel/address-settings.ts';
import { choice, headerSecret, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the payment provider. */
export const paymentSettings = {
  provider: choice(
    'PAYMENT_PROVIDER',
    ['sandbox', 'stripe'],
    'sandbox',
    'The payment provider; sandbox is available in development only, elsewhere its checkouts are rejected',
  ),
  stripeSecretKey: headerSecret('STRIPE_SECRET_KEY', 8, 'The secret API key of Stripe'),
  stripeWebhookSecret: secret(
    'STRIPE_WEBHOOK_SECRET',
    8,
    'The secret that Stripe signs its requests to /v1/webhooks/payments with',
  ),
  stripeApiUrl: optionalUrl(
    'STRIPE_API_URL',
    "Base URL of the Stripe API, if not Stripe's own",
    'https://api.stripe.com',
  ),
  successUrl: optionalUrl(
    'CHECKOUT_SUCCESS_URL',
    'The address that payers return to after paying, if the request has none',
    'https://app.example.com/paid',
  ),
  cancelUrl: optionalUrl(
    'CHECKOUT_CANCEL_URL',
    'The address that payers return to without paying, if the request has none',
    'https://app.example.com/not-paid',
  ),
} satisfies Record<string, Setting<unknown>>;

export type PaymentSettings = ValuesOf<typeof paymentSettings>;

const NEEDED_FOR_STRIPE = [
  'stripeSecretKey',
  'stripeWebhookSecret',
  'successUrl',
  'cancelUrl',
] as const satisfies (keyof PaymentSettings)[];

/** Returns the missing settings of the selected payment provider. */
export function paymentFaults(settings: PaymentSettings): string[] {
  if (settings.provider !== 'stripe') return [];
  return NEEDED_FOR_STRIPE.filter((name) => settings[name] === undefined).map(
    (name) => `${paymentSettings[name].variable} is needed for PAYMENT_PROVIDER=stripe`,
  );
}
