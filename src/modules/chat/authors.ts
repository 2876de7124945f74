import type { Queries } from '../../kernel/database/queries.ts';
import {
  type Identity,
  type NamedMember,
  namedMemberOf,
  type Profile,
  profileLookup,
} from '../identity/contract.ts';
import type { Message } from './messages.model.ts';

/** The author of a message: a member, with the additional fields that messages show. */
export type Author = NamedMember & Pick<Profile, 'rankBadgeUrl'>;

/** A message with its author. */
export interface MessageView extends Message {
  user: Author;
}

export const authorOf = (profile: Profile): Author => ({
  ...namedMemberOf(profile),
  rankBadgeUrl: profile.rankBadgeUrl,
});

/** Adds their authors to messages, with one query for all. */
export async function withAuthors<One extends Pick<Message, 'userId'>>(
  identity: Pick<Identity, 'profilesOf'>,
  messages: One[],
  queries?: Queries,
): Promise<(One & Pick<MessageView, 'user'>)[]> {
  if (messages.length === 0) return [];
  const userIds = messages.map(({ userId }) => userId);
  const profileOf = await profileLookup(identity, userIds, queries);
  return messages.map((message) => ({ ...message, user: authorOf(profileOf(message.userId)) }));
}
