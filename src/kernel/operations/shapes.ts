import { type Static, type TSchema, Type } from 'typebox';
import { type FailureMaker, invalidId } from '../failures.ts';

/** The largest integer that every JSON parser reads exactly. */
export const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

export const ObjectIdShape = Type.String({
  pattern: '^[0-9a-f]{24}$',
  patternMessage: 'must be an id: 24 lower-case hexadecimal characters',
  description: 'An object identifier: 24 lower-case hexadecimal characters, ordered by time',
  examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
});

/** A UUID in any case, as the queue and error reports name their records. */
export const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  patternMessage: 'must be a UUID',
  examples: ['0193a1b2-7c3d-4e5f-8a9b-0c1d2e3f4a5b'],
});

/** The response to the deletion of a record. */
export const DeletedRecord = Type.Object({ id: ObjectIdShape }, { $id: 'DeletedRecord' });

/** Text for people to read, such as a message. Text of only spaces and invisible characters is rejected. */
export const readableText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, format: 'visible', ...options });

/** Text that may be left empty, such as a note, and otherwise is for people to read as {@link readableText}. */
export const optionalText = (maxLength: number, options: object = {}) =>
  Type.String({ maxLength, format: 'visible-or-empty', ...options });

/**
 * A name or a title, which stands beside other texts: as {@link readableText}, and bidirectional controls that would
 * reverse these are rejected, too.
 */
export const nameText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, format: 'name', ...options });

/**
 * Marks what only those may read whom it is for, such as a message: reports and logs of refused requests say no more than
 * how long it was, also of fields beside it that the shape does not name.
 */
export const confidential = <S extends TSchema>(shape: S): S => ({ ...shape, isPrivate: true });

/** A datetime in responses: ISO 8601 in UTC with milliseconds. Handlers return `Date`s. */
export const DateTime = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  examples: ['2026-11-21T09:30:00.000Z'],
});

/** The same for long pages, whose datetimes handlers return as they write them (`isoText`). */
export const WrittenDateTime = Type.Unsafe<string>({ ...DateTime });

/** A date or datetime in a query; read with `instantOf` or `endOf`. */
export const InstantText = Type.String({
  format: 'instant',
  maxLength: 40,
  description: 'An ISO 8601 date or datetime; UTC if it has no zone',
  examples: ['2026-11-01'],
});

/** Returns the shape of the same value or null. */
export function nullable<S extends TSchema>(schema: S) {
  // A shape is JSON Schema at run time, which its type does not declare.
  const { type, enum: words } = schema as unknown as { type: string; enum?: unknown[] };
  // A list of types, unlike a union, has a fast serializer.
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words ? { enum: [...words, null] } : {}),
  });
}

/** An absolute http or https address without credentials. */
export const HttpUrl = Type.String({
  format: 'http-url',
  maxLength: 2048,
  examples: ['https://cdn.example.com/ada.jpg'],
});

/** One of the words, as a JSON Schema `enum`. */
export function oneOf<const T extends string>(words: readonly T[], options: object = {}) {
  return Type.Unsafe<T>({ type: 'string', enum: [...words], ...options });
}

const METADATA_KIBIBYTES = 16;
/** The limit of metadata, for descriptions. */
export const METADATA_LIMIT = `Arbitrary key-value pairs, at most ${METADATA_KIBIBYTES} KiB of JSON`;

/** Arbitrary keys and values of the client, stored unchanged. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxBytes: METADATA_KIBIBYTES * 1024,
  description: METADATA_LIMIT,
  examples: [{ campaign: 'spring' }],
});

/** Returns the shape of an object with arbitrary keys. (`Type.Record` rejects keys with a line break.) */
export const mapOf = <Value extends TSchema>(value: Value, options: object = {}) =>
  Type.Unsafe<Record<string, Static<Value>>>({ type: 'object', additionalProperties: value, ...options });

/** Returns the query parameters of a paged list. A `limit` above the maximum is lowered to it. */
export function pageQuery({ limit = 50, maximum = 100 }: { limit?: number; maximum?: number } = {}) {
  return {
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'From 1' }),
    limit: Type.Integer({
      minimum: 1,
      default: limit,
      clampTo: maximum,
      description: `Items per page; values above ${maximum} are lowered to ${maximum}`,
    }),
  };
}

/**
 * Returns the query parameters of a list that is read by page or by cursor: `before` names an item, and the list
 * continues after it. Combining it with `page` is 422.
 * @param cursorOf the fields of an item that form its cursor, joined by an underscore
 */
export function cursorQuery({
  before = refusedAs(ObjectIdShape, invalidId('item'), null),
  cursorOf = ['id'],
  ...limits
}: {
  limit?: number;
  maximum?: number;
  before?: TSchema;
  cursorOf?: string[];
} = {}) {
  const cursor = Type.Unsafe<string>({
    ...before,
    description: `The \`${cursorOf.join('` and `')}\` of an item${cursorOf.length > 1 ? ', joined by `_`' : ''}: lists the items after it, equally fast at any depth. Not together with \`page\``,
    insteadOf: ['page'],
    cursorOf,
  });
  return { ...pageQuery(limits), before: Type.Optional(cursor) };
}

/** `startDate` and `endDate`: both optional, both inclusive. */
export const periodQuery = { startDate: Type.Optional(InstantText), endDate: Type.Optional(InstantText) };

/** `from` and `to`: both optional, both inclusive. Read with `boundsOf`. */
export const boundsQuery = { from: Type.Optional(InstantText), to: Type.Optional(InstantText) };

/**
 * Returns a schema whose violation is the given failure instead of the general 422, for conditions that the
 * specification names as 400. With `whenMissing` null, a missing value is still 422.
 */
export function refusedAs<S extends TSchema>(
  schema: S,
  refusal: FailureMaker,
  whenMissing: FailureMaker | null = refusal,
): S {
  return { ...schema, refusal: { refusal, whenMissing } };
}
