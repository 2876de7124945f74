import { Type } from 'typebox';

export const LinkQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The token of the link' }),
});
export const LinkBody = Type.Object({});
export const Shown = Type.Object({});
