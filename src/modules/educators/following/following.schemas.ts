import { Type } from 'typebox';
import { momentQuery } from '../../../kernel/operations/moments.ts';
import { DateTime, nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { MemberShape } from '../../identity/contract.ts';
import { EducatorShape, Subscribed } from '../profiles/profiles.schemas.ts';

export const FollowShape = Type.Object(
  { educatorId: ObjectIdShape, userId: ObjectIdShape, user: MemberShape, followedAt: DateTime },
  { $id: 'Follow' },
);

export const FollowStatus = Type.Object(
  { isFollowing: Type.Boolean(), followedAt: nullable(DateTime), subscribed: Subscribed },
  { $id: 'FollowStatus' },
);

export const Unfollowed = Type.Object(
  { educatorId: ObjectIdShape, isFollowing: Type.Boolean({ examples: [false] }) },
  { $id: 'Unfollowed' },
);

export const FollowedEducator = Type.Object(
  { ...EducatorShape.properties, followedAt: DateTime },
  { $id: 'FollowedEducator' },
);

export const SubscribedOut = Type.Object({ educatorId: ObjectIdShape, subscribed: Type.Boolean() });

export const ListFollowedEducatorsQuery = Type.Object(
  momentQuery(['followedAt', 'id'], { limit: 20, maximum: 50 }),
);

export const ListEducatorFollowersQuery = Type.Object(momentQuery(['followedAt', 'userId'], { limit: 20 }));

export const SubscribeToAllEducatorsResult = Type.Object({
  count: Type.Integer({ description: 'Educators', examples: [7] }),
});
