import type { Readable } from 'node:stream';
import type { Failure } from '../failures.ts';
import type { ObjectId } from '../ids.ts';

export interface RawRouteRequest {
  method: 'GET' | 'HEAD';
  /** Parameters of the path; the wildcard is named `*`. */
  params: Record<string, string>;
  /** Returns a header, or '' when it is missing. */
  header(name: string): string;
}

/** A successful response with all or part of the content; sent unchanged, without its body for HEAD requests. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
  /** Called once the response has been sent or its connection has closed. */
  onSent?: () => void;
}

/**
 * The rate limit of requests outside the API: that of their address, the larger one of an address for media, or none,
 * if the route itself limits its readers.
 */
export type PageAllowance = 'address' | 'media' | 'none';

/**
 * A route outside the API, for content that is not JSON: it answers GET and HEAD without envelope or API key. `handle`
 * decides who may read it.
 */
export interface RawRoute {
  /** The path, with `:name` for parameters, and `*` for the rest. */
  path: string;
  /** Allows every origin to read it, regardless of CORS_ORIGINS; for content that needs no cookie or token header. */
  anyOrigin?: boolean;
  /** Returns the rate limit for a request with these path parameters; by default that of its address. */
  allowanceOf?: (params: Record<string, string>) => PageAllowance;
  /** Returns the member to whom the link with these path parameters was issued, for the access log. */
  memberOf?: (params: Record<string, string>) => ObjectId | undefined;
  /** Returns a failure as an HTML page for people; without it the response is the envelope. */
  failurePage?: (failure: Failure, errorId: string) => string;
  /** @throws failures, which are reported like those of operations; their `reason` is for operators */
  handle(request: RawRouteRequest): Promise<RawAnswer>;
}
