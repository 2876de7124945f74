import type { FeedPlace, Meta, Pagination } from './generated/wire.ts';
import type { HttpResponse } from './host.ts';
import type { Keeper } from './signed-in.ts';

/** The parts of a request. */
export interface Request {
  params?: object;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** A whole response of the platform. */
export interface Answer {
  success: true;
  status: number;
  message: string;
  data: unknown;
  meta: { timestamp: string; version: string; ignored?: string[] };
  pagination?: { page: number; limit: number; total: number; pages: number; totalIsExact?: boolean };
  /** Whether it is the stored answer to an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
}

type Send = (request: Request) => Promise<Answer>;
/** Requests a page of a list. */
type Ask = (query: Request['query']) => Promise<Answer>;

/** The types that belong to an operation; they exist for the compiler only. */
export interface OperationTypes {
  params?: object;
  query?: object;
  body?: unknown;
  data: unknown;
  /** The body and the data with the SDK's names, where those differ from the wire. */
  renamedBody?: unknown;
  renamedData?: unknown;
  /** Whether `pagination` comes with the answer. */
  paged?: true;
  /** Whether the response is a list that is continued by `pagination.nextCursor`. */
  feed?: true;
  /** The codes that it may be refused with. */
  code: string;
}

/**
 * An operation of the platform as a value, with its path and the types of requests and responses. Features that
 * only some operations need are functions in these operations, so that a bundle contains only the features of the
 * operations that it uses.
 */
export interface Operation<Types extends OperationTypes = OperationTypes> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  /** Inserts the parameters into the path; undefined if the path has none. */
  readonly fill?: (path: string, params: object) => string;
  /** Whether it is called without a member's token. */
  readonly isOpen?: true;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** Whether a POST without a key may be sent again, because a repetition has no further effect. */
  readonly isRepeatable?: true;
  /** Turns its response into a list that can be continued. */
  readonly pages?: (ask: Ask, query: Request['query'], cursor?: readonly string[]) => PromiseLike<object>;
  /**
   * The cursor parameter of its list and the fields of an item whose values, joined by underscores, form the
   * cursor; undefined for lists that are paged by number.
   */
  readonly cursor?: readonly string[];
  /** Runs around the request: it stores tokens, or renames fields. */
  readonly around?: (request: Request, session: Keeper, send: Send) => Promise<Answer>;
  /** Parses a response that is not JSON on request; undefined if it is JSON. */
  readonly read?: (text: string, response: HttpResponse) => Answer | undefined;
  /** Holds the types; it has no value at run time. */
  readonly types?: Types;
}

/** The types of an operation: `TypesOf<typeof transferKeys>['body']`. */
export type TypesOf<O> = O extends Operation<infer Types> ? Types : never;

/** An object that may be left out where nothing in it is required. */
type Part<Name extends string, Value> = Value extends undefined
  ? unknown
  : Record<never, never> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

/** The parts of an operation's request, with the names of the wire. */
export type WireRequest<O> = Part<'params', TypesOf<O>['params']> &
  Part<'query', TypesOf<O>['query']> &
  Part<'body', TypesOf<O>['body']>;

/** The parts of an operation's request, with the names of the SDK. */
export type RequestOf<O> = Part<'params', TypesOf<O>['params']> &
  Part<'query', TypesOf<O>['query']> &
  Part<'body', TypesOf<O> extends { renamedBody: infer Body } ? Body : TypesOf<O>['body']>;

/** The result of a call, with the names of the SDK. */
export type DataOf<O> = TypesOf<O> extends { renamedData: infer Data } ? Data : TypesOf<O>['data'];

/** The codes that an operation may be refused with. */
export type CodeOf<O> = TypesOf<O>['code'];

/** A whole response, with the names of the SDK. */
export interface AnswerOf<O> extends Omit<WireAnswer<O>, 'data' | 'meta'> {
  data: DataOf<O>;
  meta: Answer['meta'];
  /** Whether it is the stored answer to an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
}

/** A whole response, with the names of the wire. */
export interface WireAnswer<O> {
  success: true;
  status: number;
  message: string;
  data: TypesOf<O>['data'];
  meta: Meta;
  pagination: TypesOf<O>['feed'] extends true
    ? FeedPlace
    : TypesOf<O>['paged'] extends true
      ? Pagination
      : undefined;
}
