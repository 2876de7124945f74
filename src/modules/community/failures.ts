import { failure, notFound } from '../../kernel/failures.ts';

export const communityNotFound = notFound('Community');
export const notInCommunity = failure(403, 'NOT_A_MEMBER', 'You are not a member of this community');
export const bannedFromCommunity = failure(403, 'BANNED', 'You are banned from this community');
export const creatorNotBanned = failure(
  409,
  'CREATOR_NOT_BANNED',
  'The creator of a community cannot be banned from it; delete the community instead',
);
