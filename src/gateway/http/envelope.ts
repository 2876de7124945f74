import { randomUUID } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { type Feed, MOST_COUNTED, type Page } from '../../kernel/database/pagination.ts';
import type { Failure } from '../../kernel/failures.ts';
import { ListSummary } from '../../kernel/operations/list-summaries.ts';
import type { Success } from '../../kernel/operations/operation.ts';
import { DateTime, nullable } from '../../kernel/operations/shapes.ts';

export const VERSION = 'v1';

const Meta = Type.Object(
  {
    timestamp: DateTime,
    version: Type.String({ examples: [VERSION] }),
    ignored: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 20,
        description:
          'The fields of the body that the operation does not know, as dotted paths; only if there are any',
      }),
    ),
    summary: Type.Optional(ListSummary),
  },
  { $id: 'Meta', examples: [{ timestamp: '2026-11-20T12:00:00.000Z', version: VERSION }] },
);

const Pagination = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
    totalIsExact: Type.Optional(
      Type.Boolean({
        description: `For lists whose total stops at ${MOST_COUNTED.toLocaleString('en')}: \`false\` if there are more`,
      }),
    ),
  },
  { $id: 'Pagination' },
);

/** What feeds have instead: there are no pages, and nothing is counted. */
const FeedPlace = Type.Object(
  {
    limit: Type.Integer(),
    nextCursor: nullable(
      Type.String({ description: 'Pass it as `after` to read on; `null` only on an empty page' }),
    ),
  },
  { $id: 'FeedPlace' },
);

/** Returns the shape of `pagination`, of operations that have it. */
export function paginationShape({
  paged,
  hasPagination,
  isFeed,
}: Success<unknown>): { pagination: TSchema } | undefined {
  if (isFeed) return { pagination: FeedPlace };
  return paged || hasPagination ? { pagination: Pagination } : undefined;
}

const SUCCESS = {
  success: Type.Literal(true),
  status: Type.Integer({ examples: [200] }),
  message: Type.String({ description: 'A text for people', examples: ['OK'] }),
  data: Type.Unknown(),
  meta: Meta,
};
const ENVELOPES = {
  success: Type.Object(SUCCESS, { $id: 'Success' }),
  page: Type.Object({ ...SUCCESS, pagination: Pagination }, { $id: 'SuccessPage' }),
  feed: Type.Object({ ...SUCCESS, pagination: FeedPlace }, { $id: 'SuccessFeed' }),
};

/** Returns what successful responses of an operation have in common with others, for descriptions: any `data`. */
export const envelopeOf = ({ paged, hasPagination, isFeed }: Success<unknown>): TSchema =>
  ENVELOPES[isFeed ? 'feed' : paged || hasPagination ? 'page' : 'success'];

/** Returns the shape of a complete successful response. */
export function successEnvelope(success: Success<unknown>): TSchema {
  const { data, paged, message, status, alternative } = success;
  return Type.Object({
    success: Type.Literal(true),
    status: Type.Integer({ enum: [status, ...(alternative ? [alternative] : [])], examples: [status] }),
    message: Type.String({ examples: [message] }),
    data: paged ? Type.Array(data) : data,
    ...paginationShape(success),
    meta: Meta,
  });
}

export const FailureEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    status: Type.Integer({ examples: [400] }),
    statusCode: Type.Optional(Type.Integer({ description: 'For platform-access failures only' })),
    message: Type.String({ description: 'A text for people' }),
    error: Type.Unsafe<string>({ $ref: '#/components/schemas/ErrorCode' }),
    errorId: Type.String({ format: 'uuid' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'A dotted path', examples: ['amount'] }),
          message: Type.String({ examples: ['is required'] }),
        }),
        { description: 'For invalid bodies and queries only: all invalid fields' },
      ),
    ),
    meta: Type.Object({
      timestamp: DateTime,
      version: Type.String({ examples: [VERSION] }),
      errorId: Type.String({ format: 'uuid' }),
      retryAfter: Type.Optional(
        Type.Integer({ description: 'Seconds to wait before retrying; for 429 and 503 only' }),
      ),
      mutedUntil: Type.Optional({ ...DateTime, description: 'Of `MUTED` only' }),
      priceKeys: Type.Optional(Type.Integer({ description: 'The price now; of `PRICE_CHANGED` only' })),
    }),
  },
  { $id: 'Failure' },
);

export function enclose(
  { paged, isFeed }: Success<unknown>,
  status: number,
  message: string,
  answered: unknown,
  now: number,
  ignored?: string[],
) {
  const meta = { timestamp: new Date(now), version: VERSION, ignored };
  if (isFeed) {
    const { items, ...pagination } = answered as Feed<unknown>;
    return { success: true, status, message, data: items, pagination, meta };
  }
  if (!paged) return { success: true, status, message, data: answered, meta };
  const { items, summary, ...place } = answered as Page<unknown>;
  const pagination = paginationOf(place, items?.length);
  return { success: true, status, message, data: items, pagination, meta: { ...meta, summary } };
}

/** @param length of the page: where counting stops early, a full page may be followed by another */
export function paginationOf(
  { page, limit, total, totalIsExact }: Pick<Page<unknown>, 'page' | 'limit' | 'total' | 'totalIsExact'>,
  length = 0,
) {
  const counted = Math.ceil(total / limit);
  const isOpen = totalIsExact === false && length >= limit;
  return { page, limit, total, pages: isOpen ? Math.max(counted, page + 1) : counted, totalIsExact };
}

export function encloseFailure({ status, code, message, details }: Failure, now: number) {
  const errorId = randomUUID();
  const { errors, retryAfterSeconds, mutedUntil, priceKeys, repeatsStatus } = details;
  return {
    success: false,
    status,
    ...(repeatsStatus ? { statusCode: status } : {}),
    message,
    error: code,
    errorId,
    ...(errors ? { errors } : {}),
    meta: {
      timestamp: new Date(now).toISOString(),
      version: VERSION,
      errorId,
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
      ...(mutedUntil ? { mutedUntil: mutedUntil.toISOString() } : {}),
      ...(priceKeys === undefined ? {} : { priceKeys }),
    },
  };
}
