import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Feed, Page, PageRequest } from '../database/pagination.ts';
import type { Failure, FailureMaker, FieldFault } from '../failures.ts';
import type { IdempotencyContext } from '../records/idempotency.ts';
import type { Access } from './access.ts';
import type { Caller, RequestFacts } from './callers.ts';
import { acceptReason } from './reasons.ts';
import type { RightParts } from './right-parts.ts';
import type { StepUpRule } from './step-up.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The default maximum size of a body; most shapes need less. */
export const DEFAULT_MAX_BODY_BYTES = 64 * 1024;

/** For operations that accept long lists or whole documents, and for webhooks, whose senders determine the size. */
export const LARGE_BODY_BYTES = 1024 * 1024;

type SuccessStatus = 200 | 201 | 202 | 302;

/** The successful response of an operation. */
export interface Success<Data> {
  status: 200 | 201 | 202;
  /** Shape of `data`; of one item when `paged`. */
  data: TSchema;
  message: string;
  paged: boolean;
  /** Whether `pagination` accompanies `data` although it is an object; the handler returns it with {@link answer}. */
  hasPagination?: boolean;
  /** Whether it is a list that is read on by cursor alone; the handler returns a {@link Feed}. */
  isFeed?: boolean;
  /** Another content type that the handler may return with {@link Streamed}. */
  alsoAs?: string;
  /** Another status that the handler may return with {@link answer}. */
  alternative?: SuccessStatus;
  readonly answers?: Data;
}

type SuccessOptions = {
  message?: string;
  alternative?: SuccessStatus;
  alsoAs?: string;
  hasPagination?: boolean;
};

/** 200 with `data`. */
export const ok = <S extends TSchema>(
  data: S,
  { message = 'OK', ...rest }: SuccessOptions = {},
): Success<Static<S>> => ({ status: 200, data, message, paged: false, ...rest });

/** 201 with `data`. */
export const created = <S extends TSchema>(
  data: S,
  { message = 'Created', ...rest }: SuccessOptions = {},
): Success<Static<S>> => ({ status: 201, data, message, paged: false, ...rest });

/** 202 with `data`, for work accepted for later processing. */
export const accepted = <S extends TSchema>(
  data: S,
  { message = 'Accepted', ...rest }: SuccessOptions = {},
): Success<Static<S>> => ({ status: 202, data, message, paged: false, ...rest });

/** 200 with `data` an array and `pagination`; the handler returns a {@link Page}. */
export const pageOf = <S extends TSchema>(
  data: S,
  { message = 'OK', alsoAs }: SuccessOptions = {},
): Success<Page<Static<S>>> => ({ status: 200, data, message, paged: true, alsoAs });

/** 200 with `data` an array and `pagination.nextCursor`; the handler returns a {@link Feed}. */
export const feedOf = <S extends TSchema>(data: S, maxItems: number): Success<Feed<Static<S>>> => ({
  status: 200,
  data: Type.Array(data, { maxItems }),
  message: 'OK',
  paged: false,
  isFeed: true,
});

/** A response that departs from the operation's usual status or message, or adds headers. */
export class Answer<Data> {
  readonly data: Data;
  readonly departures: {
    status?: SuccessStatus;
    message?: string;
    headers?: Record<string, string>;
    /** Dotted paths of fields of the body that only the handler knows to be unknown; named in `meta.ignored`. */
    ignored?: string[];
    pagination?: PageRequest & { total: number };
  };

  constructor(data: Data, departures: Answer<Data>['departures']) {
    this.data = data;
    this.departures = departures;
  }
}

/** A response of unlimited length, streamed and never held in memory as a whole. */
export class Streamed {
  readonly body:
    | { kind: 'list'; head: object; field: string; items: AsyncIterable<unknown[]> }
    | { kind: 'text'; contentType: string; fileName: string; chunks: AsyncIterable<string> };

  constructor(body: Streamed['body']) {
    this.body = body;
  }
}

/** An HTML page instead of the envelope. */
export class HtmlPage {
  readonly status: number;
  readonly html: string;

  constructor(status: number, html: string) {
    this.status = status;
    this.html = html;
  }
}

/** Whether a client with this `accept` header is shown pages: browsers are, but not mail programs and API clients. */
export const showsPages = (accept: string | undefined): boolean =>
  accept?.toLowerCase().includes('text/html') ?? false;

export const answer = <Data>(data: Data, departures: Answer<Data>['departures']): Answer<Data> =>
  new Answer(data, departures);

type Read<S> = S extends TSchema ? Static<S> : undefined;

export interface RawRequest {
  /** The body, byte for byte in UTF-8. */
  text: string;
  /** Returns a header, or '' when it is missing. */
  header(name: string): string;
}

interface Input<P, Q, B, C, L = undefined> {
  params: Read<P>;
  query: Read<Q>;
  body: Read<B>;
  caller: C;
  facts: RequestFacts;
  /** What `load` returned. */
  loaded: L;
  /** Saves the response of operations that are `idempotent`. */
  idempotency: IdempotencyContext;
  /** The unparsed request, to verify signatures. */
  raw: RawRequest;
  /** Fires when the client disconnects before the response, so that pointless work can stop. */
  readonly disconnected: AbortSignal;
}

/** What clients of a deprecated operation need to know. */
export interface Deprecation {
  since: Date;
  /** The path of the operation to use instead, with `:name` for parameters, which have the same names in both. */
  successor: string;
}

