import { Type } from 'typebox';

/** Maximum number of members per request. */
const MAX_IDS = 100;

export const MemberIdsQuery = Type.Object({
  ids: Type.String({
    pattern: `^[0-9a-f]{24}(,[0-9a-f]{24}){0,${MAX_IDS - 1}}$`,
    maxLength: MAX_IDS * 25,
    description: `Ids of members, separated by commas, at most ${MAX_IDS}`,
    examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
  }),
});
