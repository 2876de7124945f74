import { shortenTo } from '../../kernel/text/text.ts';
import { changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import { postChanged, postCreated, postDeleted } from './contract.ts';
import type { PostsForHubs } from './posts-for-hubs.store.ts';

const MAX_TITLE_LENGTH = 80;

/** Makes posts searchable by every member. */
export const communitySearchable = (store: PostsForHubs): Searchable[] => [
  {
    type: 'post',
    plural: 'posts',
    path: '/posts',
    prominence: 1,
    forgetsWords: false,
    changes: [
      changes(postCreated, ({ postId }) => [postId]),
      changes(postChanged, ({ postId }) => [postId]),
      changes(postDeleted, ({ postId }) => [postId]),
    ],
    read: async (ids, queries) =>
      (await store.findPosts(ids, queries)).map(
        ({ id, content, reactionCount, commentCount, createdAt }) => ({
          id,
          title: shortenTo(content.trim().split('\n', 1)[0] ?? '', MAX_TITLE_LENGTH),
          body: content,
          audiences: [EVERYBODY],
          hasName: false,
          popularity: reactionCount + commentCount,
          createdAt,
        }),
      ),
    idsAfter: store.postIdsAfter,
  },
];
