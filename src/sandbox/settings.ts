import type { Config } from '../app/config.ts';
import type { PlatformConfig } from '../app/modules.ts';
import type { DevelopmentCredentials } from '../cli/development-credentials.ts';
import { PUSH_SERVICES } from '../external/push/web-push.ts';
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
  { url, smtpUrl, isWalletReachable }: Pick<Sandbox, 'url' | 'smtpUrl' | 'isWalletReachable'>,
  config: Config,
  { paymentWebhookSecret }: Pick<DevelopmentCredentials, 'paymentWebhookSecret'>,
): Partial<PlatformConfig> {
  return {
    sandboxUrl: url,
    isWalletReachable,
    backofficeUrl: config.backofficeUrl ?? `${url}/backoffice/`,
    backofficeApiKey: config.backofficeApiKey ?? SANDBOX_BACKOFFICE_KEY,
    livePlatformUrl: config.livePlatformUrl ?? `${url}/live`,
    priceFeedUrl: config.priceFeedUrl ?? `${url}/prices/stream`,
    scheduleUrl: config.scheduleUrl ?? `${url}/schedule/`,
    smtpUrl: config.smtpUrl ?? smtpUrl,
    checkoutSuccessUrl: config.checkoutSuccessUrl ?? `${url}/paid`,
    checkoutCancelUrl: config.checkoutCancelUrl ?? `${url}/not-paid`,
    webPushServices: [...(config.webPushServices ?? PUSH_SERVICES), url],
    ...(config.paymentProvider === 'stripe' ? {} : paymentSettings(url, paymentWebhookSecret)),
    ...(config.fcmServiceAccount === undefined ? pushSettings(url) : {}),
    ...(config.chartingSessionId === undefined ? chartingSettings(url) : {}),
    ...(config.storageEndpoint === undefined ? storageSettings(url) : {}),
  };
}

function paymentSettings(url: string, webhookSecret: string): Partial<Config> {
  return {
    paymentProvider: 'stripe',
    stripeSecretKey: SANDBOX_PAYMENT_KEY,
    stripeWebhookSecret: webhookSecret,
    stripeApiUrl: url,
  };
}

function pushSettings(url: string): Partial<Config> {
  const { account, apiUrl } = sandboxPushes({ url });
  return { fcmServiceAccount: JSON.stringify(account), fcmApiUrl: apiUrl };
}

function chartingSettings(url: string): Partial<Config> {
  return { chartingUrl: `${url}/charting/`, chartingSessionId: SANDBOX_CHARTING_SESSION };
}

function storageSettings(url: string): Partial<Config> {
  const storage = sandboxStorage({ url });
  return {
    storageEndpoint: storage.endpoint,
    storagePublicEndpoint: storage.publicEndpoint,
    storageRegion: storage.region,
    storageBucket: storage.bucket,
    storageAccessKeyId: storage.accessKeyId,
    storageSecretAccessKey: storage.secretAccessKey,
  };
}
