import type { Fetch, Signal, SocketMaker } from './host.ts';
import type { SignedOutReason } from './session.ts';
import type { Storage } from './storage.ts';

export interface ClientOptions {
  /** Of the platform, such as `https://api.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Where tokens are kept; with the process by default. */
  storage?: Storage;
  /** For one attempt; 15 seconds by default. */
  timeoutMs?: number;
  /** How often a request is repeated where that is safe; 3 times by default. */
  retries?: number;
  /** In place of the global ones. */
  fetch?: Fetch;
  WebSocket?: SocketMaker;
  /** The member has to sign in again. */
  onSignedOut?(reason: SignedOutReason): void;
}

export interface CallOptions {
  signal?: Signal | undefined;
  timeoutMs?: number | undefined;
  /** Where the operation accepts one; made by itself otherwise. */
  idempotencyKey?: string | undefined;
}
