import type { ObjectId } from '../ids.ts';

/** A deleted member, and the texts by which operators' records may identify them. */
export interface Person {
  userId: ObjectId;
  /** The addresses of the account; records that contain one are about the person. */
  emails: string[];
  /** First and last name, username, customer id: replaced in records that are about the person. */
  names: string[];
}

/** Removes the personal data of a deleted member from records that are kept. May be repeated. */
export type ErasePerson = (person: Person) => Promise<void>;

/**
 * Removes the personal data of a deleted member from the records of all modules and from the jobs. May be repeated,
 * and must be while an event or a job that names the person has yet to run.
 */
export type EraseEverywhere = (person: Person) => Promise<{ isComplete: boolean }>;

/** Replaces a name or an address. */
export const ERASED = 'deleted';

/** Fields that identify a person whatever they contain, such as a former address. */
const PERSONAL_FIELDS = new Set([
  ...['email', 'actorEmail', 'firstName', 'lastName', 'fullName', 'username', 'customerId', 'customer_id'],
  ...['chartingUsername', 'chartingId', 'lastError', 'educator', 'device'],
]);

/** Returns an `ilike` pattern for texts that contain this one. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Returns `ilike` patterns for records about a person: those that contain their id or one of their addresses. */
export const patternsOf = ({
  userId,
  emails,
}: Pick<Person, 'emails'> & { userId: ObjectId | undefined }): string[] =>
  [...(userId === undefined ? [] : [userId]), ...emails, ...emails.map(encodeURIComponent)].map(containing);

/** Replacing a name of one letter would also replace articles such as "a". */
const MIN_LENGTH = 2;

/** Returns a text without the addresses and names of a person; names are replaced only as whole words. */
export function withoutNames(text: string, { emails, names }: Person): string {
  const words = [...emails, ...emails.map(encodeURIComponent), ...names].filter(
    ({ length }) => length >= MIN_LENGTH,
  );
  return words.reduce((rest, word) => {
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu'), ERASED);
  }, text);
}

/** Replaces all that a field holds; a list, such as the values before and after a change, keeps its length. */
const erased = (value: unknown): unknown =>
  value === null ? null : Array.isArray(value) ? value.map(erased) : ERASED;

/**
 * Returns a JSON value without the personal data of a person.
 * @param isOwn whether the personal fields of the value describe this person, rather than another one
 */
export function withoutPerson(value: unknown, person: Person, isOwn: boolean): unknown {
  if (typeof value === 'string') return withoutNames(value, person);
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, person, isOwn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isOwn && PERSONAL_FIELDS.has(name) ? erased(item) : withoutPerson(item, person, isOwn),
    ]),
  );
}
