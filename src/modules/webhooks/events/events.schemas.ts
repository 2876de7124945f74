import { type TObject, Type } from 'typebox';
import { DateTime, mapOf } from '../../../kernel/operations/shapes.ts';
import type { PublicEvent } from '../contract.ts';

const EventId = Type.String({
  $id: 'EventId',
  pattern: '^evt_[0-9a-f]{24}$',
  description: 'The same in the feed, in every delivery and in every replay',
  examples: ['evt_6740f1c2a9b3e4d5f6a7b8c9'],
});
/** The data of an event that carries nothing but its type. */
export const Nothing = Type.Object({});

const pascalCase = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** Returns the name of a type's component in the description: `WalletFundedEvent`. */
const nameOf = (type: string): string => `${pascalCase(type)}Event`;

/** Returns the shape of the events of a type. */
export const bodyShape = ({ type, about, data }: PublicEvent): TObject =>
  Type.Object(
    { id: EventId, type: Type.Literal(type), timestamp: DateTime, data },
    { $id: nameOf(type), description: about },
  );

/** Returns the shape of an event of any of these types; the description names the shape of each. */
export const anyEvent = (types: string[]) =>
  Type.Object(
    {
      id: EventId,
      type: Type.String({ description: 'Ignore types that you do not know' }),
      timestamp: DateTime,
      data: mapOf(Type.Unknown(), { description: 'Depends on the type' }),
    },
    {
      $id: 'PublicEvent',
      documented: {
        oneOf: types.map((type) => ({ $ref: `#/components/schemas/${nameOf(type)}` })),
        discriminator: {
          propertyName: 'type',
          mapping: Object.fromEntries(types.map((type) => [type, `#/components/schemas/${nameOf(type)}`])),
        },
      },
    },
  );

/** Returns the query of the feed. */
export const feedQuery = (maximum: number) =>
  Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'The `nextCursor` of the previous page; without it, the list begins with the oldest stored event',
        examples: ['1z-t68ow0'],
      }),
    ),
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description:
          'Types separated by commas; `*` for all, `wallet.*` for all whose name begins with `wallet.`',
        examples: ['wallet.*,user.created'],
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      default: 100,
      clampTo: maximum,
      description: `Events per page; values above ${maximum} are lowered to ${maximum}`,
    }),
  });
