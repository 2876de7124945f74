import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notAnnounced } from '../../kernel/fan-out.ts';
import { educator, member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { answer, created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, ObjectIdShape, oneOf, pageQuery, readableText } from '../../kernel/operations/shapes.ts';
import { blocked } from '../moderation/contract.ts';
import { REACTIONS } from './community.store.ts';
import {
  type CommunityRules,
  commentNotFound,
  communityNotFound,
  notInCommunity,
  postNotFound,
} from './community.ts';

const tag = 'Communities';
const CommunityShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ examples: ['Metals'] }),
    description: Type.String({ examples: ['Gold, silver, copper'] }),
    createdBy: ObjectIdShape,
    memberCount: Type.Integer({ examples: [12] }),
    postCount: Type.Integer({ examples: [40] }),
    createdAt: DateTime,
  },
  { $id: 'Community' },
);
const PostShape = Type.Object(
  {
    id: ObjectIdShape,
    communityId: ObjectIdShape,
    userId: ObjectIdShape,
    content: Type.String({ examples: ['Gold breaks out!'] }),
    commentCount: Type.Integer(),
    reactionCount: Type.Integer(),
    createdAt: DateTime,
  },
  { $id: 'Post' },
);
const CommentShape = Type.Object(
  {
    id: ObjectIdShape,
    postId: ObjectIdShape,
    userId: ObjectIdShape,
    content: Type.String({ examples: ['At last.'] }),
    createdAt: DateTime,
  },
  { $id: 'Comment' },
);
const Content = readableText(5000, { examples: ['Gold breaks out!'] });
const Gone = ok(Type.Object({ id: ObjectIdShape }), { message: 'Deleted' });
const params = Type.Object({ communityId: pathId('community') });
const ofPost = Type.Object({ postId: pathId('post') });

