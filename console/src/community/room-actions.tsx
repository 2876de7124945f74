import {
  banChatMember,
  type Chatroom,
  deleteChatroom,
  handOnChatroom,
  muteChatMember,
  removeChatroomMember,
  unbanChatMember,
  unmuteChatMember,
  updateChatroom,
  type wire,
} from '@platform-api/sdk';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { MuteSpan } from '../member/mute-actions.tsx';
import { type Action, Field, reasonOf, textOf } from '../parts/action.tsx';
import { count, localTime, nameOf } from '../text.ts';
import { TEXT_OPENINGS, TextFields } from './text-fields.tsx';

/** A rule of a room in a field that has one to a line. */
const asLine = (rule: string): string => rule.trim().replaceAll(/\s*[\r\n]\s*/g, ' ');

/** The rules in such a field. A line that was not changed is the rule as it was, also if that has several lines. */
function rulesIn(text: string, before: string[]): string[] {
  const left = [...before];
  return text.split('\n').flatMap((typed) => {
    const line = typed.trim();
    const place = left.findIndex((rule) => asLine(rule) === line);
    return place >= 0 ? left.splice(place, 1) : line || [];
  });
}

const textsIn = (form: FormData) => ({
  name: textOf(form, 'name'),
  description: textOf(form, 'description'),
  rules: textOf(form, 'rules'),
});

export const changeRoom = ({ id, name, description, rules, updatedAt }: Chatroom): Action => ({
  name: 'Change texts',
  title: `Change the texts of ${name}`,
  confirmLabel: 'Save',
  reason: 'told',
  fields: (
    <>
      <TextFields name={name} description={description} />
      <Field label="Rules" hint="One to a line, at most 20.">
        <textarea name="rules" defaultValue={rules.map(asLine).join('\n')} rows={4} />
      </Field>
    </>
  ),
  openings: TEXT_OPENINGS,
  run: async (form, api) => {
    const typed = textsIn(form);
    const opened = { name, description, rules: rules.map(asLine).join('\n') };
    const changed = changedIn(opened, typed);
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const { rules: lines, ...texts } = changed;
    const body = {
      ...texts,
      ...(lines === undefined ? {} : { rules: rulesIn(lines, rules) }),
      expectedUpdatedAt: updatedAt,
      reason: reasonOf(form),
    };
    await api.call(updateChatroom, { params: { chatroomId: id }, body });
    return `Saved the texts of ${typed.name}.`;
  },
});

export const removeRoom = ({ id, name, memberCount }: Chatroom): Action => ({
  name: 'Delete',
  title: `Delete ${name}`,
  confirmLabel: 'Delete chatroom',
  isDangerous: true,
  reason: 'told',
  typed: name,
  facts: [['Members', count(memberCount)]],
  note: 'Nobody can read its messages any more, and this cannot be undone.',
  run: async (form, api) => {
    await api.call(deleteChatroom, { params: { chatroomId: id }, body: { reason: reasonOf(form) } });
    return `Deleted ${name}.`;
  },
});

/** Suggestions for why somebody is muted in a room, banned or removed from it. */
const AGAINST_MEMBERS = ['spam', 'insults other members', 'promises of profit are not allowed'];

type RoomMember = Pick<wire.ChatroomMember, 'userId' | 'user'>;

export const handOn = ({ id, name }: Chatroom, { userId, user }: RoomMember): Action => ({
  name: 'Make owner',
  title: `Hand ${name} on to ${nameOf(user)}`,
  confirmLabel: 'Make owner',
  reason: 'told',
  note: 'The owner now stays in it as a member. The new owner can hand it back.',
  openings: ['the owner has left'],
  run: async (form, api) => {
    await api.call(handOnChatroom, { params: { chatroomId: id }, body: { userId, reason: reasonOf(form) } });
    return `${name} belongs to ${nameOf(user)}.`;
  },
});

export const removeMember = ({ id, name }: Chatroom, { userId, user }: RoomMember): Action => ({
  name: 'Remove',
  title: `Remove ${nameOf(user)} from ${name}`,
  confirmLabel: 'Remove member',
  isDangerous: true,
  openings: AGAINST_MEMBERS,
  note: 'They can join again if it is public; otherwise its owner can add them again.',
  run: async (form, api) => {
    await api.call(removeChatroomMember, {
      params: { chatroomId: id, userId },
      body: { reason: reasonOf(form) },
    });
    return `Removed ${nameOf(user)} from ${name}.`;
  },
});

export const mute = ({ id, name }: Chatroom, { userId, user }: RoomMember): Action => ({
  name: 'Mute',
  title: `Mute ${nameOf(user)} in ${name}`,
  confirmLabel: 'Mute member',
  fields: <MuteSpan />,
  openings: AGAINST_MEMBERS,
  note: 'They can still read it, and write elsewhere. You can end it earlier.',
  run: async (form, api) => {
    const body = { minutes: Number(textOf(form, 'minutes')), reason: reasonOf(form) };
    const { mutedUntil } = await api.call(muteChatMember, { params: { chatroomId: id, userId }, body });
    return `${nameOf(user)} is muted in ${name}${mutedUntil ? ` until ${localTime(mutedUntil)}` : ''}.`;
  },
});

export const ban = ({ id, name }: Chatroom, { userId, user }: RoomMember): Action => ({
  name: 'Ban',
  title: `Ban ${nameOf(user)} from ${name}`,
  confirmLabel: 'Ban member',
  isDangerous: true,
  openings: AGAINST_MEMBERS,
  note: 'They are removed and cannot come back until the ban is lifted; what they have written stays.',
  run: async (form, api) => {
    await api.call(banChatMember, { params: { chatroomId: id, userId }, body: { reason: reasonOf(form) } });
    return `${nameOf(user)} is banned from ${name}.`;
  },
});

export const unban = ({ id, name }: Chatroom, { userId, user }: RoomMember): Action => ({
  name: 'Lift ban',
  title: `Lift the ban of ${nameOf(user)} from ${name}`,
  confirmLabel: 'Lift ban',
  note: 'They can join again, or be added again.',
  run: async (form, api) => {
    await api.call(unbanChatMember, { params: { chatroomId: id, userId }, body: { reason: reasonOf(form) } });
    return `${nameOf(user)} is no longer banned from ${name}.`;
  },
});

export const unmute = ({ id, name }: Chatroom, { userId, user }: RoomMember): Action => ({
  name: 'End mute',
  title: `End the mute of ${nameOf(user)} in ${name}`,
  confirmLabel: 'End mute',
  run: async (form, api) => {
    await api.call(unmuteChatMember, {
      params: { chatroomId: id, userId },
      body: { reason: reasonOf(form) },
    });
    return `${nameOf(user)} can write in ${name} again.`;
  },
});
