import { type Static, Type } from 'typebox';
import { invalidId } from '../../kernel/failures.ts';
import { DateTime, nullable, refusedAs } from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';

/** Maximum number of members per request. */
export const MAX_IDS = 100;

export const SeenMember = Type.Object(
  {
    ...MemberShape.properties,
    mutedUntil: Type.Optional(
      nullable({
        ...DateTime,
        description:
          'Until when they are muted everywhere; null if they are not. Only administrators and moderators are told',
      }),
    ),
  },
  { $id: 'SeenMember' },
);
export type SeenMember = Static<typeof SeenMember>;

export const MemberIdsQuery = Type.Object({
  ids: refusedAs(
    Type.String({
      pattern: '^[0-9a-f]{24}(,[0-9a-f]{24})*$',
      // More than are accepted, so that too many are told from malformed ones.
      maxLength: 10 * MAX_IDS * 25,
      description: `Ids of members, separated by commas, at most ${MAX_IDS}`,
      examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    invalidId('user'),
    null,
  ),
});
