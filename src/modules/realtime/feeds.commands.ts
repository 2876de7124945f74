import { Type } from 'typebox';
import { SYMBOL_MESSAGE, SYMBOL_PATTERN } from '../../external/prices/port.ts';
import { failure } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { Command } from '../../kernel/live/live-commands.ts';
import { accountInactive, expiredToken, invalidToken } from '../../kernel/operations/access.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Channels } from './channels.ts';
import type { MemberConnections } from './members.ts';
import { ownCommand } from './own-command.ts';
import type { PriceBoard } from './prices.ts';
import { subscribed, subscribeFailed, unsubscribed } from './realtime.live.ts';
import { leaveChannel, mayHaveMore, tooManySubscriptions } from './subscriptions.ts';
import type { Verifier } from './verifying.ts';

const MAX_SYMBOLS = 100;
/** One member cannot use up what a process watches for all. */
const MAX_OF_MEMBER = 2 * MAX_SYMBOLS;
const AT_MOST = `at most ${MAX_SYMBOLS} on one connection, and ${MAX_OF_MEMBER} different ones on all of yours together`;

const notYourOwn = failure(403, 'FORBIDDEN', 'You can subscribe only to your own notifications');
const noPrices = failure(503, 'PRICES_UNAVAILABLE', 'No price feed is available');
const noMorePrices = failure(503, 'PRICES_UNAVAILABLE', 'No further symbols can be watched at the moment');
const tooManySymbols = failure(422, 'TOO_MANY_SYMBOLS', `Symbols: ${AT_MOST}`);

const Symbols = Type.Array(
  Type.String({ pattern: SYMBOL_PATTERN, patternMessage: SYMBOL_MESSAGE, examples: ['EURUSD'] }),
  {
    minItems: 1,
    maxItems: MAX_SYMBOLS,
  },
);

interface FeedDeps {
  verifier: Pick<Verifier, 'callerOf'>;
  channels: Channels;
  prices: PriceBoard;
  members: Pick<MemberConnections, 'of'>;
  clock: Clock;
}

/** Subscriptions to the member's own notifications. */
export const notificationCommands = ({
  verifier,
  channels,
  clock,
}: Omit<FeedDeps, 'prices' | 'members'>): Command[] => [
  ownCommand({
    type: 'subscribe',
    channel: 'notifications',
    summary: 'Subscribes to your own notifications.',
    fields: Type.Object({ userId: ObjectIdShape }),
    access: 'signed-in',
    failures: [invalidToken, expiredToken, accountInactive, notYourOwn, tooManySubscriptions],
    answer: subscribed,
    refusal: subscribeFailed,
    async handle({ fields: { userId }, connection }) {
      const caller = await verifier.callerOf(connection);
      if (userId !== caller.userId) throw notYourOwn();
      const name = liveChannel.user(userId);
      if (!connection.isOn(name)) mayHaveMore(connection);
      await channels.join(connection, name);
      return subscribed({ channel: 'notifications', userId, timestamp: new Date(clock.now()) });
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
export const marketCommands = ({
  verifier,
  prices,
  members,
}: Omit<FeedDeps, 'channels' | 'clock'>): Command[] => [
  ownCommand({
    type: 'subscribe',
    channel: 'market',
    summary: `Subscribes to the prices of further symbols: ${AT_MOST}. The newest price of each follows.`,
    fields: Type.Object({ symbols: Symbols }),
    access: 'signed-in',
    failures: [invalidToken, expiredToken, accountInactive, noPrices, noMorePrices, tooManySymbols],
    answer: subscribed,
    refusal: subscribeFailed,
    async handle({ fields: { symbols }, connection }) {
      const { userId } = await verifier.callerOf(connection);
      if (!prices.isThere) throw noPrices();
      // A closed connection would never be forgotten.
      if (!connection.isOpen) return undefined;
      const wanted = symbols.map((symbol) => symbol.toUpperCase());
      const all = new Set([...(connection.symbols ?? []), ...wanted]);
      const ofMember = members.of(userId).flatMap((one) => [...(one.symbols ?? [])]);
      if (all.size > MAX_SYMBOLS || new Set([...ofMember, ...wanted]).size > MAX_OF_MEMBER)
        throw tooManySymbols();
      // Watched before the answer, so that commands of other connections count them.
      if (!prices.watch(connection, wanted)) throw noMorePrices();
      return {
        message: subscribed({ channel: 'market', symbols: [...all] }),
        afterwards: () => prices.sendNewest(connection, wanted),
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
