import {
  type Chatroom,
  getChatroom,
  getMember,
  listChatRestrictions,
  listChatroomMembers,
} from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import {
  ban,
  changeRoom,
  handOn,
  mute,
  removeMember,
  removeRoom,
  unban,
  unmute,
} from '../community/room-actions.tsx';
import { ActionButton } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Listing } from '../parts/listing.tsx';
import { Menu } from '../parts/menu.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Person, Tag, Time } from '../parts/values.tsx';
import { isMissing, useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { mayDo, session } from '../session.ts';
import { duration, nameOf } from '../text.ts';

const above = { href: to('/chatrooms'), text: 'Chatrooms' };

interface RoomPart {
  room: Chatroom;
  isAdmin: boolean;
}

const Members = ({ room, isAdmin }: RoomPart) => (
  <Listing
    operation={listChatroomMembers}
    params={{ chatroomId: room.id }}
    what="The members"
    caption="Members of the chatroom"
    keyOf={({ userId }) => userId}
    empty="Nobody is in it."
    file="chatroom-members"
    columns={[
      {
        head: 'Member',
        isText: true,
        cell: ({ userId, user }) => <Person id={userId} name={nameOf(user)} />,
      },
      {
        head: 'Role',
        cell: ({ userId }) => userId === room.createdBy && <Tag tone="info">owner</Tag>,
      },
      { head: 'Joined', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
      { head: 'Muted until', cell: ({ mutedUntil }) => <Time at={mutedUntil} /> },
      {
        head: '',
        cell: (member) =>
          member.userId !== room.createdBy && (
            <>
              {isAdmin && <ActionButton action={handOn(room, member)} />}
              <ActionButton action={member.mutedUntil ? unmute(room, member) : mute(room, member)} />
              {isAdmin && <ActionButton action={removeMember(room, member)} />}
              <ActionButton action={ban(room, member)} />
            </>
          ),
      },
    ]}
  />
);

const Restrictions = ({ room }: { room: Chatroom }) => (
  <Listing
    operation={listChatRestrictions}
    params={{ chatroomId: room.id }}
    what="The mutes and bans"
    caption="Who is muted in the chatroom or banned from it"
    keyOf={({ userId }) => userId}
    empty="Nobody is muted in it or banned from it."
    columns={[
      {
        head: 'Member',
        isText: true,
        cell: ({ userId, user }) => <Person id={userId} name={nameOf(user)} />,
      },
      { head: 'Muted until', cell: ({ mutedUntil }) => <Time at={mutedUntil} /> },
      { head: 'Banned', cell: ({ bannedAt }) => <Time at={bannedAt} /> },
      {
        head: '',
        cell: (member) => (
          <>
            {member.mutedUntil && <ActionButton action={unmute(room, member)} />}
            {member.bannedAt && <ActionButton action={unban(room, member)} />}
          </>
        ),
      },
    ]}
  />
);

export default function ChatroomPage({ id }: { id: string }) {
  const [current] = useState(session.get);
  const { tab = '' } = usePlace().query;
  const read = useQuery(id, async (by, signal) => {
    const room = await by.call(getChatroom, { params: { chatroomId: id } }, { signal });
    // The account of its owner may be deleted; the room is looked after nevertheless.
    const owner = await by.call(getMember, { params: { id: room.createdBy } }, { signal }).catch((error) => {
      if (isMissing(error)) return null;
      throw error;
    });
    return { room, owner };
  });
  if (!read.data)
    return <Pending title="Chatroom" above={above} beside={<Id id={id} />} what="The chatroom" of={read} />;
  const { room, owner } = read.data;
  const isAdmin = mayDo(current, 'admin');
  return (
    <Page
      title={room.name}
      above={above}
      beside={
        <>
          <Tag tone="none">{room.type}</Tag> <Id id={id} />
        </>
      }
      actions={
        <>
          <ActionButton action={changeRoom(room)} />
          {isAdmin && <Menu actions={[removeRoom(room)]} />}
        </>
      }
    >
      <Card title="About it" more={isAdmin && <a href={to('/audit', { target: id })}>Audit log</a>}>
        <Facts
          of={[
            [
              'Owner',
              <a key="owner" href={to(`/members/${room.createdBy}`)}>
                {nameOf(owner)}
              </a>,
            ],
            ['Description', room.description],
            [
              'Rules',
              room.rules.length > 0 && (
                <span key="rules" class="said">
                  {room.rules.join('\n')}
                </span>
              ),
            ],
            ['Slow mode', room.slowModeSeconds > 0 && `one message in ${duration(room.slowModeSeconds)}`],
            ['Last message', <Time key="last" at={room.lastMessageAt} />],
            ['Made', <Time key="made" at={room.createdAt} />],
          ]}
        />
      </Card>
      <Tabs
        label="Of this chatroom"
        of={[
          { href: to(`/chatrooms/${id}`), text: 'Members', isCurrent: !tab, count: room.memberCount },
          {
            href: to(`/chatrooms/${id}`, { tab: 'restrictions' }),
            text: 'Mutes and bans',
            isCurrent: tab === 'restrictions',
          },
        ]}
      />
      {tab === 'restrictions' ? <Restrictions room={room} /> : <Members room={room} isAdmin={isAdmin} />}
    </Page>
  );
}
