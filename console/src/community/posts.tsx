import type { Post, PostAnywhere } from '@platform-api/sdk';
import { ActionButton } from '../parts/action.tsx';
import type { Column } from '../parts/table.tsx';
import { Person, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, nameOf } from '../text.ts';
import { removePost } from './actions.tsx';

const TEXT: Column<Post> = {
  head: 'Post',
  isText: true,
  isWide: true,
  cell: ({ id, content }) => (
    <a class="excerpt" href={to(`/posts/${id}`)}>
      {content}
    </a>
  ),
};

const ABOUT: Column<Post>[] = [
  { head: 'Author', isText: true, cell: ({ user }) => <Person id={user.id} name={nameOf(user)} /> },
  { head: 'Comments', isNumber: true, cell: ({ commentCount }) => count(commentCount) },
  { head: 'Reactions', isNumber: true, cell: ({ reactionCount }) => count(reactionCount) },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: '', cell: (post) => <ActionButton action={removePost(post)} /> },
];

/** The columns of the posts of a community. */
export const POST_COLUMNS: Column<Post>[] = [TEXT, ...ABOUT];

/** The columns of posts of several communities. */
export const POST_ANYWHERE_COLUMNS: Column<PostAnywhere>[] = [
  TEXT,
  {
    head: 'Community',
    isText: true,
    cell: ({ communityId, communityName }) => <a href={to(`/communities/${communityId}`)}>{communityName}</a>,
  },
  ...ABOUT,
];
