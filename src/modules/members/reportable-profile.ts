import { insufficientPermissions } from '../../kernel/failures.ts';
import { holds } from '../../kernel/operations/access.ts';
import { fullName } from '../../kernel/text/full-name.ts';
import { type Identity, type MemberCard, userNotFound } from '../identity/contract.ts';
import type { Reportable } from '../moderation/contract.ts';

/** The fields of a profile that only educators show, in the order in which they are read. */
const OF_EDUCATORS = [
  'educator_title',
  'educator_bio',
  'specialty',
  'skills',
  'socials',
  'banner_image',
] as const;

/** Returns the texts in a field of a profile, which may also be a list or a map. */
const textsIn = (value: unknown): string[] =>
  value !== null && typeof value === 'object'
    ? Object.values(value).flatMap(textsIn)
    : typeof value === 'string' && value !== ''
      ? [value]
      : [];

function textOf({ firstName, lastName, username, permissions, profile }: MemberCard): string {
  const fields = ['profileImage', ...(permissions.includes('educator') ? OF_EDUCATORS : [])];
  const names = [fullName({ firstName, lastName }), `@${username}`];
  return [...names, ...fields.flatMap((name) => textsIn(profile[name]))].join('\n');
}

/**
 * Profiles are reported as other members see them, also across a block: names and pictures stand beside whatever a member
 * has written. Names are shown to moderators, and stay when the profile is removed.
 */
export const reportableProfile = (identity: Pick<Identity, 'cardsOf' | 'emptyProfileIn'>): Reportable => ({
  kind: 'profile',
  find: async (id) => {
    const [card] = await identity.cardsOf([id]);
    if (!card || card.isDeleted) throw userNotFound();
    return { authorId: id, text: textOf(card), containerId: null };
  },
  async remove(tx, id, moderator) {
    const [card] = await identity.cardsOf([id], tx);
    // Otherwise a second account of a moderator could report an administrator, whose profile they then empty.
    if (card?.permissions.includes('admin') && !holds(moderator, 'admin')) throw insufficientPermissions();
    await identity.emptyProfileIn(tx, id);
    return undefined;
  },
  textLeft: async (tx, id) => (await identity.cardsOf([id], tx)).map(textOf)[0],
});
