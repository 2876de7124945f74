import { Type } from 'typebox';
import { SYMBOL_PATTERN } from '../../external/prices/port.ts';
import { failure } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { Command } from '../../kernel/live/live-commands.ts';
import { expiredToken, invalidToken } from '../../kernel/operations/access.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Channels } from './channels.ts';
import { ownCommand } from './own-command.ts';
import type { PriceBoard } from './prices.ts';
import { subscribed, subscribeFailed, unsubscribed } from './realtime.live.ts';
import { leaveChannel, mayHaveMore, tooManySubscriptions } from './subscriptions.ts';
import type { Verifier } from './verifying.ts';

const MAX_SYMBOLS = 100;

const notYourOwn = failure(403, 'FORBIDDEN', 'You can subscribe only to your own notifications');
const noPrices = failure(503, 'PRICES_UNAVAILABLE', 'No price feed is available');
const tooManySymbols = failure(422, 'TOO_MANY_SYMBOLS', `At most ${MAX_SYMBOLS} symbols on one connection`);

const Symbols = Type.Array(Type.String({ pattern: SYMBOL_PATTERN, examples: ['EURUSD'] }), {
  minItems: 1,
  maxItems: MAX_SYMBOLS,
});

interface FeedDeps {
  verifier: Pick<Verifier, 'callerOf'>;
  channels: Channels;
  prices: PriceBoard;
}

/** Subscriptions to the member's own notifications. */
export const notificationCommands = ({ verifier, channels }: Omit<FeedDeps, 'prices'>): Command[] => [
  ownCommand({
    type: 'subscribe',
    channel: 'notifications',
    summary: 'Subscribes to your own notifications.',
    fields: Type.Object({ userId: ObjectIdShape }),
    access: 'signed-in',
    failures: [invalidToken, expiredToken, notYourOwn, tooManySubscriptions],
    answer: subscribed,
    refusal: subscribeFailed,
    async handle({ fields: { userId }, connection }) {
      const caller = await verifier.callerOf(connection);
      if (userId !== caller.userId) throw notYourOwn();
      const name = liveChannel.user(userId);
      if (!connection.isOn(name)) mayHaveMore(connection);
      await channels.join(connection, name);
      return subscribed({ channel: 'notifications', userId });
    },
  }),
  ownCommand({
    type: 'unsubscribe',
    channel: 'notifications',
    summary: 'Ends the subscription to your own notifications.',
    fields: Type.Object({ userId: Type.Optional(ObjectIdShape) }),
    access: 'signed-in',
    answer: unsubscribed,
    async handle({ connection }) {
      const userId = connection.caller?.userId ?? '';
      leaveChannel(channels, connection, liveChannel.user(userId));
      return unsubscribed({ channel: 'notifications', userId });
    },
  }),
];

/** Subscriptions to prices. */
export const marketCommands = ({ verifier, prices }: Omit<FeedDeps, 'channels'>): Command[] => [
  ownCommand({
    type: 'subscribe',
    channel: 'market',
    summary: `Subscribes to the prices of further symbols, at most ${MAX_SYMBOLS} in total. The newest price of each follows.`,
    fields: Type.Object({ symbols: Symbols }),
    access: 'signed-in',
    failures: [invalidToken, expiredToken, noPrices, tooManySymbols],
    answer: subscribed,
    refusal: subscribeFailed,
    async handle({ fields: { symbols }, connection }) {
      await verifier.callerOf(connection);
      if (!prices.isThere) throw noPrices();
      const wanted = symbols.map((symbol) => symbol.toUpperCase());
      const all = new Set([...(connection.symbols ?? []), ...wanted]);
      if (all.size > MAX_SYMBOLS) throw tooManySymbols();
      return {
        message: subscribed({ channel: 'market', symbols: [...all] }),
        afterwards: () => prices.watch(connection, wanted),
      };
    },
  }),
  ownCommand({
    type: 'unsubscribe',
    channel: 'market',
    summary: 'Ends the subscription to the prices of these symbols, or of all symbols.',
    fields: Type.Object({ symbols: Type.Optional(Symbols) }),
    access: 'signed-in',
    answer: unsubscribed,
    async handle({ fields, connection }) {
      const symbols = fields.symbols?.map((symbol) => symbol.toUpperCase()) ?? [
        ...(connection.symbols ?? []),
      ];
      prices.unwatch(connection, symbols);
      return unsubscribed({ channel: 'market', symbols });
    },
  }),
];