export const communityOperations = (communities: CommunityRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/communities',
    id: 'listCommunities',
    tag,
    summary: 'All communities, newest first',
    access: member,
    query: Type.Object(pageQuery()),
    success: pageOf(CommunityShape),
    handle: ({ query }) => communities.pageOf(query),
  }),
  operation({
    method: 'POST',
    path: '/v1/communities',
    id: 'createCommunity',
    tag,
    summary: 'Make a community',
    access: educator,
    body: Type.Object({
      name: readableText(100, { examples: ['Metals'] }),
      description: Type.Optional(Type.String({ maxLength: 1000 })),
    }),
    success: created(CommunityShape, { message: 'Community created' }),
    handle: ({ body: { name, description = '' }, caller }) =>
      communities.create({ name: name.trim(), description }, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/communities/:communityId',
    id: 'getCommunity',
    tag,
    summary: 'One community',
    access: member,
    params,
    success: ok(CommunityShape),
    failures: [communityNotFound],
    handle: ({ params }) => communities.find(params.communityId),
  }),
  ...(['join', 'leave'] as const).map((what) =>
    operation({
      method: 'POST',
      path: `/v1/communities/:communityId/${what}`,
      id: `${what}Community`,
      tag,
      summary: what === 'join' ? 'Join a community' : 'Leave a community',
      description: 'Doing it again changes nothing.',
      access: member,
      params,
      success: ok(CommunityShape, { message: what === 'join' ? 'Joined' : 'Left' }),
      failures: [communityNotFound],
      load: ({ params }) => communities.find(params.communityId),
      handle: ({ params, caller }) => communities[what](params.communityId, caller.userId),
    }),
  ),
  operation({
    method: 'GET',
    path: '/v1/communities/:communityId/posts',
    id: 'listPosts',
    tag,
    summary: 'What was posted in a community, newest first',
    access: member,
    params,
    query: Type.Object(pageQuery()),
    success: pageOf(PostShape),
    failures: [communityNotFound],
    load: ({ params }) => communities.find(params.communityId),
    handle: ({ params, query }) => communities.postsOf(params.communityId, query),
  }),
  operation({
    method: 'POST',
    path: '/v1/communities/:communityId/posts',
    id: 'createPost',
    tag,
    summary: 'Post something',
    description:
      'Members of the community. Everybody who is connected is told (`post:created`), up to 20 times an hour of one author, 60 of an educator.',
    access: member,
    params,
    body: Type.Object({ content: Content }),
    success: created(PostShape, { message: 'Post created' }),
    failures: [communityNotFound, notInCommunity],
    load: ({ params }) => communities.find(params.communityId),
    handle: async ({ params, body, caller }) => {
      const { post, isAnnounced } = await communities.post(params.communityId, body.content, caller);
      return answer(post, isAnnounced ? {} : { message: notAnnounced('Post created') });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/posts/:postId',
    id: 'getPost',
    tag,
    summary: 'One post',
    access: member,
    params: ofPost,
    success: ok(PostShape),
    failures: [postNotFound],
    handle: ({ params }) => communities.findPost(params.postId),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/posts/:postId',
    id: 'deletePost',
    tag,
    summary: 'Delete a post',
    description: 'Its author or a moderator.',
    access: member,
    params: ofPost,
    success: Gone,
    failures: [postNotFound, insufficientPermissions],
    load: ({ params }) => communities.findPost(params.postId),
    handle: async ({ loaded: post, caller }) => {
      await communities.deletePost(post, caller);
      return { id: post.id };
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/posts/:postId/comments',
    id: 'listComments',
    tag,
    summary: 'What was said of a post, newest first',
    access: member,
    params: ofPost,
    query: Type.Object(pageQuery()),
    success: pageOf(CommentShape),
    failures: [postNotFound],
    load: ({ params }) => communities.findPost(params.postId),
    handle: ({ params, query }) => communities.commentsOf(params.postId, query),
  }),
  operation({
    method: 'POST',
    path: '/v1/posts/:postId/comments',
    id: 'createComment',
    tag,
    summary: 'Say something of a post',
    description: 'Members of the community. The author of the post is notified (`comment_reply`).',
    access: member,
    params: ofPost,
    body: Type.Object({ content: Content }),
    success: created(CommentShape, { message: 'Comment created' }),
    failures: [postNotFound, notInCommunity, blocked],
    load: ({ params }) => communities.findPost(params.postId),
    handle: ({ loaded: post, body, caller }) => communities.comment(post, body.content, caller.userId),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/posts/comments/:commentId',
    id: 'deleteComment',
    tag,
    summary: 'Delete a comment',
    description: 'Its author or a moderator.',
    access: member,
    params: Type.Object({ commentId: pathId('comment') }),
    success: Gone,
    failures: [commentNotFound, insufficientPermissions],
    load: ({ params }) => communities.findComment(params.commentId),
    handle: async ({ loaded: comment, caller }) => {
      await communities.deleteComment(comment, caller);
      return { id: comment.id };
    },
  }),
  operation({
    method: 'PUT',
    path: '/v1/posts/:postId/reaction',
    id: 'reactToPost',
    tag,
    summary: 'React to a post',
    description: 'One of each member; another takes its place.',
    access: member,
    params: ofPost,
    body: Type.Object({ type: oneOf(REACTIONS) }),
    success: ok(PostShape, { message: 'Reaction saved' }),
    failures: [postNotFound, notInCommunity],
    load: ({ params }) => communities.findPost(params.postId),
    handle: ({ loaded: post, body, caller }) => communities.react(post, body.type, caller.userId),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/posts/:postId/reaction',
    id: 'takeBackReaction',
    tag,
    summary: 'Take your reaction back',
    access: member,
    params: ofPost,
    success: ok(PostShape, { message: 'Reaction removed' }),
    failures: [postNotFound, notInCommunity],
    load: ({ params }) => communities.findPost(params.postId),
    handle: ({ loaded: post, caller }) => communities.react(post, undefined, caller.userId),
  }),
];
