import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LiveConnection } from '../../kernel/live/live-commands.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Missed } from '../chat/contract.ts';
import type { Close } from './closing.ts';

/** A message of a channel, as a frame with its number. */
export interface Numbered {
  /** 0 for a message without a number, which is not replayed. */
  seq: number;
  frame: Buffer;
  /** Whether it edits or deletes an earlier message. */
  isRewrite: boolean;
}

/** Messages to be sent, and how the ones after them are read, if there are any. */
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
  /** Messages received while held back, or while others are due; undefined otherwise. */
  queued: Numbered[] | undefined;
  /** Their bytes, as far as they came while others are due. */
  queuedBytes: number;
  /** What it has missed and is still to be sent. */
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
  /** Checks again who may read it. */
  onReview: (channel: Channel) => void;
  /** Number of the newest message delivered; undefined until the first subscriber has read it from the database. */
  seq: number | undefined;
  /** Messages received before `seq` is known, or while missed ones are being read. */
  early: Numbered[];
  isCatchingUp: boolean;
  recent: Numbered[];
  /** `recent` holds every message after this number. */
  recentAfter: number;
  lingering: NodeJS.Timeout | undefined;
}

/** A look-up of the owner of a token. */
interface Verification {
  token: string;
  /** By `performance.now()`: the session is as it was then or later. */
  asOfMs: number;
  /** How many notices of changed sessions and permissions had come before it. */
  changes: number;
}

/** Messages of a connection that may be queued; beyond that, reading pauses. */
const MAX_WAITING = 32;

/** A WebSocket connection. A process holds ten thousand, so rarely used parts are allocated on demand. */
export class Connection implements LiveConnection {
  readonly ws: WebSocket;
  /** Frames are written here directly, bypassing the library's bookkeeping. */
  readonly socket: Duplex;
  /** The client's address, as limits count it. */
  readonly address: string;
  readonly openedAtMs: number;
  receivedAtMs: number;
  caller: UserCaller | undefined = undefined;
  token = '';
  /** The newest look-up of the owner of a token. */
  verification: Verification | undefined = undefined;
  /** When the message that is being processed arrived, by `performance.now()`. */
  arrivedAtMs = Number.POSITIVE_INFINITY;
  expiresAtMs = Number.POSITIVE_INFINITY;
  /** Whether the client was warned that its token is about to expire. */
  isWarned = false;
  /** Whether the sweep has found it closing before. */
  isClosing = false;
  readonly subscriptions = new Map<string, Subscription>();
  symbols: Set<string> | undefined = undefined;
  /** Symbols whose latest price was skipped while the client was slow. */
  stale: Set<string> | undefined = undefined;
  /** Frames to be written: the first one, and the ones after it. */
  queued: Buffer | undefined = undefined;
  queuedMore: Buffer[] | undefined = undefined;
  /** Subscriptions that are sent what they are due, one after the other. */
  line: Set<Subscription> | undefined = undefined;
  /** While a portion waits for the socket: how many bytes were left when, at the last look. */
  unread: { bytes: number; sinceMs: number } | undefined = undefined;
  /** Since when more is waiting than a client should leave unread, by `performance.now()`. */
  behindSinceMs: number | undefined = undefined;
  /** Token bucket: messages that it may send, as of `refilledAtMs`. */
  tokens = 0;
  refilledAtMs = 0;
  faults = 0;
  faultsSinceMs = 0;
  #waiting = 0;
  #isBusy = false;
  #isHasty = false;
  #turn: Promise<void> | undefined = undefined;

  constructor(ws: WebSocket, socket: Duplex, address: string, nowMs: number) {
    this.ws = ws;
    this.socket = socket;
    this.address = address;
    this.openedAtMs = nowMs;
    this.receivedAtMs = nowMs;
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  isOn(channel: string): boolean {
    return this.subscriptions.has(channel);
  }

  /** Stores the caller and the token that were just authenticated. */
  signIn(caller: UserCaller, token: string, expiresAt: Date): void {
    this.caller = caller;
    this.token = token;
    this.expiresAtMs = expiresAt.getTime();
    this.isWarned = false;
  }

  close({ code, reason }: Close): void {
    this.ws.close(code, reason);
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
