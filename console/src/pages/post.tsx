import { getCommunity, getPost, listComments } from '@platform-api/sdk';
import { removeComment, removePost } from '../community/actions.tsx';
import { ActionButton } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Person, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count, nameOf } from '../text.ts';

const above = { href: to('/posts'), text: 'Posts' };

export default function PostPage({ id }: { id: string }) {
  const read = useQuery(id, async (by, signal) => {
    const post = await by.call(getPost, { params: { postId: id } }, { signal });
    const { communityId } = post;
    return { post, community: await by.call(getCommunity, { params: { communityId } }, { signal }) };
  });
  if (!read.data)
    return <Pending title="Post" above={above} beside={<Id id={id} />} what="The post" of={read} />;
  const { post, community } = read.data;
  return (
    <Page
      title={`Post of ${nameOf(post.user)}`}
      above={above}
      beside={<Id id={id} />}
      actions={<ActionButton action={removePost(post)} class="danger" />}
    >
      <Card title="What it says">
        <blockquote>{post.content}</blockquote>
        <Facts
          of={[
            [
              'Author',
              <a key="author" href={to(`/members/${post.userId}`)}>
                {nameOf(post.user)}
              </a>,
            ],
            [
              'Community',
              <a key="community" href={to(`/communities/${post.communityId}`)}>
                {community.name}
              </a>,
            ],
            ['Reactions', count(post.reactionCount)],
            ['Posted', <Time key="posted" at={post.createdAt} />],
            ['Changed', post.editedAt && <Time key="changed" at={post.editedAt} />],
          ]}
        />
      </Card>
      <h2>Comments</h2>
      <Listing
        operation={listComments}
        params={{ postId: id }}
        what="The comments"
        caption="Comments on the post, newest first"
        keyOf={(comment) => comment.id}
        empty="Nobody has commented on it."
        file="comments"
        columns={[
          {
            head: 'Comment',
            isText: true,
            isWide: true,
            cell: ({ content }) => <span class="said">{content}</span>,
          },
          { head: 'Author', isText: true, cell: ({ user }) => <Person id={user.id} name={nameOf(user)} /> },
          { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { head: '', cell: (comment) => <ActionButton action={removeComment(comment)} /> },
        ]}
      />
    </Page>
  );
}
