import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LiveMessage } from '../../kernel/live.ts';
import type { LiveConnection } from '../../kernel/live-commands.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Close } from './closing.ts';

/** A message at its place in its channel, as a frame. */
export interface Numbered {
  /** 0 for what has no place: it passes. */
  seq: number;
  frame: Buffer;
  /** It changes or takes back what was said before. */
  isRewrite: boolean;
}

/** One connection on one channel. */
export interface Subscription {
  connection: Connection;
  channel: Channel;
  /** Where it stands among the channel's. */
  place: number;
  /** How many reasons there are to tell it nothing yet: it is being decided, or judged again. */
  holds: number;
  /** Events that came meanwhile; there are none while nothing holds it. */
  held: Numbered[] | undefined;
  /** The newest numbered event that it was told when it joined: the bus may bring it once more. */
  toldUpTo: number;
  /** It was decided that it may have the channel, and it was told so. */
  isAdmitted: boolean;
  /** What else ends with it. */
  onLeave: (() => void) | undefined;
}

/** Where a channel's numbered events are found again. */
export type FindMissed = (
  after: number,
) => Promise<{ messages: LiveMessage[]; seq: number; gap: LiveMessage | undefined }>;

/** Something that connections of this process are told of. */
export interface Channel {
  name: string;
  subscriptions: Subscription[];
  stop: () => Promise<void>;
  findMissed: FindMissed | undefined;
  onRevoked: (subscription: Subscription, reason: string) => void;
  /** Looks again at who may have it. */
  onReview: (channel: Channel) => void;
  /** How far its subscribers are; unknown until somebody has looked. */
  seq: number | undefined;
  /** What came before that was known, or while what was missed is looked up. */
  early: Numbered[];
  isCatchingUp: boolean;
  recent: Numbered[];
  /** `recent` is all there was after this. */
  recentAfter: number;
  lingering: NodeJS.Timeout | undefined;
}

/** Messages of one connection that may wait while one is done; then it is not read any further. */
const MAX_WAITING = 32;

const nothing = (): void => undefined;

/** One WebSocket, from its opening to its end. Ten thousand of them are held: what is seldom used is made when it is. */
export class Connection implements LiveConnection {
  readonly ws: WebSocket;
  /** What frames are written to, past the library's own bookkeeping. */
  readonly socket: Duplex;
  readonly openedAtMs: number;
  heardAtMs: number;
  caller: UserCaller | undefined = undefined;
  token = '';
  expiresAtMs = Number.POSITIVE_INFINITY;
  /** Called when it has signed in, for the first time. */
  onSignedIn: () => void = nothing;
  /** It was told that its token will expire. */
  isWarned = false;
  /** The sweep has seen it closing. */
  isClosing = false;
  readonly subscriptions = new Map<string, Subscription>();
  symbols: Set<string> | undefined = undefined;
  /** Symbols whose newest price it was spared while it was slow. */
  stale: Set<string> | undefined = undefined;
  /** Frames that are about to be written: the first, and those behind it. */
  queued: Buffer | undefined = undefined;
  queuedMore: Buffer[] | undefined = undefined;
  /** What it may send yet, and as of when. */
  tokens = 0;
  refilledAtMs = 0;
  faults = 0;
  faultsSinceMs = 0;
  #waiting = 0;
  #isBusy = false;
  #isHasty = false;
  #turn: Promise<void> | undefined = undefined;

  constructor(ws: WebSocket, socket: Duplex, nowMs: number) {
    this.ws = ws;
    this.socket = socket;
    this.openedAtMs = nowMs;
    this.heardAtMs = nowMs;
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  isOn(channel: string): boolean {
    return this.subscriptions.has(channel);
  }

  /** Takes the caller and the token that it has just authenticated with. */
  signIn(caller: UserCaller, token: string, expiresAt: Date): void {
    this.caller = caller;
    this.token = token;
    this.expiresAtMs = expiresAt.getTime();
    this.isWarned = false;
  }

  close({ code, reason }: Close): void {
    this.ws.close(code, reason);
  }

  /** One message is done after the other, in their order. */
  inTurn(work: () => Promise<void>): void {
    this.#waiting++;
    if (this.#waiting === MAX_WAITING) this.#read({ isBusy: true });
    const turn = (this.#turn ?? Promise.resolve()).then(work).finally(() => {
      this.#waiting--;
      if (this.#waiting === MAX_WAITING / 2) this.#read({ isBusy: false });
      if (this.#turn === turn) this.#turn = undefined;
    });
    this.#turn = turn;
  }

  /** Reads nothing for a while from a client that sends more than it may: what it sends waits on its side. */
  slowDown(pauseMs: number): void {
    if (this.#isHasty) return;
    this.#read({ isHasty: true });
    setTimeout(() => this.#read({ isHasty: false }), pauseMs).unref();
  }

  /** Goes on reading, or does not, as long as there is any reason not to. */
  #read({ isBusy = this.#isBusy, isHasty = this.#isHasty }: { isBusy?: boolean; isHasty?: boolean }): void {
    this.#isBusy = isBusy;
    this.#isHasty = isHasty;
    if (isBusy || isHasty) this.ws.pause();
    else this.ws.resume();
  }

  /** Resolves when what it has asked for so far is done. */
  async settled(): Promise<void> {
    await this.#turn;
  }
}
