import type { Readable } from 'node:stream';

export interface RawRouteRequest {
  method: 'GET' | 'HEAD';
  /** Of the path; the wildcard is named `*`. */
  params: Record<string, string>;
  /** Returns a header, or nothing. */
  header(name: string): string;
}

/** Sent as it is. A body of a HEAD request is left out. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
}

/**
 * A route beside the API, for what is no JSON: it answers GET and HEAD without envelope, API key and rate limit. Whoever
 * may read it is decided by `handle`.
 */
export interface RawRoute {
  /** With `:name` for parameters, and `*` for the rest. */
  path: string;
  /** Lets pages of every origin read it, whatever CORS_ORIGINS says; for what asks for no cookie or token header. */
  anyOrigin?: boolean;
  handle(request: RawRouteRequest): Promise<RawAnswer>;
}
