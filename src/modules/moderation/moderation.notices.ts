import { type Notice, type NotificationType, notice } from '../notifications/contract.ts';
import { memberContentModerated } from './contract.ts';
import { interventionStore } from './interventions.store.ts';

const MODERATION: NotificationType = { name: 'moderation', priority: 'high', channels: ['push'] };

/** The names of kinds of content in a sentence; other kinds are named as they are. */
const CALLED: Record<string, string> = {
  'announcement-comment': 'comment',
  trade: 'trade idea',
};

export const moderationNotices: Notice[] = [
  notice(memberContentModerated, {
    type: MODERATION,
    read: async (all, queries) => {
      const found = await interventionStore.findAll(
        all.map(({ interventionId }) => interventionId),
        queries,
      );
      return new Map(found.map((one) => [one.id, one]));
    },
    write: ({ interventionId, authorId }, known) => {
      const found = known.get(interventionId);
      if (!found) return [];
      const { kind, action, reason, subjectId } = found;
      return [
        {
          to: authorId,
          title: `Your ${CALLED[kind] ?? kind} was ${action} by a moderator`,
          message: reason ?? 'No reason was given.',
          details: { kind, outcome: action, subjectId },
        },
      ];
    },
  }),
];
