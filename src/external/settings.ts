import type { Setting, ValuesOf } from '../kernel/settings.ts';
import { breachSettings } from './breaches/settings.ts';
import { chartingSettings } from './charting/settings.ts';
import { directorySettings } from './directory/settings.ts';
import { livePlatformSettings } from './live-platform/settings.ts';
import { mailSettings } from './mail/settings.ts';
import { paymentSettings } from './payment/settings.ts';
import { priceSettings } from './prices/settings.ts';
import { pushSettings } from './push/settings.ts';
import { scheduleSettings } from './schedule/settings.ts';
import { storageSettings } from './storage/settings.ts';
import { transcoderSettings } from './transcoder/settings.ts';

/** The settings of each external system. */
export const externalSettings = {
  livePlatform: livePlatformSettings,
  directory: directorySettings,
  breaches: breachSettings,
  payment: paymentSettings,
  mail: mailSettings,
  push: pushSettings,
  prices: priceSettings,
  schedule: scheduleSettings,
  storage: storageSettings,
  transcoder: transcoderSettings,
  charting: chartingSettings,
} satisfies Record<string, Record<string, Setting<unknown>>>;

export type ExternalSettings = {
  [System in keyof typeof externalSettings]: ValuesOf<(typeof externalSettings)[System]>;
};
