import type { ObjectId } from '../../kernel/ids.ts';
import type { Place, Reportable } from '../moderation/contract.ts';
import type { CommentEditing } from './comment-editing.ts';
import type { Community } from './community.model.ts';
import type { CommunityStore } from './community.store.ts';
import type { CommunityRules } from './community.ts';
import type { PostEditing } from './post-editing.ts';
import type { PostStore } from './posts.store.ts';
import type { PostRules } from './posts.ts';
import type { SurroundingsStore } from './surroundings.store.ts';

interface ReportableDeps {
  communities: CommunityRules;
  posts: PostRules;
  editing: PostEditing;
  comments: CommentEditing;
  store: Pick<CommunityStore, 'find' | 'findAll'>;
  postStore: Pick<PostStore, 'find'>;
  surroundings: SurroundingsStore;
}

const textOf = ({ name, description }: Pick<Community, 'name' | 'description'>): string =>
  `${name}\n${description}`.trim();

/** Makes communities, posts and comments reportable by every member, because communities are open to all. */
export function reportableOf(deps: ReportableDeps): Reportable[] {
  const { communities, posts, editing, comments, store, postStore, surroundings } = deps;

  async function communityPlace(id: ObjectId): Promise<Place | null> {
    const found = await store.find(id);
    return found
      ? { kind: 'community', id, name: found.name, text: found.description, authorId: found.createdBy }
      : null;
  }

  async function postPlace(id: ObjectId): Promise<Place | null> {
    const post = await postStore.find(id);
    if (!post) return null;
    const community = await store.find(post.communityId);
    return { kind: 'post', id, name: community?.name ?? '', text: post.content, authorId: post.userId };
  }

  return [
    {
      kind: 'community',
      keepsContents: true,
      find: async (id) => {
        const community = await communities.find(id);
        return { authorId: community.createdBy, text: textOf(community), containerId: null };
      },
      remove: (tx, id) => communities.removeReportedIn(tx, id),
      textLeft: async (tx, id) => (await store.findAll([id], tx)).map(textOf)[0],
    },
    {
      kind: 'post',
      find: async (id) => {
        const { userId, content, communityId } = await posts.find(id);
        return { authorId: userId, text: content, containerId: communityId };
      },
      remove: (tx, id) => editing.removePostIn(tx, id),
      around: async ({ subjectId, containerId }, _reader, sides) => ({
        place: await communityPlace(containerId),
        entries: await surroundings.ofPost(subjectId, containerId, sides),
      }),
    },
    {
      kind: 'post_comment',
      find: async (id) => {
        const { userId, content, postId } = await posts.findComment(id);
        return { authorId: userId, text: content, containerId: postId };
      },
      remove: (tx, id) => comments.removeCommentIn(tx, id),
      around: async ({ subjectId, containerId }, _reader, sides) => ({
        place: await postPlace(containerId),
        entries: await surroundings.ofComment(subjectId, containerId, sides),
      }),
    },
  ];
}
