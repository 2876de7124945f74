/** The outcome of a call to the charting platform. Only `done` and `already` confirm the requested state. */
export type ChartingOutcome =
  | { kind: 'done' }
  /** The requested state already existed. */
  | { kind: 'already' }
  | { kind: 'unknown-user' }
  /** The signed-in account has no script of this name. */
  | { kind: 'unknown-script' }
  | ChartingTrouble;

/** A reason why a call has no answer. */
export type ChartingTrouble =
  /** The account's session has ended; an operator must renew it. */
  | { kind: 'session-over' }
  /** Too many calls; `retryAfterMs` is the wait that the platform requests, if any. */
  | { kind: 'limited'; retryAfterMs?: number | undefined }
  /** The platform rejected the request; `text` is a message of ours. */
  | { kind: 'refused'; text: string }
  /** The platform failed; the call has no later effect. */
  | { kind: 'fault'; text: string }
  /** No response arrived: the call may still take effect for as long as a request can live. */
  | { kind: 'unknown-outcome'; text: string };

/** One page of a script's holders. */
export interface HoldersPage {
  kind: 'page';
  handles: string[];
  /** Cursor of the next page; undefined on the last one. */
  next: string | undefined;
}

/**
 * The charting platform on which members use indicators. Each method makes one call, without retries. Callers must
 * observe the platform's rate limits.
 */
export interface ChartingPlatform {
  /** Returns the platform's spelling of a handle; handles are case-insensitive. */
  resolve(
    handle: string,
  ): Promise<{ kind: 'known'; handle: string } | { kind: 'unknown-user' } | ChartingTrouble>;
  grant(pineId: string, handle: string): Promise<ChartingOutcome>;
  revoke(pineId: string, handle: string): Promise<ChartingOutcome>;
  /** Returns whether a handle can use a script, whether the platform or a person granted it. */
  lookUpHolder(
    pineId: string,
    handle: string,
  ): Promise<{ kind: 'held' | 'not-held' } | { kind: 'unknown-script' } | ChartingTrouble>;
  /** Returns one page of a script's holders; `cursor` is the `next` of the previous page. */
  holders(
    pineId: string,
    cursor?: string,
  ): Promise<HoldersPage | { kind: 'unknown-script' } | ChartingTrouble>;
  /** Returns `done` when the account's session is valid. */
  check(): Promise<ChartingOutcome>;
}
