import type { ObjectId } from '../../kernel/ids.ts';
import { fullName } from '../../kernel/text/full-name.ts';
import { deletedProfile, type Member, memberOf, type Profile } from '../identity/contract.ts';
import { ALL_EDUCATORS, type Audience, topicOfEducator } from '../notifications/contract.ts';

/** A stored educator. */
export interface Educator {
  id: ObjectId;
  username: string;
  firstName: string;
  lastName: string;
  permissions: string[];
  profile: Record<string, unknown>;
  isEducator: boolean;
  isActive: boolean;
  isVerified: boolean;
  featuredAt: Date | null;
  educatorSince: Date;
  followers: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The fields copied from identity. */
export interface EducatorCopy
  extends Omit<Educator, 'isVerified' | 'featuredAt' | 'educatorSince' | 'followers'> {
  searchable: string;
}

/** Returns a text of a profile; null if it is missing or empty. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Returns the public profile of the member who is this educator. */
export const profileOf = ({ id, firstName, lastName, username, profile, isEducator }: Educator): Profile => ({
  userId: id,
  firstName,
  lastName,
  username,
  avatar: textOf(profile.profileImage),
  rankBadgeUrl: textOf(profile.rankBadgeUrl),
  isEducator,
});

/** Returns a function that finds one of these educators as members see them; a missing one has empty names. */
export function memberLookup(educators: Educator[]): (id: ObjectId) => Member {
  const known = new Map(educators.map((educator) => [educator.id, profileOf(educator)]));
  return (id) => memberOf(known.get(id) ?? deletedProfile(id));
}

/** Subscribers of this educator, and of all educators if they subscribed after this one became an educator. */
export const subscribersOf = (
  educatorId: ObjectId,
  { educatorSince }: Pick<Educator, 'educatorSince'>,
): Audience => ({
  topic: topicOfEducator(educatorId),
  kind: { topic: ALL_EDUCATORS, since: educatorSince },
});

export const nameOf = ({ firstName, lastName }: Pick<Educator, 'firstName' | 'lastName'>): string =>
  fullName({ firstName, lastName });
