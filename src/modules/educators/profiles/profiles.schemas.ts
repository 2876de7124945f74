import { type Static, Type } from 'typebox';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import { DateTime, nameText, nullable, pageQuery, refusedAs } from '../../../kernel/operations/shapes.ts';
import { educatorFields, MAX_BIO_LENGTH, NamedMemberShape } from '../../identity/contract.ts';
import { PictureLinks } from '../../media/contract.ts';
import { bioTooLong, noProfileFields } from './profiles.model.ts';

// Only administrators set badges.
const { rankBadgeUrl, ...profileFields } = educatorFields;

const LimitedBio = {
  ...profileFields.educator_bio,
  // A coarse upper bound; the limit with its own failure is below.
  maxLength: 5 * MAX_BIO_LENGTH,
  description: `At most ${MAX_BIO_LENGTH} characters`,
  // Has no type of its own, which the enclosing schema checks: a number is not a text that is too long.
  allOf: [refusedAs(Type.Unsafe({ maxLength: MAX_BIO_LENGTH }), bioTooLong)],
} as unknown as typeof profileFields.educator_bio;

export const ProfileInBody = refusedAs(
  Type.Partial(
    Type.Object({
      ...profileFields,
      educator_bio: LimitedBio,
      firstName: nameText(100, { examples: ['Ada'] }),
      lastName: nameText(100, { examples: ['Lovelace'] }),
      ...asRead,
    }),
    { minProperties: 1 },
  ),
  noProfileFields,
);
export type ProfileDraft = Static<typeof ProfileInBody>;

export const MarksInBody = Type.Object({
  isVerified: Type.Optional(Type.Boolean()),
  featured: Type.Optional(Type.Boolean()),
  rankBadgeUrl: Type.Optional(rankBadgeUrl),
  username: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9._-]{0,58}[a-z0-9])?$',
      description: 'Lower-case letters, digits, dots, hyphens and underscores',
      examples: ['ada'],
    }),
  ),
  ...asRead,
});
export type Marks = Static<typeof MarksInBody>;

const Text = Type.String();
export const Subscribed = Type.Boolean({
  description: 'Whether you are notified of their announcements and stories',
});

export const EducatorShape = Type.Object(
  {
    ...NamedMemberShape.properties,
    email: nullable(
      Type.String({ description: 'Null if this installation hides e-mail addresses from members' }),
    ),
    profileImage: nullable(Type.String({ description: 'The same as `avatar`' })),
    rankBadgeUrl: nullable(Text),
    educator_title: nullable(Text),
    educator_bio: nullable(Text),
    banner_image: nullable(Text),
    pictureSizes: Type.Object(
      { profileImage: nullable(PictureLinks), banner_image: nullable(PictureLinks) },
      { description: 'Smaller copies of uploaded pictures; null for other pictures' },
    ),
    specialty: nullable(Text),
    skills: Type.Array(Text),
    socials: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    subscriberCount: Type.Integer({ description: 'Number of followers', examples: [1204] }),
    followerCount: Type.Integer({ description: 'The same number as `subscriberCount`', examples: [1204] }),
    courseCount: Type.Integer({ description: 'Number of published courses', examples: [3] }),
    rating: Type.Number({
      description: 'The mean of all ratings of their courses; 0 without ratings',
      examples: [4.7],
    }),
    permissions: Type.Array(Text, { examples: [['educator']] }),
    isVerified: Type.Boolean(),
    featured: Type.Boolean(),
    isFollowing: Type.Boolean({ description: 'Whether you follow them' }),
    subscribed: Subscribed,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Educator' },
);
export type EducatorView = Static<typeof EducatorShape>;

export const ListEducatorsQuery = Type.Object({
  ...pageQuery({ limit: 20, maximum: 50 }),
  search: Type.Optional(Type.String({ maxLength: 100, examples: ['lovelase'] })),
  featured: Type.Optional(Type.Boolean()),
});

export const ListFeaturedEducatorsQuery = Type.Object({ limit: pageQuery({ limit: 8, maximum: 24 }).limit });
