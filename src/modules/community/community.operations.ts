import { Type } from 'typebox';
import type { Page } from '../../kernel/database/pagination.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { only } from '../../kernel/only.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { answer, created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { educator, type Identity, withMembers } from '../identity/contract.ts';
import { blocked } from '../moderation/contract.ts';
import { ANNOUNCED_PER_HOUR, notAnnounced } from '../notifications/contract.ts';
import {
  CommentShape,
  CommunityShape,
  CreateCommentBody,
  CreateCommunityBody,
  CreatePostBody,
  Gone,
  ListCommentsQuery,
  ListCommunitiesQuery,
  ListPostsQuery,
  PostShape,
  ReactToPostBody,
} from './community.schemas.ts';
import { type CommunityRules, communityNotFound, notInCommunity } from './community.ts';
import type { Comment, Post } from './posts.model.ts';
import { commentNotFound, type PostRules, postNotFound } from './posts.ts';

const tag = 'Communities';
const params = Type.Object({ communityId: pathId('community') });
const postParams = Type.Object({ postId: pathId('post') });

interface CommunityOperationDeps {
  communities: CommunityRules;
  posts: PostRules;
  identity: Pick<Identity, 'profilesOf'>;
}

export function communityOperations({ communities, posts, identity }: CommunityOperationDeps): Operation[] {
  const withAuthor = async <Item extends Post | Comment>(item: Item) =>
    only(await withMembers(identity, [item]));
  const withAuthors = async <Item extends Post | Comment>(page: Page<Item>) => ({
    ...page,
    items: await withMembers(identity, page.items),
  });
  return [
    operation({
      method: 'GET',
      path: '/v1/communities',
      id: 'listCommunities',
      tag,
      summary: 'List communities, newest first',
      access: member,
      query: ListCommunitiesQuery,
      success: pageOf(CommunityShape),
      handle: ({ query }) => communities.pageOf(query),
    }),
    operation({
      method: 'POST',
      path: '/v1/communities',
      id: 'createCommunity',
      tag,
      summary: 'Create a community',
      access: educator,
      body: CreateCommunityBody,
      success: created(CommunityShape, { message: 'Community created' }),
      handle: ({ body: { name, description = '' }, caller }) =>
        communities.create({ name: name.trim(), description }, caller.userId),
    }),
    operation({
      method: 'GET',
      path: '/v1/communities/:communityId',
      id: 'getCommunity',
      tag,
      summary: 'Retrieve a community',
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
        description: 'Repeating the request has no further effect.',
        access: member,
        params,
        success: ok(CommunityShape, { message: what === 'join' ? 'Joined' : 'Left' }),
        failures: what === 'join' ? [communityNotFound, blocked] : [communityNotFound],
        load: ({ params }) => communities.find(params.communityId),
        handle: ({ loaded: community, caller }) => communities[what](community, caller.userId),
      }),
    ),
    operation({
      method: 'GET',
      path: '/v1/communities/:communityId/posts',
      id: 'listPosts',
      tag,
      summary: 'List the posts of a community, newest first',
      access: member,
      params,
      query: ListPostsQuery,
      success: pageOf(PostShape),
      failures: [communityNotFound],
      load: ({ params }) => communities.find(params.communityId),
      handle: async ({ params, query }) => withAuthors(await posts.pageOf(params.communityId, query)),
    }),
    operation({
      method: 'POST',
      path: '/v1/communities/:communityId/posts',
      id: 'createPost',
      tag,
      summary: 'Create a post',
      description: `Only members of the community can post. All connected clients receive \`post:created\`, for up to ${ANNOUNCED_PER_HOUR.member} posts an hour from one author (${ANNOUNCED_PER_HOUR.educator} from an educator).`,
      access: member,
      params,
      body: CreatePostBody,
      success: created(PostShape, { message: 'Post created' }),
      failures: [communityNotFound, notInCommunity, blocked],
      load: ({ params }) => communities.find(params.communityId),
      handle: async ({ params, body, caller }) => {
        const { post, isAnnounced } = await posts.create(params.communityId, body.content, caller);
        return answer(post, isAnnounced ? {} : { message: notAnnounced('Post created') });
      },
    }),
    operation({
      method: 'GET',
      path: '/v1/posts/:postId',
      id: 'getPost',
      tag,
      summary: 'Retrieve a post',
      access: member,
      params: postParams,
      success: ok(PostShape),
      failures: [postNotFound],
      handle: async ({ params }) => withAuthor(await posts.find(params.postId)),
    }),
    operation({
      method: 'DELETE',
      path: '/v1/posts/:postId',
      id: 'deletePost',
      tag,
      summary: 'Delete a post',
      description: 'Requires its author or a moderator.',
      access: member,
      params: postParams,
      success: Gone,
      failures: [postNotFound, insufficientPermissions],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, caller }) => {
        await posts.delete(post, caller);
        return { id: post.id };
      },
    }),
    operation({
      method: 'GET',
      path: '/v1/posts/:postId/comments',
      id: 'listComments',
      tag,
      summary: 'List the comments on a post, newest first',
      access: member,
      params: postParams,
      query: ListCommentsQuery,
      success: pageOf(CommentShape),
      failures: [postNotFound],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ params, query }) => withAuthors(await posts.commentsOf(params.postId, query)),
    }),
    operation({
      method: 'POST',
      path: '/v1/posts/:postId/comments',
      id: 'createComment',
      tag,
      summary: 'Comment on a post',
      description: `Only members of the community can comment. The author of the post is notified (\`comment_reply\`) of up to ${ANNOUNCED_PER_HOUR.member} comments of a member an hour; further ones are stored without a notification.`,
      access: member,
      params: postParams,
      body: CreateCommentBody,
      success: created(CommentShape, { message: 'Comment created' }),
      failures: [postNotFound, notInCommunity, blocked],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, body, caller }) => {
        const { comment, isQuiet } = await posts.comment(post, body.content, caller);
        return answer(await withAuthor(comment), isQuiet ? { message: notAnnounced('Comment created') } : {});
      },
    }),
    operation({
      method: 'DELETE',
      path: '/v1/posts/comments/:commentId',
      id: 'deleteComment',
      tag,
      summary: 'Delete a comment',
      description: 'Requires its author or a moderator.',
      access: member,
      params: Type.Object({ commentId: pathId('comment') }),
      success: Gone,
      failures: [commentNotFound, insufficientPermissions],
      load: ({ params }) => posts.findComment(params.commentId),
      handle: async ({ loaded: comment, caller }) => {
        await posts.deleteComment(comment, caller);
        return { id: comment.id };
      },
    }),
    operation({
      method: 'PUT',
      path: '/v1/posts/:postId/reaction',
      id: 'reactToPost',
      tag,
      summary: 'React to a post',
      description: 'A member has one reaction to a post; a new one replaces it.',
      access: member,
      params: postParams,
      body: ReactToPostBody,
      success: ok(PostShape, { message: 'Reaction saved' }),
      failures: [postNotFound, notInCommunity, blocked],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, body, caller }) =>
        withAuthor(await posts.react(post, body.type, caller.userId)),
    }),
    operation({
      method: 'DELETE',
      path: '/v1/posts/:postId/reaction',
      id: 'takeBackReaction',
      tag,
      summary: 'Remove your reaction to a post',
      access: member,
      params: postParams,
      success: ok(PostShape, { message: 'Reaction removed' }),
      failures: [postNotFound, notInCommunity],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, caller }) =>
        withAuthor(await posts.react(post, undefined, caller.userId)),
    }),
  ];
}
