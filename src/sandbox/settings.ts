import { PUSH_SERVICES } from '../external/push/web-push.ts';
import type { ExternalSettings } from '../external/settings.ts';
import { SANDBOX_CHARTING_SESSION } from './charting/index.ts';
import {
  SANDBOX_BACKOFFICE_KEY,
  SANDBOX_PAYMENT_KEY,
  type Sandbox,
  sandboxPushes,
  sandboxStorage,
} from './index.ts';

/**
 * Returns the settings with which the platform reaches the sandbox, for every external system that is not configured.
 * The adapters do not distinguish it from the real systems.
 */
export function sandboxSettings(
  { url, smtpUrl }: Pick<Sandbox, 'url' | 'smtpUrl'>,
  given: ExternalSettings,
  { paymentWebhookSecret }: { paymentWebhookSecret: string },
): ExternalSettings & { sandboxUrl: string } {
  const { livePlatform, directory, payment, mail, push, prices, schedule, storage, transcoder, charting } =
    given;
  return {
    sandboxUrl: url,
    breaches: given.breaches,
    livePlatform: { url: livePlatform.url ?? `${url}/live` },
    directory: {
      ...directory,
      backofficeUrl: directory.backofficeUrl ?? `${url}/backoffice/`,
      backofficeApiKey: directory.backofficeApiKey ?? SANDBOX_BACKOFFICE_KEY,
    },
    payment: {
      ...payment,
      successUrl: payment.successUrl ?? `${url}/paid`,
      cancelUrl: payment.cancelUrl ?? `${url}/not-paid`,
      ...(payment.provider === 'stripe' ? {} : ownPayments(url, paymentWebhookSecret)),
    },
    mail: { ...mail, url: mail.url ?? smtpUrl },
    push: {
      ...push,
      webPushServices: [...(push.webPushServices ?? PUSH_SERVICES), url],
      ...(push.fcmServiceAccount === undefined ? ownPush(url) : {}),
    },
    prices: { ...prices, url: prices.url ?? `${url}/prices/stream` },
    schedule: { ...schedule, url: schedule.url ?? `${url}/schedule/` },
    storage: storage.endpoint === undefined ? sandboxStorage({ url }) : storage,
    transcoder,
    charting: charting.sessionId === undefined ? { ...charting, ...ownCharting(url) } : charting,
  };
}

const ownPayments = (url: string, webhookSecret: string) => ({
  provider: 'stripe' as const,
  stripeSecretKey: SANDBOX_PAYMENT_KEY,
  stripeWebhookSecret: webhookSecret,
  stripeApiUrl: url,
});

function ownPush(url: string) {
  const { account, apiUrl } = sandboxPushes({ url });
  return { fcmServiceAccount: JSON.stringify(account), fcmApiUrl: apiUrl };
}

const ownCharting = (url: string) => ({ url: `${url}/charting/`, sessionId: SANDBOX_CHARTING_SESSION });
