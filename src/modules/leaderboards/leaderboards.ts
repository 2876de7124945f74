import { admitSliding, type RateLimiter } from '../../kernel/distributed/rate-limiter.ts';
import {
  type Failure,
  serviceUnavailable,
  tooManyRequests,
  validationFailed,
} from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { periodOf } from '../../kernel/operations/periods.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { deletedProfile, type Identity, type MemberCard, memberOf } from '../identity/contract.ts';
import type { GiftPeriod, Wallet } from '../wallet/contract.ts';
import type { EducatorWatch, WatchFilter, Watching } from '../watching/contract.ts';
import type { KeptBoards } from './boards.ts';
import { MAX_ROWS, PERIOD_DAYS } from './leaderboards.model.ts';
import type { LeaderboardQuery, Leaderboards } from './leaderboards.schemas.ts';

const MAX_DAYS = 366;
/** Limit on requests of one member for boards with custom dates. */
const CUSTOM_LIMIT = { lengthMs: MINUTE_MS, limit: 20 };
/** How long to wait for the wallet before returning boards without gifts. */
const GIFTS_TIMEOUT_MS = 10 * SECOND_MS;
/**
 * Some educators of sessions no longer teach, and those of older sessions may be invented, so rows are read in portions
 * of this size, keeping only educators, at most {@link MAX_LOOKS} times.
 */
const EDUCATORS_AT_ONCE = 500;
const MAX_LOOKS = 5;

export const tooManyBoards = (retryAfterSeconds: number): Failure =>
  tooManyRequests('LEADERBOARD_LIMIT_EXCEEDED', retryAfterSeconds);

/** Part of the keys of cached boards: raised with their shape, since programs of two releases may share the cache. */
const FORMAT = 2;
const GIFTING = 'gifting';
const NO_GIFTS = {
  sums: { giftedKeys: 0, gifts: 0, gifters: 0, giftRecipients: 0 },
  senders: [],
  recipients: [],
};

interface LeaderboardDeps {
  boards: KeptBoards;
  watching: Pick<Watching, 'peak' | 'topEducators' | 'viewersOf' | 'topViewers'>;
  gifts: Pick<Wallet['gifts'], 'sums' | 'topSenders' | 'topRecipients'>;
  cardsOf: Identity['cardsOf'];
  rateLimiter: Pick<RateLimiter, 'consumeSliding'>;
  clock: Clock;
}

/** A requested period. */
interface AskedPeriod {
  key: string;
  startDate: Date;
  /** Inclusive. */
  endDate: Date;
}

