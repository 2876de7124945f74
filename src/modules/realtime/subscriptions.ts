import { failure } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { Channels } from './channels.ts';
import type { Connection } from './connection.ts';

const MAX_SUBSCRIPTIONS = 128;

export const tooManySubscriptions = failure(
  422,
  'TOO_MANY_SUBSCRIPTIONS',
  `At most ${MAX_SUBSCRIPTIONS} subscriptions on one connection`,
);

/** @throws tooManySubscriptions at the limit; the channel of all members does not count */
export function mayHaveMore({ subscriptions }: Connection): void {
  const requested = subscriptions.size - Number(subscriptions.has(liveChannel.all));
  if (requested >= MAX_SUBSCRIPTIONS) throw tooManySubscriptions();
}

/** Ends the subscription of a connection to a channel, if it has one. */
export function leaveChannel(channels: Channels, connection: Connection, name: string): void {
  const subscription = connection.subscriptions.get(name);
  if (subscription) channels.leave(subscription);
}
