import { type Static, Type } from 'typebox';
import { HttpUrl, nameText, nullable, optionalText } from '../../../kernel/operations/shapes.ts';
import { MAX_BIO_LENGTH } from '../contract.ts';
import { Username } from '../identity.schemas.ts';

const Name = nameText(100);
const Avatar = { ...HttpUrl, description: 'The picture, the same as that of an educator profile' };
const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 64,
  description: 'An IANA time zone',
  examples: ['Europe/Warsaw'],
});
const Locale = Type.String({
  format: 'language-tag',
  maxLength: 64,
  description: 'A BCP 47 language tag, in any case; answers have its canonical form',
  examples: ['pt-BR'],
});

export const ProfileChangesBody = Type.Partial(
  Type.Object({
    firstName: { ...Name, examples: ['Ada'] },
    lastName: { ...Name, examples: ['Lovelace'] },
    username: Username,
    bio: nullable(optionalText(MAX_BIO_LENGTH, { examples: ['Twenty years of trading.'] })),
    avatar: nullable(Avatar),
    timeZone: nullable(TimeZone),
    locale: nullable(Locale),
  }),
);
export type ProfileDraft = Static<typeof ProfileChangesBody>;
