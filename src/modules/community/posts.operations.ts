import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { only } from '../../kernel/only.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { type Identity, moderator, withMembers } from '../identity/contract.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { ANNOUNCED_PER_HOUR, announcedAnswer } from '../notifications/contract.ts';
import type { CommentEditing } from './comment-editing.ts';
import {
  CommentShape,
  CreateCommentBody,
  CreatePostBody,
  Gone,
  ListAllPostsQuery,
  ListCommentsQuery,
  ListPostsQuery,
  PostAnywhereShape,
  PostShape,
  ReactToPostBody,
} from './community.schemas.ts';
import type { CommunityRules } from './community.ts';
import { bannedFromCommunity, communityNotFound, notInCommunity } from './failures.ts';
import type { PostEditing } from './post-editing.ts';
import type { Comment } from './posts.model.ts';
import {
  type CreatedComment,
  type CreatedPost,
  commentNotFound,
  type PostRules,
  postNotFound,
} from './posts.ts';

const tag = 'Communities';
const OF_AUTHOR = 'Requires its author or a moderator, who tells the author the `reason`.';
const BY_CREATOR =
  'Requires its author, the creator of its community or a moderator; these tell the author the `reason`.';
const params = Type.Object({ communityId: pathId('community') });
const postParams = Type.Object({ postId: pathId('post') });

const createdPost = ({ post, isAnnounced }: CreatedPost) =>
  announcedAnswer(post, 'Post created', isAnnounced);
const createdComment = ({ comment, isQuiet }: CreatedComment) =>
  announcedAnswer(comment, 'Comment created', !isQuiet);

interface PostOperationDeps {
  communities: CommunityRules;
  posts: PostRules;
  editing: PostEditing;
  comments: CommentEditing;
  identity: Pick<Identity, 'profilesOf'>;
}

export function postOperations({
  communities,
  posts,
  editing,
  comments,
  identity,
}: PostOperationDeps): Operation[] {
  const withAuthor = async (comment: Comment) => only(await withMembers(identity, [comment]));
  return [
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
      handle: ({ params, query, caller }) => posts.pageOf(params.communityId, query, caller),
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
      idempotent: true,
      body: CreatePostBody,
      success: created(PostShape, { message: 'Post created' }),
      failures: [communityNotFound, notInCommunity, bannedFromCommunity, blocked, muted],
      load: ({ params }) => communities.find(params.communityId),
      handle: async ({ params, body, caller, idempotency }) => {
        const answering = { idempotency, of: createdPost };
        return createdPost(await posts.create(params.communityId, body.content, caller, answering));
      },
    }),
    operation({
      method: 'GET',
      path: '/v1/posts',
      id: 'listAllPosts',
      tag,
      summary: 'List the posts of all communities, newest first',
      access: moderator,
      query: ListAllPostsQuery,
      success: pageOf(PostAnywhereShape),
      handle: ({ query: { userId, ...request }, caller }) => posts.pageOfAll(userId, request, caller),
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
      handle: async ({ params, caller }) => posts.view(await posts.find(params.postId), caller),
    }),
    operation({
      method: 'DELETE',
      path: '/v1/posts/:postId',
      id: 'deletePost',
      tag,
      summary: 'Delete a post',
      description: BY_CREATOR,
      access: member,
      params: postParams,
      isAlsoForStaff: true,
      success: Gone,
      failures: [postNotFound, insufficientPermissions],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, caller, facts }) => {
        await editing.deletePost(post, caller, facts);
        return { id: post.id };
      },
    }),
    operation({
      method: 'PUT',
      path: '/v1/posts/:postId',
      id: 'updatePost',
      tag,
      summary: 'Change the text of a post',
      description: `${OF_AUTHOR} The author must be a member of the community. All connected clients receive \`post:updated\`, for as many changes of a member an hour as posts are announced.`,
      access: member,
      params: postParams,
      isAlsoForStaff: true,
      body: CreatePostBody,
      success: ok(PostShape, { message: 'Post updated' }),
      failures: [postNotFound, insufficientPermissions, notInCommunity, bannedFromCommunity, blocked, muted],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded, body, caller, facts }) => {
        const { post, isAnnounced } = await editing.changePost(loaded, body.content, caller, facts);
        return announcedAnswer(await posts.view(post, caller), 'Post updated', isAnnounced);
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
      handle: async ({ params, query }) => {
        const page = await posts.commentsOf(params.postId, query);
        return { ...page, items: await withMembers(identity, page.items) };
      },
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
      idempotent: true,
      body: CreateCommentBody,
      success: created(CommentShape, { message: 'Comment created' }),
      failures: [postNotFound, notInCommunity, bannedFromCommunity, blocked, muted],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, body, caller, idempotency }) => {
        const answering = { idempotency, of: createdComment };
        return createdComment(await posts.comment(post, body.content, caller, answering));
      },
    }),
    operation({
      method: 'DELETE',
      path: '/v1/posts/comments/:commentId',
      id: 'deleteComment',
      tag,
      summary: 'Delete a comment',
      description: BY_CREATOR,
      access: member,
      params: Type.Object({ commentId: pathId('comment') }),
      isAlsoForStaff: true,
      success: Gone,
      failures: [commentNotFound, insufficientPermissions],
      load: ({ params }) => posts.findComment(params.commentId),
      handle: async ({ loaded: comment, caller, facts }) => {
        await comments.deleteComment(comment, caller, facts);
        return { id: comment.id };
      },
    }),
    operation({
      method: 'PUT',
      path: '/v1/posts/comments/:commentId',
      id: 'updateComment',
      tag,
      summary: 'Change the text of a comment',
      description: `${OF_AUTHOR} The author must be a member of the community.`,
      access: member,
      params: Type.Object({ commentId: pathId('comment') }),
      isAlsoForStaff: true,
      body: CreateCommentBody,
      success: ok(CommentShape, { message: 'Comment updated' }),
      failures: [
        commentNotFound,
        insufficientPermissions,
        notInCommunity,
        bannedFromCommunity,
        blocked,
        muted,
      ],
      load: ({ params }) => posts.findComment(params.commentId),
      handle: async ({ loaded: comment, body, caller, facts }) =>
        withAuthor(await comments.changeComment(comment, body.content, caller, facts)),
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
      failures: [postNotFound, notInCommunity, bannedFromCommunity, blocked],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, body, caller }) =>
        posts.view(await posts.react(post, body.type, caller.userId), caller),
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
      failures: [postNotFound, notInCommunity, bannedFromCommunity],
      load: ({ params }) => posts.find(params.postId),
      handle: async ({ loaded: post, caller }) =>
        posts.view(await posts.react(post, undefined, caller.userId), caller),
    }),
  ];
}
