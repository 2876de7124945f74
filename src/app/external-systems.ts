import { breachedPasswords } from '../external/breaches/index.ts';
import { chartingPlatform } from '../external/charting/index.ts';
import { customerDirectory } from '../external/directory/index.ts';
import { mailer } from '../external/mail/index.ts';
import { paymentProvider } from '../external/payment/index.ts';
import { priceFeed } from '../external/prices/index.ts';
import { pushServices } from '../external/push/index.ts';
import { scheduleUpstream } from '../external/schedule/index.ts';
import { objectStorage } from '../external/storage/index.ts';
import { transcoder } from '../external/transcoder/index.ts';
import type { Core } from '../kernel/core.ts';
import { logWarning } from '../kernel/log-warning.ts';
import type { CircuitBoard } from '../kernel/net/circuit-breaker.ts';
import type { SystemBoard } from '../kernel/net/system-board.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { PlatformConfig } from './config.ts';

interface Surroundings extends Pick<Core, 'clock' | 'log'> {
  secrets: Secrets;
  /** The board with which circuits register. */
  board: CircuitBoard;
  /** The board that records calls to each system. */
  systems: SystemBoard;
}

export type ExternalSystems = ReturnType<typeof openExternalSystems>;

/** Returns the ports of all external systems; undefined for one that is not configured. Each connects on first use. */
export function openExternalSystems(
  config: PlatformConfig,
  { clock, secrets, board, log, systems }: Surroundings,
) {
  const { payment, mail, push } = config;
  const { observed } = systems;
  return {
    directory: observed('backoffice', customerDirectory(config.directory, { clock, board })),
    breached: observed('breaches', breachedPasswords(config.breaches, { clock, board })),
    payments: observed('payments', paymentProvider(payment, { clock, board })),
    // Required with a payment provider, and unused without one.
    returnUrls: { success: payment.successUrl ?? '', cancel: payment.cancelUrl ?? '' },
    mailer: observed('mail', mailer(mail)),
    ...pushServices(push, { clock, secrets, subject: `mailto:${addressIn(mail.from)}` }),
    openFeed: priceFeed(config.prices, { onError: logWarning(log, 'the price feed') }),
    schedule: observed('schedule', scheduleUpstream(config.schedule, { clock, board })),
    storage: observed('storage', objectStorage(config.storage, { clock })),
    transcoder: transcoder(config.transcoder),
    charting: observed('charting', chartingPlatform(config.charting)),
  };
}

/** Returns the address of a sender such as `Platform <no-reply@example.com>`. */
const addressIn = (sender: string): string => /<(.+)>/.exec(sender)?.[1] ?? sender;
