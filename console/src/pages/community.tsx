import {
  type Community,
  getCommunity,
  listCommunityBans,
  listCommunityMembers,
  listPosts,
} from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { banMember, changeCommunity, liftBan, removeCommunity } from '../community/actions.tsx';
import { POST_COLUMNS } from '../community/posts.tsx';
import { ActionButton } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Listing } from '../parts/listing.tsx';
import { Menu } from '../parts/menu.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Person, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { mayDo, session } from '../session.ts';
import { nameOf } from '../text.ts';

const above = { href: to('/communities'), text: 'Communities' };

interface CommunityPart {
  of: Community;
}

const Posts = ({ of: { id } }: CommunityPart) => (
  <Listing
    operation={listPosts}
    params={{ communityId: id }}
    what="The posts"
    caption="Posts of the community, newest first"
    keyOf={(post) => post.id}
    empty="Nothing is posted in it."
    file="community-posts"
    columns={POST_COLUMNS}
  />
);

const Members = ({ of }: CommunityPart) => (
  <Listing
    operation={listCommunityMembers}
    params={{ communityId: of.id }}
    what="The members"
    caption="Members of the community"
    keyOf={({ userId }) => userId}
    empty="Nobody is in it."
    file="community-members"
    columns={[
      {
        head: 'Member',
        isText: true,
        cell: ({ userId, user }) => <Person id={userId} name={nameOf(user)} />,
      },
      {
        head: 'Role',
        cell: ({ userId }) => userId === of.createdBy && <Tag tone="info">creator</Tag>,
      },
      { head: 'Joined', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
      {
        head: '',
        cell: (member) => member.userId !== of.createdBy && <ActionButton action={banMember(of, member)} />,
      },
    ]}
  />
);

const Bans = ({ of }: CommunityPart) => (
  <Listing
    operation={listCommunityBans}
    params={{ communityId: of.id }}
    what="The bans"
    caption="Who is banned from the community"
    keyOf={({ userId }) => userId}
    empty="Nobody is banned from it."
    columns={[
      {
        head: 'Member',
        isText: true,
        cell: ({ userId, user }) => <Person id={userId} name={nameOf(user)} />,
      },
      { head: 'Banned', cell: ({ bannedAt }) => <Time at={bannedAt} /> },
      { head: '', cell: (member) => <ActionButton action={liftBan(of, member)} /> },
    ]}
  />
);

export default function CommunityPage({ id }: { id: string }) {
  const { tab = '' } = usePlace().query;
  const [isAdmin] = useState(() => mayDo(session.get(), 'admin'));
  const read = useQuery(id, (by, signal) =>
    by.call(getCommunity, { params: { communityId: id } }, { signal }),
  );
  const { data } = read;
  if (!data)
    return <Pending title="Community" above={above} beside={<Id id={id} />} what="The community" of={read} />;
  const addressOf = (name: string) => to(`/communities/${id}`, { tab: name });
  return (
    <Page
      title={data.name}
      above={above}
      beside={<Id id={id} />}
      actions={
        <>
          <ActionButton action={changeCommunity(data)} />
          <Menu actions={[removeCommunity(data)]} />
        </>
      }
    >
      <Card title="About it" more={isAdmin && <a href={to('/audit', { target: id })}>Audit log</a>}>
        <Facts
          of={[
            [
              'Creator',
              <a key="creator" href={to(`/members/${data.createdBy}`)}>
                {nameOf(data.creator)}
              </a>,
            ],
            ['Description', data.description],
            ['Made', <Time key="made" at={data.createdAt} />],
          ]}
        />
      </Card>
      <Tabs
        label="Of this community"
        of={[
          { href: addressOf(''), text: 'Posts', isCurrent: !tab, count: data.postCount },
          {
            href: addressOf('members'),
            text: 'Members',
            isCurrent: tab === 'members',
            count: data.memberCount,
          },
          { href: addressOf('bans'), text: 'Bans', isCurrent: tab === 'bans' },
        ]}
      />
      {tab === 'members' ? <Members of={data} /> : tab === 'bans' ? <Bans of={data} /> : <Posts of={data} />}
    </Page>
  );
}
