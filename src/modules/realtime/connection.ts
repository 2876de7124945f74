import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LiveConnection } from '../../kernel/live/live-commands.ts';
import { WARN_MS } from '../../kernel/live/live-limits.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Missed } from '../chat/contract.ts';
import type { Authenticated } from '../identity/contract.ts';
import type { Close } from './closing.ts';

/** A message of a channel, as a frame with its number. */
export interface Numbered {
  /** 0 for a message without a number, which is not replayed. */
  seq: number;
  frame: Buffer;
  /** Whether it edits or deletes an earlier message. */
  isRewrite: boolean;
}

/** Messages to be sent, and how to read the next ones, if there are any. */
export interface Due {
  messages: Numbered[];
  next: (() => Promise<Due>) | undefined;
}

/** The subscription of a connection to a channel. */
export interface Subscription {
  connection: Connection;
  channel: Channel;
  /** Index in the channel's `subscriptions`. */
  place: number;
  /** Number of reasons to hold messages back, such as a pending admission or review. */
  pauses: number;
  /** Messages received while held back, or while missed ones are being sent; undefined otherwise. */
  queued: Numbered[] | undefined;
  /** The size of those that arrived while missed ones were being sent. */
  queuedBytes: number;
  /** Missed messages that have not been sent yet. */
  due: Due | undefined;
  /** Number of the newest message sent on joining; the bus may deliver it again. */
  sentUpTo: number;
  /** Whether access was granted and the client was notified. */
  isAdmitted: boolean;
  /** Called when the subscription ends. */
  onLeave: (() => void) | undefined;
}

/** Reads a channel's missed messages from the store. */
export type FindMissed = (after: number) => Promise<Missed>;

/** A stream of messages to connections of this process. */
export interface Channel {
  name: string;
  subscriptions: Subscription[];
  stop: () => Promise<void>;
  findMissed: FindMissed | undefined;
  onRevoked: (subscription: Subscription, reason: string) => void;
  /** Rechecks who may read the channel. */
  onReview: (channel: Channel) => void;
  /** Number of the newest message delivered; undefined until the first subscriber has read it from the database. */
  seq: number | undefined;
  /** Messages received before `seq` is known, or while missed ones are being read. */
  early: Numbered[];
  isCatchingUp: boolean;
  recent: Numbered[];
  /** `recent` contains every message after this number. */
  recentAfter: number;
  lingering: NodeJS.Timeout | undefined;
}

/** A lookup of the owner of a token. */
interface Verification {
  token: string;
  /** The time, by `performance.now()`, at which the session was read at the earliest. */
  asOfMs: number;
  /** Number of notices of changed sessions and permissions received before the lookup. */
  changes: number;
}

/** Maximum number of queued messages of a connection; beyond it, reading pauses. */
const MAX_WAITING = 32;

/**
 * A WebSocket connection. A process holds ten thousand, so rarely used parts are allocated on demand, and what each
 * delivery needs stands together at the start.
 */
