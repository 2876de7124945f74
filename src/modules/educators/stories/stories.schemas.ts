import { type Static, Type } from 'typebox';
import { momentQuery } from '../../../kernel/operations/moments.ts';
import { DateTime, HttpUrl, nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { MemberShape, NamedMemberShape } from '../../identity/contract.ts';
import { STORY_MEDIA_TYPES } from './stories.model.ts';

const MAX_DURATION_SECONDS = 600;

const fields = {
  mediaType: oneOf(STORY_MEDIA_TYPES, { examples: ['image'] }),
  mediaUrl: HttpUrl,
  thumbnailUrl: nullable(HttpUrl),
  duration: Type.Integer({
    minimum: 0,
    maximum: MAX_DURATION_SECONDS,
    description: 'Seconds',
    examples: [15],
  }),
};

export const StoryInBody = Type.Object({
  mediaType: fields.mediaType,
  mediaUrl: fields.mediaUrl,
  thumbnailUrl: Type.Optional(fields.thumbnailUrl),
  duration: Type.Optional(fields.duration),
});
export type StoryDraft = Static<typeof StoryInBody>;

export const StoryShape = Type.Object(
  {
    id: ObjectIdShape,
    educatorId: ObjectIdShape,
    educator: MemberShape,
    ...fields,
    viewCount: Type.Integer({
      description: 'Number of distinct viewers, without the educator',
      examples: [42],
    }),
    viewed: Type.Boolean({ description: 'Whether you have viewed it' }),
    expiresAt: DateTime,
    createdAt: DateTime,
  },
  { $id: 'Story' },
);

export const StoryGroup = Type.Object(
  {
    educator: Type.Object({
      ...NamedMemberShape.properties,
      profileImage: nullable(Type.String({ description: 'The same as `avatar`' })),
    }),
    stories: Type.Array(StoryShape),
    hasUnviewed: Type.Boolean(),
  },
  { $id: 'StoryGroup' },
);

export const ViewedOut = Type.Object(
  { storyId: ObjectIdShape, viewed: Type.Boolean(), viewCount: Type.Integer({ examples: [43] }) },
  { $id: 'ViewedStory' },
);

export const StoryViewer = Type.Object(
  { userId: ObjectIdShape, user: MemberShape, viewedAt: DateTime },
  { $id: 'StoryViewer' },
);

export const ListStoryViewersQuery = Type.Object(momentQuery(['viewedAt', 'userId']));
