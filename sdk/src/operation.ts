import type { Meta, Pagination } from './generated/wire.ts';

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
  /** The codes that it may be refused with. */
  code: string;
}

/**
 * An operation of the platform as a value: enough to call it, and, as types, all that one sends and gets. It has no
 * behaviour, so that a program contains only the operations that it names.
 */
export interface Operation<Types extends OperationTypes = OperationTypes> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  /** What the input of its method in the groups is; neither is also possible. */
  readonly takes?: 'body' | 'query';
  /** Whether it is called with the token of a member. */
  readonly takesToken?: true;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** How its list goes on: by the number of a page, or by a cursor of this name. */
  readonly pages?: 'page' | 'before' | 'after';
  /** The fields of an item whose values, joined by underscores, are its cursor; by default its `id`. */
  readonly cursorOf?: readonly string[];
  /** Dotted paths of fields that have other names on the wire than in the SDK. */
  readonly rename?: { readonly body?: readonly string[]; readonly data?: readonly string[] };
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
  pagination: TypesOf<O>['paged'] extends true ? Pagination : undefined;
}
