import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import {
  type Channel,
  type Notice,
  type NoticeMessage,
  notice,
  noticeAction,
  REMINDER,
} from '../notifications/contract.ts';
import type { CatalogueStore } from './catalogue/catalogue.store.ts';
import { accessBegan, accessEnded, graceBegan } from './contract.ts';

const MAX_NAMED = 3;

/** Lists a few names: `Trend Pulse, Range Finder and 12 more`. */
function list(names: string[]): string {
  const named = names.slice(0, MAX_NAMED);
  const more = names.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

interface OfMember {
  userId: ObjectId;
  scannerIds: ObjectId[];
}
/** The names of indicators by their ids. */
type Names = Map<ObjectId, string>;

const channels: Channel[] = ['push', 'email'];

export function indicatorNotices({ namesOf }: Pick<CatalogueStore, 'namesOf'>): Notice[] {
  const type = REMINDER;
  const action = noticeAction('open-indicators', {
    opens: "the member's indicators",
    path: '/v1/streams/scanners/access/mine',
  });
  const read = async (all: OfMember[], queries: Queries): Promise<Names> => {
    const ids = new Set(all.flatMap(({ scannerIds }) => scannerIds));
    return new Map((await namesOf(queries, [...ids])).map(({ id, name }) => [id, name]));
  };
  /** Returns no message if none of the indicators exists any longer. */
  const messages = (
    { userId, scannerIds }: OfMember,
    known: Names,
    write: (names: string) => Pick<NoticeMessage, 'title' | 'message' | 'priority' | 'details'>,
  ) => {
    const names = scannerIds.flatMap((id) => known.get(id) ?? []);
    if (names.length === 0) return [];
    const { details, ...message } = write(list(names));
    return [{ to: userId, channels, ...message, details: { ...details, scannerIds } }];
  };
  return [
    notice(accessBegan, {
      type,
      action,
      read,
      write: (data, known) =>
        messages(data, known, (names) => ({
          title: 'Your indicators are ready',
          message: `You have access to ${names} at the charting platform.`,
        })),
    }),
    notice(graceBegan, {
      type,
      action,
      read,
      write: (data, known) =>
        messages(data, known, (names) => ({
          priority: 'high',
          title: 'Your access to indicators is about to end',
          message: `Your access to ${names} ends on ${String(data.graceEndsAt).slice(0, 10)}, unless your membership becomes active again.`,
          details: { graceEndsAt: data.graceEndsAt },
        })),
    }),
    notice(accessEnded, {
      type,
      action,
      read,
      write: (data, known) =>
        messages(data, known, (names) => ({
          title: 'Your access to indicators has ended',
          message: `You no longer have access to ${names} at the charting platform.`,
        })),
    }),
  ];
}
