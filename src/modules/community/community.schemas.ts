import { Type } from 'typebox';
import { bodyId, membersQuery } from '../../kernel/operations/ids.ts';
import { asRead } from '../../kernel/operations/lost-updates.ts';
import { ok } from '../../kernel/operations/operation.ts';
import {
  cursorQuery,
  DateTime,
  DeletedRecord,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { REACTIONS } from './posts.model.ts';

export const CommunityShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ examples: ['Metals'] }),
    description: Type.String({ examples: ['Gold, silver, copper'] }),
    createdBy: ObjectIdShape,
    creator: MemberShape,
    memberCount: Type.Integer({ examples: [12] }),
    postCount: Type.Integer({ examples: [40] }),
    joined: Type.Boolean({ description: 'Whether you are a member' }),
    createdAt: DateTime,
    updatedAt: { ...DateTime, description: 'When its texts were last changed' },
  },
  { $id: 'Community' },
);

export const CommunityMemberShape = Type.Object(
  { userId: ObjectIdShape, user: MemberShape, joinedAt: DateTime },
  { $id: 'CommunityMember' },
);

export const CommunityBanShape = Type.Object(
  { userId: ObjectIdShape, user: MemberShape, bannedAt: DateTime },
  { $id: 'CommunityBan' },
);

export const CommunityBannedOut = ok(
  Type.Object({ communityId: ObjectIdShape, userId: ObjectIdShape, banned: Type.Boolean() }),
  { message: 'Done' },
);

const Count = Type.Integer({ examples: [2] });

export const PostShape = Type.Object(
  {
    id: ObjectIdShape,
    communityId: ObjectIdShape,
    userId: ObjectIdShape,
    user: MemberShape,
    content: Type.String({ examples: ['Gold breaks out!'] }),
    commentCount: Type.Integer(),
    reactionCount: Type.Integer(),
    reactions: Type.Object({ like: Count, love: Count, celebrate: Count, insightful: Count }),
    ownReaction: nullable(oneOf(REACTIONS, { description: 'Your reaction' })),
    createdAt: DateTime,
    editedAt: nullable(DateTime),
  },
  { $id: 'Post' },
);

export const PostAnywhereShape = Type.Object(
  { ...PostShape.properties, communityName: CommunityShape.properties.name },
  { $id: 'PostAnywhere' },
);

export const CommentShape = Type.Object(
  {
    id: ObjectIdShape,
    postId: ObjectIdShape,
    userId: ObjectIdShape,
    user: MemberShape,
    content: Type.String({ examples: ['At last.'] }),
    createdAt: DateTime,
    editedAt: nullable(DateTime),
  },
  { $id: 'Comment' },
);

const Content = readableText(5000, { examples: ['Gold breaks out!'] });

export const Gone = ok(DeletedRecord, { message: 'Deleted' });

export const ListCommunitiesQuery = Type.Object({
  ...cursorQuery(),
  joined: Type.Optional(Type.Boolean({ description: 'Only those that you have, or have not, joined' })),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'A part of their name', examples: ['metals'] }),
  ),
});

export const ListCommunityMembersQuery = Type.Object(membersQuery());

export const ListCommunityBansQuery = Type.Object(membersQuery());

export const CreateCommunityBody = Type.Object({
  name: nameText(100, { examples: ['Metals'] }),
  description: Type.Optional(optionalText(1000)),
});

export const UpdateCommunityBody = Type.Object({
  name: Type.Optional(CreateCommunityBody.properties.name),
  description: CreateCommunityBody.properties.description,
  ...asRead,
});

export const ListPostsQuery = Type.Object(cursorQuery());

export const ListAllPostsQuery = Type.Object({ ...cursorQuery(), userId: Type.Optional(bodyId('user')) });

export const CreatePostBody = Type.Object({ content: Content });

export const ListCommentsQuery = Type.Object(cursorQuery());

export const CreateCommentBody = Type.Object({ content: Content });

export const ReactToPostBody = Type.Object({ type: oneOf(REACTIONS) });
