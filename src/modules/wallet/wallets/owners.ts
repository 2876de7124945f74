import type { Page } from '../../../kernel/database/pagination.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { ERASED } from '../../../kernel/records/erasure.ts';
import { fullName } from '../../../kernel/text/full-name.ts';
import type { TransactionRecord } from '../ledger/transactions.model.ts';

export interface Contact {
  userId: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
}

/** The owner of a wallet, a withdrawal or a checkout. */
export interface Owner extends Contact {
  id: ObjectId;
  name: string;
}

type Owned<Row> = Row & { owner: Owner | null };

const ownerOf = ({ userId, email, firstName, lastName }: Contact): Owner => ({
  id: userId,
  name: fullName({ firstName, lastName }),
  userId,
  email,
  firstName,
  lastName,
});

/** Returns the administrator who has made a transaction, where its metadata names one. */
const adminOf = ({ adminEmail, adminId }: Record<string, unknown>): ObjectId | undefined =>
  adminEmail === undefined ? undefined : (adminId as ObjectId);

/** Adds the owner to each row with a single query; null for a deleted member. */
export function ownerRules(contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>) {
  /** Reads the owners of all these by one query; returns a lookup function. */
  async function lookup(userIds: ObjectId[]): Promise<(userId: ObjectId) => Owner | null> {
    const contacts = userIds.length === 0 ? [] : await contactsOf([...new Set(userIds)]);
    const owners = new Map(contacts.map((contact) => [contact.userId, ownerOf(contact)]));
    return (userId) => owners.get(userId) ?? null;
  }
  async function named<Row extends { userId: ObjectId }>(rows: Row[]): Promise<Owned<Row>[]> {
    const owner = await lookup(rows.map(({ userId }) => userId));
    return rows.map((row) => ({ ...row, owner: owner(row.userId) }));
  }
  /**
   * Returns transactions without the address of a deleted administrator in their metadata. The ledger, whose hashes
   * cover it, never changes.
   */
  async function withoutFormerStaff<Row extends Pick<TransactionRecord, 'metadata'>>(
    rows: Row[],
  ): Promise<Row[]> {
    const staff = rows.flatMap(({ metadata }) => adminOf(metadata) ?? []);
    if (staff.length === 0) return rows;
    const known = await lookup(staff);
    const isGone = (id: ObjectId | undefined) => id !== undefined && known(id) === null;
    return rows.map((row) =>
      isGone(adminOf(row.metadata)) ? { ...row, metadata: { ...row.metadata, adminEmail: ERASED } } : row,
    );
  }
  return {
    lookup,
    withoutFormerStaff,
    ofRows: named,
    ofPage: async <Row extends { userId: ObjectId }>(page: Page<Row>): Promise<Page<Owned<Row>>> => ({
      ...page,
      items: await named(page.items),
    }),
  };
}

export type OwnerRules = ReturnType<typeof ownerRules>;
