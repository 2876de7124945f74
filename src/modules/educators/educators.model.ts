import type { ObjectId } from '../../kernel/ids.ts';

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

export const nameOf = ({ firstName, lastName }: Pick<Educator, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();