/** Leaderboards of educators and members by watching and gifts. */
export function leaderboardRules({ boards, watching, gifts, cardsOf, rateLimiter, clock }: LeaderboardDeps) {
  /** @throws 422 */
  function requestedPeriod({ period, startDate, endDate }: LeaderboardQuery): AskedPeriod {
    const { from, to = clock.date() } = periodOf({ startDate, endDate });
    // A given end is inclusive, so that a period from midnight to the last millisecond of a day is exactly 24 hours.
    const afterEnd = to.getTime() + (endDate === undefined ? 0 : 1);
    const start = from ?? new Date(afterEnd - PERIOD_DAYS[period] * DAY_MS);
    if (start > to) throw validationFailed([{ field: 'startDate', message: 'must not be after endDate' }]);
    if (to.getTime() - start.getTime() > MAX_DAYS * DAY_MS)
      throw validationFailed([{ field: 'startDate', message: `must be within ${MAX_DAYS} days of the end` }]);
    return { key: from ? 'custom' : period, startDate: start, endDate: to };
  }

  async function educators(filter: WatchFilter): Promise<{ rows: EducatorWatch[]; cards: MemberCard[] }> {
    const rows: Omit<EducatorWatch, 'uniqueViewers'>[] = [];
    const cards: MemberCard[] = [];
    const except: ObjectId[] = [];
    for (let look = 1; look <= MAX_LOOKS && rows.length < MAX_ROWS; look++) {
      const best = await watching.topEducators(filter, { limit: EDUCATORS_AT_ONCE, except });
      const named = await cardsOf(best.map(({ educatorId }) => educatorId));
      const teaching = new Map(
        named
          .filter(({ isActive, permissions }) => isActive && permissions.includes('educator'))
          .map((card) => [card.userId, card]),
      );
      rows.push(...best.filter(({ educatorId }) => teaching.has(educatorId)));
      cards.push(...teaching.values());
      if (best.length < EDUCATORS_AT_ONCE) break;
      except.push(...best.map(({ educatorId }) => educatorId));
    }
    const rowsWithNames = rows.slice(0, MAX_ROWS);
    const viewers = await watching.viewersOf(
      filter,
      rowsWithNames.map(({ educatorId }) => educatorId),
    );
    return {
      rows: rowsWithNames.map((row) => ({ ...row, uniqueViewers: viewers.get(row.educatorId) ?? 0 })),
      cards,
    };
  }

  /** Returns the gifts; none, and the reason, if the wallet is unavailable. */
  async function giftsOf(period: GiftPeriod) {
    const best = { limit: MAX_ROWS };
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(serviceUnavailable()), GIFTS_TIMEOUT_MS);
    try {
      const reading = Promise.all([
        gifts.sums(period),
        gifts.topSenders(period, best),
        gifts.topRecipients(period, best),
      ]);
      const [sums, senders, recipients] = await Promise.race([reading, timeout.promise]);
      return { sums, senders, recipients, unavailable: [] };
    } catch {
      return { ...NO_GIFTS, unavailable: [GIFTING] };
    } finally {
      clearTimeout(timer);
    }
  }

  async function build(period: AskedPeriod, { platform, contentType }: LeaderboardQuery) {
    const lastUpdated = clock.date();
    const span = { from: period.startDate, to: new Date(period.endDate.getTime() + 1) };
    const filter: WatchFilter = {
      ...span,
      ...(platform && { platform }),
      ...(contentType && { contentType }),
    };
    const given = await giftsOf(span);
    const peak = await watching.peak(filter);
    const taught = await educators(filter);
    const seen = await watching.topViewers(filter, { limit: MAX_ROWS });
    // The span ends a millisecond after the period, and so does a session that goes on.
    const viewers = seen.map(({ lastWatchedAt: at, ...row }) => ({
      ...row,
      lastWatchedAt: at > period.endDate ? period.endDate : at,
    }));
    const people = [...given.senders, ...given.recipients, ...viewers].map(({ userId }) => userId);
    const cards = [...taught.cards, ...(await cardsOf([...new Set(people)]))];
    const cardOf = new Map(cards.map((card) => [card.userId, card]));
    const personOf = (id: ObjectId) => personIn(id, cardOf.get(id));
    return {
      period,
      filters: { platform: platform ?? null, contentType: contentType ?? null },
      partial: given.unavailable.length > 0,
      unavailable: given.unavailable,
      totals: {
        platformPeakConcurrent: peak.peakConcurrent,
        platformPeakAt: peak.peakAt,
        ...given.sums,
      },
      topConcurrentEducators: ranked(taught.rows, ({ educatorId }) => personOf(educatorId)),
      topGifters: ranked(given.senders, ({ userId }) => personOf(userId)),
      topGifted: ranked(given.recipients, ({ userId }) => personOf(userId)),
      topViewers: ranked(viewers, ({ userId }) => personOf(userId)),
      lastUpdated,
    };
  }

  /**
   * Counts a request for a board with custom dates, cached or not. Counted outside the shared build, because other
   * callers must not share the refusal.
   */
  const takeCustom = (userId: ObjectId): Promise<void> =>
    admitSliding(rateLimiter, `leaderboards:${userId}`, CUSTOM_LIMIT, {
      nowMs: clock.now(),
      refused: tooManyBoards,
    });

  /** Returns the cache key of a query: it is the same for all callers and any `limit`. */
  const keyOf = ({ key, startDate, endDate }: AskedPeriod, query: LeaderboardQuery): string => {
    const isRolling = key !== 'custom' && query.endDate === undefined;
    const dates = isRolling ? key : `${key} ${startDate.toISOString()} ${endDate.toISOString()}`;
    const end = key === 'custom' && query.endDate === undefined ? `${key} ${startDate.toISOString()}` : dates;
    return `${FORMAT} ${end} ${query.platform ?? ''} ${query.contentType ?? ''}`;
  };

  return {
    /** @throws 422, 429 for too many boards with custom dates, 503 */
    async of(query: LeaderboardQuery, { userId }: UserCaller): Promise<Leaderboards> {
      const period = requestedPeriod(query);
      const key = keyOf(period, query);
      if (query.startDate !== undefined || query.endDate !== undefined) await takeCustom(userId);
      const board = await boards(key, () => build(period, query));
      return cut(board as Leaderboards, query.limit);
    },
  };
}

export type LeaderboardRules = ReturnType<typeof leaderboardRules>;

/** Adds ranks to rows that are sorted best first. */
const ranked = <Row extends object, Person extends object>(rows: Row[], personOf: (row: Row) => Person) =>
  rows.map((row, place) => ({ rank: place + 1, ...row, ...personOf(row) }));

const profileOf = ({ permissions, profile, ...card }: MemberCard) => ({
  ...card,
  avatar: typeof profile.profileImage === 'string' ? profile.profileImage : null,
  isEducator: permissions.includes('educator'),
});

function personIn(userId: ObjectId, card: MemberCard | undefined) {
  const user = memberOf(card && !card.isDeleted ? profileOf(card) : deletedProfile(userId));
  const { name, username, avatar } = user;
  return { user, name, username, slug: username || null, avatar };
}

/** Cuts boards, which are built with the maximum number of rows, to the requested number. */
const cut = (board: Leaderboards, limit: number): Leaderboards => ({
  ...board,
  filters: { ...board.filters, limit },
  topConcurrentEducators: board.topConcurrentEducators.slice(0, limit),
  topGifters: board.topGifters.slice(0, limit),
  topGifted: board.topGifted.slice(0, limit),
  topViewers: board.topViewers.slice(0, limit),
});
