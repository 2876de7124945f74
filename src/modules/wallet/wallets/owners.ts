import type { Page } from '../../../kernel/database/pagination.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

/** The owner of a wallet or a withdrawal. */
export interface Owner {
  userId: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
}

type Owned<Row> = Row & { owner: Owner | null };

/** Adds the owner to each row with a single query; null for a deleted member. */
export function ownerRules(contactsOf: (userIds: ObjectId[]) => Promise<Owner[]>) {
  async function named<Row extends { userId: ObjectId }>(rows: Row[]): Promise<Owned<Row>[]> {
    if (rows.length === 0) return [];
    const contacts = await contactsOf([...new Set(rows.map(({ userId }) => userId))]);
    const owners = new Map(
      contacts.map(({ userId, email, firstName, lastName }) => [
        userId,
        { userId, email, firstName, lastName },
      ]),
    );
    return rows.map((row) => ({ ...row, owner: owners.get(row.userId) ?? null }));
  }
  return {
    ofRows: named,
    ofPage: async <Row extends { userId: ObjectId }>(page: Page<Row>): Promise<Page<Owned<Row>>> => ({
      ...page,
      items: await named(page.items),
    }),
  };
}

export type OwnerRules = ReturnType<typeof ownerRules>;
