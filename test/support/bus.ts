import { until } from './live.ts';

const PAUSE_MS = 2_000;

/**
 * Publishes messages, one after another, until one is received: on a busy machine Redis may not take a message within the
 * half second that it has, and then the message is lost.
 */
export const publishUntil = (publish: () => Promise<unknown>, isReceived: () => boolean): Promise<void> =>
  until(async () => {
    await publish();
    return until(isReceived, 'the message', PAUSE_MS).then(
      () => true,
      () => false,
    );
  }, 'a message that is received');
