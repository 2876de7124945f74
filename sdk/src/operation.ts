import type { FeedPlace, Meta, Pagination } from './generated/wire.ts';
import type { HttpResponse } from './host.ts';
import type { Keeper } from './signed-in.ts';

/** What a request consists of. */
export interface Request {
  params?: object;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** A whole answer of the platform, as it came. */
export interface Answer {
  success: true;
  status: number;
  message: string;
  data: unknown;
  meta: { timestamp: string; version: string; ignored?: string[] };
  pagination?: { page: number; limit: number; total: number; pages: number };
  /** Whether it is the stored answer to an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
}

type Send = (request: Request) => Promise<Answer>;
/** Asks for the page of a list. */
type Ask = (query: Request['query']) => Promise<Answer>;

/** What belongs to an operation, as types: the compiler alone knows it. */
export interface OperationTypes {
  params?: object;
  query?: object;
  body?: unknown;
  data: unknown;
  /** The body and the data under the names of the SDK, where those differ from the wire. */
  renamedBody?: unknown;
  renamedData?: unknown;
  /** Whether `pagination` comes with the answer. */
  paged?: true;
  /** Whether it is a list that is read on by `pagination.nextCursor`. */
  feed?: true;
  /** The codes that it may be refused with. */
  code: string;
}

/**
 * An operation of the platform as a value: enough to call it, and, as types, all that one sends and gets. What only some
 * operations need is a function in these, so that a program contains no more than what the operations that it names need.
 */
export interface Operation<Types extends OperationTypes = OperationTypes> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  /** Puts parameters into the path, where it has any. */
  readonly fill?: (path: string, params: object) => string;
  /** Whether it is called without the token of a member. */
  readonly isOpen?: true;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** Turns its response into a list that can be continued. */
  readonly pages?: (ask: Ask, query: Request['query'], cursor?: readonly string[]) => PromiseLike<object>;
  /**
   * How its list goes on where it does not by the number of a page: the parameter of the cursor, and the fields of an item
   * whose values, joined by underscores, are its cursor.
   */
  readonly cursor?: readonly string[];
  /** What is done besides sending: tokens are kept, or fields are renamed. */
  readonly around?: (request: Request, session: Keeper, send: Send) => Promise<Answer>;
  /** Reads an answer that is no JSON on request; undefined if it is. */
  readonly read?: (text: string, response: HttpResponse) => Answer | undefined;
  /** For the compiler alone: it is never there. */
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

/** What a request of an operation consists of, under the names of the wire. */
export type WireRequest<O> = Part<'params', TypesOf<O>['params']> &
  Part<'query', TypesOf<O>['query']> &
  Part<'body', TypesOf<O>['body']>;

/** What a request consists of, under the names of the SDK. */
export type RequestOf<O> = Part<'params', TypesOf<O>['params']> &
  Part<'query', TypesOf<O>['query']> &
  Part<'body', TypesOf<O> extends { renamedBody: infer Body } ? Body : TypesOf<O>['body']>;

/** What a call of an operation answers, under the names of the SDK. */
export type DataOf<O> = TypesOf<O> extends { renamedData: infer Data } ? Data : TypesOf<O>['data'];

/** The codes that an operation may be refused with. */
export type CodeOf<O> = TypesOf<O>['code'];

/** A whole answer, under the names of the wire. */
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
