import type { ObjectId } from '../ids.ts';

/** A deleted member, and what records of operators may name them by. */
export interface Person {
  userId: ObjectId;
  /** The addresses of the account; records that contain one are about the person. */
  emails: string[];
  /** First and last name, username, customer id: replaced in records that are about the person. */
  names: string[];
}

/** Takes what names a deleted member out of records that stay. May be repeated. */
export type ErasePerson = (person: Person) => Promise<void>;

/** Stands where a name or an address was. */
export const ERASED = 'deleted';

/** Fields that name a person whatever they contain, such as an address of former times. */
const PERSONAL_FIELDS = new Set([
  ...['email', 'actorEmail', 'firstName', 'lastName', 'fullName', 'username', 'customerId', 'customer_id'],
  ...['chartingUsername', 'chartingId', 'lastError', 'educator', 'device'],
]);

/** Returns `ilike` patterns of records that are about a person: that contain their id or an address of theirs. */
export const patternsOf = ({
  userId,
  emails,
}: Pick<Person, 'emails'> & { userId: ObjectId | undefined }): string[] =>
  [...(userId === undefined ? [] : [userId]), ...emails, ...emails.map(encodeURIComponent)].map(
    (text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`,
  );

/** A name of one letter would take the articles of sentences with it. */
const MIN_LENGTH = 2;

/** Returns a text without addresses and names of a person; names only as whole words. */
export function withoutNames(text: string, { emails, names }: Person): string {
  const words = [...emails, ...emails.map(encodeURIComponent), ...names].filter(
    ({ length }) => length >= MIN_LENGTH,
  );
  return words.reduce((rest, word) => {
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu'), ERASED);
  }, text);
}

/**
 * Returns a JSON value of a record about a person without what names them.
 * @param isOwn whether its personal fields are the person's and not somebody else's
 */
export function withoutPerson(value: unknown, person: Person, isOwn: boolean): unknown {
  if (typeof value === 'string') return withoutNames(value, person);
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, person, isOwn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isOwn && PERSONAL_FIELDS.has(name) && item !== null ? ERASED : withoutPerson(item, person, isOwn),
    ]),
  );
}
