import { type Static, Type } from 'typebox';
import { nullable, ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** How many members one request may ask for. */
const MAX_IDS = 100;

/** How members see one another. */
export const MemberShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ examples: ['Ada Lovelace'] }),
    username: Type.String({ examples: ['ada'] }),
    avatar: nullable(Type.String({ examples: ['https://cdn.example.com/ada.jpg'] })),
    isEducator: Type.Boolean(),
  },
  { $id: 'Member' },
);
export type Member = Static<typeof MemberShape>;

export const MemberIdsQuery = Type.Object({
  ids: Type.String({
    pattern: `^[0-9a-f]{24}(,[0-9a-f]{24}){0,${MAX_IDS - 1}}$`,
    maxLength: MAX_IDS * 25,
    description: `Ids of members, separated by commas, at most ${MAX_IDS}`,
    examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
  }),
});
