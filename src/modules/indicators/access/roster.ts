import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { fullName } from '../../../kernel/text/full-name.ts';
import type { Contact, Identity } from '../../identity/contract.ts';
import type { Status } from './access.model.ts';
import type { AccessRow, MyAccess } from './access.schemas.ts';
import { accessNotFound } from './changing.ts';
import type { GrantFilter, Move, RosterRow } from './roster.model.ts';
import type { RosterStore } from './roster.store.ts';

interface Deps {
  store: RosterStore;
  identity: Pick<Identity, 'contactsOf'>;
}

/** Lists of grants with their members. */
export function rosters({ store, identity }: Deps) {
  async function withUsers(rows: RosterRow[], tx?: Transaction): Promise<AccessRow[]> {
    const contacts = await identity.contactsOf([...new Set(rows.map(({ userId }) => userId))], tx);
    const contactOf = new Map(contacts.map((contact) => [contact.userId, contact]));
    return rows.map((row) => ({ ...viewOf(row), user: userOf(contactOf.get(row.userId)) }));
  }
  const withUsersOnPage = async (page: Page<RosterRow>): Promise<Page<AccessRow>> => ({
    ...page,
    items: await withUsers(page.items),
  });
  /** @throws accessNotFound */
  async function existing(id: ObjectId, tx?: Transaction): Promise<RosterRow> {
    const row = await store.find(id, tx);
    if (!row) throw accessNotFound();
    return row;
  }

  return {
    pageOf: async (indicatorId: ObjectId, status: Status | undefined, page: PageRequest) =>
      withUsersOnPage(await store.pageOf(indicatorId, status, page)),
    pageOfAll: async (filter: GrantFilter, page: PageRequest) =>
      withUsersOnPage(await store.pageOfAll(filter, page)),
    failures: async (page: PageRequest) => withUsersOnPage(await store.failures(page)),
    ofMember: async (userId: ObjectId): Promise<MyAccess[]> => (await store.ofMember(userId)).map(viewOf),
    /** Returns the grants of a member as operators see them. */
    grantsOf: async (userId: ObjectId): Promise<AccessRow[]> => withUsers(await store.ofMember(userId)),
    historyOf: (accessId: ObjectId, limit: number): Promise<Move[]> => store.historyOf(accessId, limit),
    get: async (id: ObjectId, tx?: Transaction): Promise<AccessRow> =>
      only(await withUsers([await existing(id, tx)], tx)),
    /**
     * Returns a grant after a change. If the grant was deleted when it ended, returns its former row with the new
     * status.
     */
    async after(before: RosterRow, { id, status }: Pick<AccessRow, 'id' | 'status'>): Promise<AccessRow> {
      const row = await store.find(id);
      const ended = { ...before, status, failedAction: null, lastError: null, errorKind: null, entry: null };
      return only(await withUsers([row ?? ended]));
    },
    /** @throws accessNotFound, also for a grant of another indicator */
    async of(indicatorId: ObjectId, accessId: ObjectId): Promise<RosterRow> {
      const row = await existing(accessId);
      if (row.indicatorId !== indicatorId) throw accessNotFound();
      return row;
    },
  };
}

export type Roster = ReturnType<typeof rosters>;

const viewOf = ({ indicatorId, indicatorName, handle, ...row }: RosterRow): Omit<AccessRow, 'user'> => ({
  ...row,
  accessId: row.id,
  scannerId: indicatorId,
  scannerName: indicatorName,
  chartingUsername: handle,
});

const userOf = (contact: Contact | undefined): AccessRow['user'] =>
  contact
    ? {
        id: contact.userId,
        name: fullName(contact),
        email: contact.email,
        firstName: contact.firstName,
        lastName: contact.lastName,
      }
    : null;
