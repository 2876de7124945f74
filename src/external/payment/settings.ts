import { choice, optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the payment provider. */
export const paymentSettings = {
  paymentProvider: choice(
    'PAYMENT_PROVIDER',
    ['sandbox', 'stripe'],
    'sandbox',
    'Who takes payments; the sandbox is there in development only, without it checkouts are refused',
  ),
  stripeSecretKey: secret('STRIPE_SECRET_KEY', 8, "Stripe's API key"),
  stripeWebhookSecret: secret('STRIPE_WEBHOOK_SECRET', 8, 'Signs what Stripe sends to /v1/webhooks/payments'),
  stripeApiUrl: optionalUrl('STRIPE_API_URL', "Another address than Stripe's own", 'https://api.stripe.com'),
  checkoutSuccessUrl: optionalUrl(
    'CHECKOUT_SUCCESS_URL',
    'Where payers return to when a request does not say',
    'https://app.example.com/paid',
  ),
  checkoutCancelUrl: optionalUrl(
    'CHECKOUT_CANCEL_URL',
    'The same for those who did not pay',
    'https://app.example.com/not-paid',
  ),
} satisfies Record<string, Setting<unknown>>;

export type PaymentSettings = ValuesOf<typeof paymentSettings>;

const NEEDED_FOR_STRIPE = [
  'stripeSecretKey',
  'stripeWebhookSecret',
  'checkoutSuccessUrl',
  'checkoutCancelUrl',
] as const satisfies (keyof PaymentSettings)[];

/** Returns the missing settings of the selected payment provider. */
export function paymentFaults(settings: PaymentSettings): string[] {
  if (settings.paymentProvider !== 'stripe') return [];
  return NEEDED_FOR_STRIPE.filter((name) => settings[name] === undefined).map(
    (name) => `${paymentSettings[name].variable} is needed for PAYMENT_PROVIDER=stripe`,
  );
}
