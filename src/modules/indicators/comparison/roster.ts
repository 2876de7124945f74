import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Contact, Identity } from '../../identity/contract.ts';
import type { AccessRow, Move, MyAccess } from '../access/access.schemas.ts';
import type { Status } from '../access/access.transitions.ts';
import { accessNotFound } from '../access/grants.ts';
import type { RosterRow, RosterStore } from './roster.store.ts';

interface Deps {
  store: RosterStore;
  identity: Pick<Identity, 'contactsOf'>;
}

/** Lists of grants with their members. */
export function rosters({ store, identity }: Deps) {
  async function withUsers(rows: RosterRow[]): Promise<AccessRow[]> {
    const contacts = await identity.contactsOf([...new Set(rows.map(({ userId }) => userId))]);
    const contactOf = new Map(contacts.map((contact) => [contact.userId, contact]));
    return rows.map((row) => ({ ...row, user: userOf(contactOf.get(row.userId)) }));
  }
  const withUsersOnPage = async (page: Page<RosterRow>): Promise<Page<AccessRow>> => ({
    ...page,
    items: await withUsers(page.items),
  });
  /** @throws accessNotFound */
  async function existing(id: ObjectId): Promise<RosterRow> {
    const row = await store.find(id);
    if (!row) throw accessNotFound();
    return row;
  }

  return {
    pageOf: async (indicatorId: ObjectId, status: Status | undefined, page: PageRequest) =>
      withUsersOnPage(await store.pageOf(indicatorId, status, page)),
    failures: async (page: PageRequest) => withUsersOnPage(await store.failures(page)),
    ofMember: (userId: ObjectId): Promise<MyAccess[]> => store.ofMember(userId),
    historyOf: (accessId: ObjectId, limit: number): Promise<Move[]> => store.historyOf(accessId, limit),
    get: async (id: ObjectId): Promise<AccessRow> => (await withUsers([await existing(id)]))[0] as AccessRow,
    /** Returns a grant after a change; as it was before, with its new status, if it has been deleted at its end. */
    async after(before: RosterRow, { id, status }: Pick<AccessRow, 'id' | 'status'>): Promise<AccessRow> {
      const row = await store.find(id);
      const ended = { ...before, status, failedAction: null, lastError: null, errorKind: null, entry: null };
      return (await withUsers([row ?? ended]))[0] as AccessRow;
    },
    /** @throws accessNotFound, also for a grant of another indicator */
    async of(indicatorId: ObjectId, accessId: ObjectId): Promise<RosterRow> {
      const row = await existing(accessId);
      if (row.scannerId !== indicatorId) throw accessNotFound();
      return row;
    },
  };
}

export type Roster = ReturnType<typeof rosters>;

const userOf = (contact: Contact | undefined): AccessRow['user'] =>
  contact
    ? { id: contact.userId, email: contact.email, firstName: contact.firstName, lastName: contact.lastName }
    : null;
