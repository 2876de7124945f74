import { type Static, type TSchema, Type } from 'typebox';
import type { Backlog } from '../../kernel/database/backlog.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { fullName } from '../../kernel/text/full-name.ts';
import type { Identity } from '../identity/contract.ts';

/** The text that an administrator looks for. */
export interface Sought {
  text: string;
  /** The text in lower case, by which names and addresses are compared. */
  lowerCase: string;
  /** The text if it is an object identifier. */
  id: ObjectId | undefined;
}

/** How a record matches the text: by an identifier, by a whole name or address, or by the beginning of one. */
export type Match = 'id' | 'whole' | 'beginning';

export interface FoundRecord {
  /** The id by which operations name the record. */
  id: string;
  title: string;
  /** The user whom the record is about. */
  userId: ObjectId | null;
  match: Match;
}

/** Finds records of a type by identifiers and names; contributed by the module that owns them. */
export interface LookUp {
  /** The name of the type in the API: `checkout`. */
  type: string;
  /**
   * Returns at most `limit` records, the best matches first. Must read by indexes only, whatever the text is: it is
   * called for every search.
   */
  find(sought: Sought, limit: number): Promise<FoundRecord[]>;
}

/** Returns how the best of several names matches; undefined if none of them begins with the text. */
export function matchOf(lowerCase: string, names: (string | null)[]): Match | undefined {
  const given = names.flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
  if (given.includes(lowerCase)) return 'whole';
  return given.some((name) => name.startsWith(lowerCase)) ? 'beginning' : undefined;
}

/** Returns the pattern of `like` for texts that begin with this one. */
export const beginningWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The part of a user's overview that a module contributes. */
export interface UserOverviewPart {
  /** The name of the field in the API: `grants`. */
  name: string;
  shape: TSchema;
  /** @throws userNotFound only: an error in one part fails the whole overview */
  read(userId: ObjectId, caller: UserCaller): Promise<unknown>;
}

/** A user as lists of administrators and moderators name them. */
export const PersonShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
  },
  { $id: 'Person' },
);
export type Person = Static<typeof PersonShape>;

/**
 * Reads the names and addresses of these users by one query; returns a lookup function, which returns null for a
 * deleted user.
 */
export async function personLookup(
  { contactsOf }: Pick<Identity, 'contactsOf'>,
  userIds: ObjectId[],
): Promise<(userId: ObjectId) => Person | null> {
  const found = userIds.length === 0 ? [] : await contactsOf([...new Set(userIds)]);
  const known = new Map(
    found.map(({ userId, firstName, lastName, email }) => [
      userId,
      { id: userId, name: fullName({ firstName, lastName }), email },
    ]),
  );
  return (userId) => known.get(userId) ?? null;
}

/** A process's description of itself. */
export interface ThisProcess {
  role: 'all' | 'api' | 'live' | 'worker';
  version: string;
  isDraining: () => boolean;
}

/** A setting as operators see it: without secrets. */
export interface ShownSetting {
  name: string;
  value: string | null;
}

/** A list of items that wait for a person. */
export interface Worklist {
  /** The name in the API: `reports`. */
  name: string;
  read(): Promise<Backlog>;
}

/** A figure of the overview. */
export interface OverviewPart {
  /** The name of the field in the API: `liveConnections`. */
  name: string;
  shape: TSchema;
  read(): Promise<unknown>;
}

declare module '../module.ts' {
  interface Contributions {
    /** Searches for records by their identifiers and names. */
    lookUps?: LookUp[];
    /** Parts of the overview of a user. */
    userOverview?: UserOverviewPart[];
    /** Worklists of administrators and moderators. */
    worklists?: Worklist[];
    /** Figures of the overview of the platform, besides worklists. */
    overview?: OverviewPart[];
  }
}
