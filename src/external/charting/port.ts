/** How a call at the charting platform ended. Only `done` and `already` say that what was asked for is so. */
export type ChartingOutcome =
  | { kind: 'done' }
  /** It was so before. */
  | { kind: 'already' }
  | { kind: 'unknown-user' }
  /** The account that is signed in has no script of this name. */
  | { kind: 'unknown-script' }
  | ChartingTrouble;

/** Why a call brought no answer to what was asked. */
export type ChartingTrouble =
  /** The session of the account has ended; an operator has to renew it. */
  | { kind: 'session-over' }
  /** Too many calls; `retryAfterMs` is what the platform asks us to wait, where it says so. */
  | { kind: 'limited'; retryAfterMs?: number | undefined }
  /** The platform understood and will not; `text` is a sentence of ours. */
  | { kind: 'refused'; text: string }
  /** The platform is in trouble; nothing of this call goes on there. */
  | { kind: 'fault'; text: string }
  /** No answer came: the call may still take effect for as long as a request can live. */
  | { kind: 'unknown-outcome'; text: string };

/** One page of those who hold a script. */
export interface HoldersPage {
  kind: 'page';
  handles: string[];
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined;
}

/**
 * The charting platform on which members use indicators: one method is one call, without a repetition. Whoever calls
 * keeps to its limits.
 */
export interface ChartingPlatform {
  /** Returns how the platform spells this handle; handles are alike but for letter case. */
  resolve(
    handle: string,
  ): Promise<{ kind: 'known'; handle: string } | { kind: 'unknown-user' } | ChartingTrouble>;
  grant(pineId: string, handle: string): Promise<ChartingOutcome>;
  revoke(pineId: string, handle: string): Promise<ChartingOutcome>;
  /** Returns one page of those who hold a script; `cursor` is the `next` of the page before. */
  holders(
    pineId: string,
    cursor?: string,
  ): Promise<HoldersPage | { kind: 'unknown-script' } | ChartingTrouble>;
  /** Returns `done` when the session of the account lives. */
  check(): Promise<ChartingOutcome>;
}
