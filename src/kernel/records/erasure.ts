import { memoized } from '../concurrency/lazy.ts';
import type { ObjectId } from '../ids.ts';
import { DAY_MS, MINUTE_MS } from '../time/time.ts';

/** A name of a member, and while it was theirs, in milliseconds since the epoch. */
export interface BorneName {
  name: string;
  /** 0 if from the beginning. */
  since: number;
  /** None if to the end. */
  until?: number;
}

/** A deleted member, and the texts by which operators' records may identify them. */
export interface Person {
  userId: ObjectId;
  /** The addresses of the account; records that contain one, and are not newer than `emailsUntil`, are about the person. */
  emails: string[];
  /** Newer records are about the person only if they contain the id: the next account may have the same address. */
  emailsUntil: Date;
  /**
   * First and last names, usernames, customer id, former addresses: replaced in records that are about the person and were
   * written while the name was theirs. Otherwise members could choose names that blank what is said about them.
   */
  names: BorneName[];
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
/** Fields whose words are those of the platform or of its staff, who are erased with their own accounts. */
const FIELDS_OF_STAFF = new Set([
  ...['adminId', 'adminEmail', 'errorCode', 'errorType', 'code', 'operation', 'severity', 'status'],
  ...['method', 'action', 'kind', 'type', 'permissions', 'outcome'],
]);

/** Returns an `ilike` pattern for texts that contain this one. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** How records about a person are found: a text must match one of the `ilike` patterns, and the expression. */
export interface Naming {
  patterns: string[];
  /** For `~*`. An address counts only as a whole: `n@example.com` is another person than `ann@example.com`. */
  expression: string;
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const spellingsOf = (emails: string[]): string[] => [...emails, ...emails.map(encodeURIComponent)];

/** Returns what finds the records about a person: those that contain their id or one of their addresses. */
export function namingOf({ userId, emails }: Pick<Person, 'emails'> & { userId?: ObjectId }): Naming {
  const texts = [...(userId === undefined ? [] : [userId]), ...spellingsOf(emails)];
  // The texts are those of JSON and of URLs, whose escapes end with a letter or a digit.
  const before =
    '(?:(?<![[:alnum:]._%+@-])|(?<=%[0-9a-f][0-9a-f])|(?<=[\\\\][nrtbf])|(?<=[\\\\]u[0-9a-f]{4}))';
  const after = '(?![[:alnum:]@_]|[.][[:alnum:]])';
  return {
    patterns: texts.map(containing),
    expression: `${before}(?:${texts.map(literal).join('|')})${after}`,
  };
}

/** As in the expression of {@link namingOf}, but for a text that is not escaped. */
const BEFORE_ADDRESS = '(?:(?<![\\p{L}\\p{N}._%+@-])|(?<=%[0-9a-f]{2}))';
const AFTER_ADDRESS = '(?![\\p{L}\\p{N}@_]|[.][\\p{L}\\p{N}])';
/** Letters and digits with their marks: a vowel sign or an accent belongs to the letter before it. */
const IN_WORD = '[\\p{L}\\p{M}\\p{N}]';

/** Replacing a name of one letter would also replace articles such as "a". */
const MIN_LENGTH = 2;
/** Clocks of processes may differ. */
const CLOCKS_DIFFER_MS = MINUTE_MS;
/** For how long others may still use a name that was changed. */
const STILL_USED_MS = DAY_MS;

/** The expressions of a person by the names that count, since millions of texts may be compared. */
const expressionsOf = memoized((_person: Person) => new Map<string, RegExp>());

function expressionOf(person: Person, writtenAt: Date): RegExp {
  const at = writtenAt.getTime();
  const borne = person.names.filter(
    ({ name, since, until = Number.POSITIVE_INFINITY }) =>
      name.length >= MIN_LENGTH && since <= at + CLOCKS_DIFFER_MS && at <= until + STILL_USED_MS,
  );
  const names = [...new Set(borne.map(({ name }) => name))];
  const ofPerson = expressionsOf(person);
  const key = names.join('\n');
  const known = ofPerson.get(key);
  if (known) return known;
  const forms = names.flatMap((name) => [name, name.normalize('NFC'), name.normalize('NFD')]);
  // The longest first: "ada-l" is gone before "ada" leaves "-l".
  const words = [...new Set(forms)].sort((a, b) => b.length - a.length).map(literal);
  const addresses = spellingsOf(person.emails).map(literal);
  const all = [
    ...(addresses.length > 0 ? [`${BEFORE_ADDRESS}(?:${addresses.join('|')})${AFTER_ADDRESS}`] : []),
    ...(words.length > 0 ? [`(?<!${IN_WORD})(?:${words.join('|')})(?!${IN_WORD})`] : []),
  ];
  const expression = new RegExp(all.length > 0 ? all.join('|') : '(?!)', 'giu');
  ofPerson.set(key, expression);
  return expression;
}

/**
 * Returns a text without the addresses and names of a person, which are replaced only as a whole.
 * @param writtenAt names that were not theirs then are left
 */
export const withoutNames = (text: string, person: Person, writtenAt: Date): string =>
  text.replace(expressionOf(person, writtenAt), ERASED);

/** Replaces all that a field holds; a list, such as the values before and after a change, keeps its length. */
const erased = (value: unknown): unknown =>
  value === null ? null : Array.isArray(value) ? value.map(erased) : ERASED;

/** Replaces texts that are an address of the person. */
function withoutAddresses(value: unknown, person: Person): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAddresses(item, person));
  return typeof value === 'string' && person.emails.includes(value) ? ERASED : value;
}

/**
 * Returns a JSON value without the personal data of a person.
 * @param about when it was written, and whether its personal fields describe this person rather than another one
 */
export function withoutPerson(
  value: unknown,
  person: Person,
  about: { writtenAt: Date; isOwn?: boolean },
): unknown {
  const { writtenAt, isOwn = false } = about;
  const fieldOf = (name: string, item: unknown): unknown => {
    if (isOwn && PERSONAL_FIELDS.has(name)) return erased(item);
    // The person may themselves have been of the staff.
    if (FIELDS_OF_STAFF.has(name) && (typeof item === 'string' || Array.isArray(item)))
      return withoutAddresses(item, person);
    return withoutPerson(item, person, about);
  };
  if (typeof value === 'string') return withoutNames(value, person, writtenAt);
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, person, about));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fieldOf(name, item)]));
}