export class Connection implements LiveConnection {
  readonly ws: WebSocket;
  /** Frames are written here directly, bypassing the library's bookkeeping. */
  readonly socket: Duplex;
  /** Frames to be written: the first one, and those after it. */
  queued: Buffer | undefined = undefined;
  queuedMore: Buffer[] | undefined = undefined;
  /** Since when more bytes are unsent than a client should leave unread, by `performance.now()`. */
  behindSinceMs: number | undefined = undefined;
  /** The client's address, in the form in which limits count it. */
  readonly address: string;
  /** When it was opened, by `Clock.elapsedMs`. */
  readonly openedAtMs: number;
  /** Made when an administrator lists it. */
  id: string | undefined = undefined;
  /** When it last sent something, by `Clock.elapsedMs`. */
  receivedAtMs: number;
  caller: UserCaller | undefined = undefined;
  token = '';
  /** The latest lookup of the owner of a token. */
  verification: Verification | undefined = undefined;
  /** When the message being processed arrived, by `performance.now()`. */
  arrivedAtMs = Number.POSITIVE_INFINITY;
  expiresAtMs = Number.POSITIVE_INFINITY;
  /** When the client is asked for a new token; never again once it was asked. */
  renewalAtMs = Number.POSITIVE_INFINITY;
  /** The id of the key that signed the token, unless it is known to have ended. */
  keyId: string | undefined = undefined;
  /** Whether the sweep has found it closing before. */
  isClosing = false;
  /**
   * Whether an `auth` was refused for good, so that the connection is closing: what was sent after it was meant for another
   * member, or another session. One that came too fast, or during an outage, leaves the connection as it was.
   */
  isRefused = false;
  readonly subscriptions = new Map<string, Subscription>();
  symbols: Set<string> | undefined = undefined;
  /** Symbols whose latest price was skipped while the client was slow. */
  stale: Set<string> | undefined = undefined;
  /** Subscriptions with missed messages, which are sent one after the other. */
  line: Set<Subscription> | undefined = undefined;
  /**
   * While a portion waits for the socket: the number of unsent bytes at the last check, and since when it has not
   * changed.
   */
  unread: { bytes: number; sinceMs: number } | undefined = undefined;
  /** Token bucket: messages that it may send, as of `refilledAtMs`. */
  tokens = 0;
  refilledAtMs = Number.NEGATIVE_INFINITY;
  /** Called when the server closes it, with the reason. */
  onServerClose: ((close: Close) => void) | undefined = undefined;
  faults = 0;
  faultsSinceMs = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  #isBusy = false;
  #isHasty = false;
  #turn: Promise<void> | undefined = undefined;

  constructor(ws: WebSocket, socket: Duplex, address: string, elapsedMs: number) {
    this.ws = ws;
    this.socket = socket;
    this.address = address;
    this.openedAtMs = elapsedMs;
    this.receivedAtMs = elapsedMs;
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  isOn(channel: string): boolean {
    return this.subscriptions.has(channel);
  }

  /** Stores the caller and the token that were just authenticated. */
  signIn({ caller, expiresAt, keyId }: Authenticated, token: string): void {
    // A client that sends the same token again has no newer one, so it is not asked for one again.
    const isNew = token !== this.token;
    this.caller = caller;
    this.token = token;
    this.keyId = keyId;
    this.expiresAtMs = expiresAt.getTime();
    if (isNew) this.renewalAtMs = this.expiresAtMs - WARN_MS;
  }

  close(close: Close): void {
    if (this.isOpen) this.onServerClose?.(close);
    this.ws.close(close.code, close.reason);
  }

  /** Processes one message at a time, in order. */
  inTurn(work: () => Promise<void>): void {
    const arrivedAtMs = performance.now();
    this.#waiting++;
    if (this.#waiting === MAX_WAITING) this.#read({ isBusy: true });
    const turn = (this.#turn ?? Promise.resolve())
      .then(() => {
        this.arrivedAtMs = arrivedAtMs;
        return work();
      })
      .finally(() => {
        this.#waiting--;
        if (this.#waiting === MAX_WAITING / 2) this.#read({ isBusy: false });
        if (this.#turn === turn) this.#turn = undefined;
      });
    this.#turn = turn;
  }

  /** Pauses reading from a client that exceeds its rate; further messages wait on its side. */
  slowDown(pauseMs: number): void {
    if (this.#isHasty) return;
    this.#read({ isHasty: true });
    setTimeout(() => this.#read({ isHasty: false }), pauseMs).unref();
  }

  /** Pauses reading while there is any reason to, and resumes it otherwise. */
  #read({ isBusy = this.#isBusy, isHasty = this.#isHasty }: { isBusy?: boolean; isHasty?: boolean }): void {
    this.#isBusy = isBusy;
    this.#isHasty = isHasty;
    if (isBusy || isHasty) this.ws.pause();
    else this.ws.resume();
  }

  /** Resolves when all messages received so far have been processed. */
  async settled(): Promise<void> {
    await this.#turn;
  }
}
