import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Events, onInTransaction, type Subscription } from '../../kernel/messaging/events.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { Chat } from '../chat/contract.ts';
import { type Identity, type MemberCard, userChanged } from '../identity/contract.ts';
import { educatorChanged } from './contract.ts';
import { nameOf } from './educators.model.ts';
import type { EducatorStore } from './educators.store.ts';

const AT_ONCE = 500;
const rebuildCopies = jobKind('educators.rebuild');

/** Returns a text in the form used to search names: lower case, without accents. */
export const searchableOf = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

interface CopyingDeps {
  store: EducatorStore;
  identity: Pick<Identity, 'cardsOf' | 'educatorsAfter'>;
  events: Pick<Events, 'publish'>;
  chat: Pick<Chat, 'renameRoomOfEducator'>;
  /** Called in the transaction in which an educator becomes visible, for the first time or again. */
  onShown(tx: Transaction, educatorId: ObjectId): Promise<void>;
}

/** Copies educators' data from identity, in the transaction of each change, so that it is never stale. */
export function copying({ store, identity, events, chat, onShown }: CopyingDeps) {
  async function copyOf(tx: Transaction, card: MemberCard, isChange = false): Promise<void> {
    const copy = {
      id: card.userId,
      username: card.username,
      firstName: card.firstName,
      lastName: card.lastName,
      permissions: card.permissions,
      profile: card.profile,
      searchable: searchableOf(`${card.firstName} ${card.lastName} ${card.username}`),
      isEducator: card.permissions.includes('educator'),
      isActive: card.isActive,
      createdAt: new Date(card.createdAt),
      updatedAt: new Date(card.updatedAt),
    };
    const copied = await store.copy(tx, copy, isChange);
    if (!copied) return;
    const { visibilityChanged, isVisible, formerFirstName, formerLastName } = copied;
    if (formerFirstName !== null && formerLastName !== null && !card.isDeleted) {
      const from = nameOf({ firstName: formerFirstName, lastName: formerLastName });
      if (from !== nameOf(card)) await chat.renameRoomOfEducator(tx, copy.id, { from, to: nameOf(card) });
    }
    if (isChange || visibilityChanged)
      await events.publish(tx, educatorChanged, {
        educatorId: copy.id,
        isHidden: visibilityChanged && !isVisible,
      });
    if (visibilityChanged && isVisible) await onShown(tx, copy.id);
  }

  const follow: Subscription = onInTransaction(userChanged, 'educators', async ({ data: card }, tx) => {
    // Most accounts never belong to educators: new accounts need no lookup.
    const isNew = card.createdAt === card.updatedAt;
    if (isNew && !card.permissions.includes('educator')) return;
    await copyOf(tx, card, true);
  });

  return {
    subscription: follow,
    copyOf,
    /** Copies all current and former educators again, to include accounts older than the module and manual changes. */
    rebuild(database: Database): Job {
      const copyAll = async (next: (after: ObjectId) => Promise<ObjectId[]>): Promise<void> => {
        for (let after = ''; ; ) {
          const ids = await next(after);
          for (const card of await identity.cardsOf(ids))
            await database.transaction((tx) => copyOf(tx, card));
          if (ids.length < AT_ONCE) return;
          after = ids.at(-1) as ObjectId;
        }
      };
      return job(rebuildCopies, {
        cron: '41 3 * * *',
        atStart: true,
        concurrency: 1,
        timeoutSeconds: 1800,
        run: async () => {
          await copyAll((after) => identity.educatorsAfter(after, AT_ONCE));
          await copyAll((after) => store.idsAfter(after, AT_ONCE));
        },
      });
    },
  };
}

export type Copying = ReturnType<typeof copying>;
