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

/** A successful response, or that of a range; sent unchanged, without its body for HEAD requests. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
  /** Called once the response has been sent or its connection has closed. */
  onSent?: () => void;
}

/**
 * What requests outside the API count against: the allowance of their address, the larger one that an address has for
 * media, or nothing, where the route itself limits its readers.
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
  /** Returns what a request with these parameters of the path counts against; by default the allowance of its address. */
  allowanceOf?: (params: Record<string, string>) => PageAllowance;
  /** Returns the member to whom the link with these parameters of the path was given, for the access log. */
  memberOf?: (params: Record<string, string>) => ObjectId | undefined;
  /** Returns the HTML with which people are answered a failure; without it the answer is the envelope. */
  failurePage?: (failure: Failure, errorId: string) => string;
  /** @throws failures, which are reported as those of operations; their `reason` is for operators */
  handle(request: RawRouteRequest): Promise<RawAnswer>;
}
