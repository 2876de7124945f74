import {
  banCommunityMember,
  type Comment,
  type Community,
  deleteComment,
  deleteCommunity,
  deletePost,
  deleteTrade,
  type Post,
  type Trade,
  unbanCommunityMember,
  updateCommunity,
  type wire,
} from '@platform-api/sdk';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { type Action, reasonOf, textOf } from '../parts/action.tsx';
import { count, nameOf, plural } from '../text.ts';
import { TEXT_OPENINGS, TextFields } from './text-fields.tsx';

const FINAL = 'This cannot be undone.';
const OPENINGS = ['promises of profit are not allowed', 'spam', 'insults other members'];

export const changeCommunity = ({ id, name, description, updatedAt }: Community): Action => ({
  name: 'Change texts',
  title: `Change the texts of ${name}`,
  confirmLabel: 'Save',
  reason: 'told',
  fields: <TextFields name={name} description={description} />,
  openings: TEXT_OPENINGS,
  run: async (form, api) => {
    const typed = { name: textOf(form, 'name'), description: textOf(form, 'description') };
    const changed = changedIn({ name, description }, typed);
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const body = { ...changed, expectedUpdatedAt: updatedAt, reason: reasonOf(form) };
    await api.call(updateCommunity, { params: { communityId: id }, body });
    return `Saved the texts of ${typed.name}.`;
  },
});

export const removeCommunity = ({ id, name, memberCount, postCount }: Community): Action => ({
  name: 'Delete',
  title: `Delete ${name}`,
  confirmLabel: 'Delete community',
  isDangerous: true,
  reason: 'told',
  typed: name,
  facts: [
    ['Members', count(memberCount)],
    ['Posts', count(postCount)],
  ],
  note: `Its posts and their comments go with it. ${FINAL}`,
  run: async (form, api) => {
    await api.call(deleteCommunity, { params: { communityId: id }, body: { reason: reasonOf(form) } });
    return `Deleted ${name}.`;
  },
});

type CommunityMember = Pick<wire.CommunityMember, 'userId' | 'user'>;

export const banMember = ({ id, name }: Community, { userId, user }: CommunityMember): Action => ({
  name: 'Ban',
  title: `Ban ${nameOf(user)} from ${name}`,
  confirmLabel: 'Ban member',
  isDangerous: true,
  openings: OPENINGS,
  note: 'They are removed, can neither join again nor write there, and what they have written stays. It can be lifted.',
  run: async (form, api) => {
    const body = { reason: reasonOf(form) };
    await api.call(banCommunityMember, { params: { communityId: id, userId }, body });
    return `${nameOf(user)} is banned from ${name}.`;
  },
});

export const liftBan = ({ id, name }: Community, { userId, user }: CommunityMember): Action => ({
  name: 'Lift ban',
  title: `Lift the ban of ${nameOf(user)} from ${name}`,
  confirmLabel: 'Lift ban',
  note: 'They can join again.',
  run: async (form, api) => {
    const body = { reason: reasonOf(form) };
    await api.call(unbanCommunityMember, { params: { communityId: id, userId }, body });
    return `${nameOf(user)} is no longer banned from ${name}.`;
  },
});

export const removePost = ({ id, user, content, commentCount }: Post): Action => ({
  name: 'Delete',
  title: `Delete the post of ${nameOf(user)}`,
  confirmLabel: 'Delete post',
  isDangerous: true,
  reason: 'told',
  openings: OPENINGS,
  facts: [['Says', content.slice(0, 200)]],
  note: `${commentCount > 0 ? `${plural(commentCount, 'comment')} on it ${commentCount === 1 ? 'goes' : 'go'} with it. ` : ''}${FINAL}`,
  run: async (form, api) => {
    await api.call(deletePost, { params: { postId: id }, body: { reason: reasonOf(form) } });
    return `Deleted the post of ${nameOf(user)}.`;
  },
});

export const removeComment = ({ id, user, content }: Comment): Action => ({
  name: 'Delete',
  title: `Delete the comment of ${nameOf(user)}`,
  confirmLabel: 'Delete comment',
  isDangerous: true,
  reason: 'told',
  openings: OPENINGS,
  facts: [['Says', content.slice(0, 200)]],
  note: FINAL,
  run: async (form, api) => {
    await api.call(deleteComment, { params: { commentId: id }, body: { reason: reasonOf(form) } });
    return `Deleted the comment of ${nameOf(user)}.`;
  },
});

export const removeTrade = ({ id, user, symbol, direction, note }: Trade): Action => ({
  name: 'Delete',
  title: `Delete ${symbol} ${direction} of ${nameOf(user)}`,
  confirmLabel: 'Delete trade idea',
  isDangerous: true,
  reason: 'told',
  openings: OPENINGS,
  facts: [['Says', note.slice(0, 200)]],
  note: FINAL,
  run: async (form, api) => {
    await api.call(deleteTrade, { params: { tradeId: id }, body: { reason: reasonOf(form) } });
    return `Deleted ${symbol} ${direction} of ${nameOf(user)}.`;
  },
});