interface OperationParts<P, Q, B, C extends Caller, Data, L = undefined> {
  method: Method;
  /** The path, with `:name` for parameters. */
  path: string;
  /** The operationId: unique, camelCase. */
  id: string;
  /** Groups operations in the reference. */
  tag: string;
  summary: string;
  description?: string;
  access: Access<C>;
  /** Path parameters; malformed ones are 400, by `refusedAs`. */
  params?: P;
  query?: Q;
  /**
   * Whether people open it as a link. Mail programs and advertisers add query parameters to links, which are then
   * ignored; elsewhere a parameter that `query` does not name is 422.
   */
  isLink?: boolean;
  body?: B;
  /**
   * Also accepts a form (`application/x-www-form-urlencoded` or `multipart/form-data`), as HTML pages and mail programs
   * send.
   */
  form?: boolean;
  /** Also accepts JSON that is labelled `text/plain`, as some services send it. */
  takesPlainText?: boolean;
  /** Defaults to {@link DEFAULT_MAX_BODY_BYTES}. */
  maxBodyBytes?: number;
  /**
   * Accepts an `Idempotency-Key`: the handler must save its response through `idempotency`, in the transaction of its
   * effect. What is idempotent `by-nature` can be repeated without harm, so that the key is claimed for it before, and its
   * response saved afterwards.
   */
  idempotent?: boolean | 'by-nature';
  /**
   * For a POST that takes no `Idempotency-Key`: whether a repetition returns the same and has no further effect, so that
   * clients may send it again when its response was lost.
   */
  isRepeatable?: boolean;
  /** Whether its body contains a password, of which no digest may be kept that could be guessed. */
  takesSecret?: boolean;
  /** Whether its answer contains a secret, so that it is kept sealed under its `Idempotency-Key`. */
  answersSecret?: boolean;
  /** Whether it changes nothing although its method is not GET, so that it takes no `reason`. */
  isReading?: boolean;
  /**
   * Set by {@link operation}: whether it accepts a `reason` that its own shapes do not declare, and that the handler
   * therefore finds only in the request facts.
   */
  reasonIsExtra?: boolean;
  /**
   * Whether administrators or moderators may also use it on records of others: adds an optional `reason`, which the
   * owner is shown.
   */
  isAlsoForStaff?: boolean;
  /**
   * Whether it moves money or rights, so that members with a second factor must have stepped up, and the console asks for
   * the password again.
   */
  isSensitive?: boolean;
  /**
   * Whether members with a second factor must have stepped up: always, or for some bodies; by default where
   * `isSensitive`. What moves money or takes a factor away also checks it in its transaction.
   */
  needsStepUp?: StepUpRule<Read<B>>;
  /** Whether members need a verified e-mail address for it, where the installation wants that. */
  needsVerifiedEmail?: boolean;
  /** Set by `deprecatedAlias`. */
  deprecated?: Deprecation;
  success: Success<Data>;
  /** Failures besides those that its access and shapes imply. */
  failures?: FailureMaker[];
  /**
   * Loads what the path names before query and body are checked, so that its 404 and 403 take precedence over 422. The
   * handler receives it as `loaded`; a rule that depends on it must still lock and read it again within its
   * transaction.
   */
  load?: (input: Pick<Input<P, Q, B, C>, 'params' | 'caller' | 'facts'>) => Promise<L>;
  /**
   * Whether the handler refuses by itself what `load` refuses, so that `load` is only called for requests whose query or
   * body is refused. There is no `loaded` then.
   */
  repeatsLoad?: boolean;
  /** Returns the HTML that a browser gets for a failure instead of the envelope, if it gets another. */
  failurePage?: (failure: Failure) => string | undefined;
  /** Makes the failure of a body that its shape refuses, where that is not the usual 422. */
  refuseBody?: (errors: FieldFault[]) => Failure;
  /**
   * Returns the faults of a body that its shape cannot express, such as those between two fields, to be named with those
   * of the shape when this refuses the body. Receives the parts that are right by themselves, as they were sent, and what
   * `load` returned. It is not asked about a body that the shape accepts, which the handler refuses by itself.
   */
  faults?: (input: { body: RightParts<Read<B>>; loaded?: L }) => FieldFault[] | Promise<FieldFault[]>;
  handle: (input: Input<P, Q, B, C, L>) => Promise<Data | Answer<Data> | Streamed | HtmlPage>;
}

/** An operation with its types erased, as the gateway and the documents use it. */
export interface Operation
  extends Omit<
    OperationParts<TObject | undefined, TObject | undefined, TSchema | undefined, Caller, unknown>,
    'handle' | 'load' | 'needsStepUp' | 'faults'
  > {
  needsStepUp?: StepUpRule<never>;
  // biome-ignore lint/suspicious/noExplicitAny: `operation` has checked that the handler takes its shapes
  handle: (input: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  load?: (input: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  faults?: (input: any) => FieldFault[] | Promise<FieldFault[]>;
}

/**
 * Declares an operation as a value: method, path, access, input shapes, output shape, failures and a handler. The
 * gateway derives routes, checks, serialization and the description from it. Writes of administrators take a `reason`
 * besides, which the audit log keeps.
 */
export function operation<
  Data,
  C extends Caller,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  L = undefined,
>(parts: OperationParts<P, Q, B, C, Data, L>): Operation {
  // `operation` has checked the types of the parts against each other; the erased type keeps only the shapes.
  return acceptReason(parts as unknown as Operation);
}
