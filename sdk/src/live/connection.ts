import type { PlatformError } from '../errors.ts';
import { host, type Socket, type SocketMaker } from '../host.ts';
import type { Session } from '../session.ts';
import type { SignedIn } from '../signed-in.ts';
import { freshSignIn } from './fresh-sign-in.ts';
import { endsFor, type LiveState, MAX_ATTEMPTS, NOT_AUTHENTICATED, pauseMsOf, SIGNED_OUT } from './states.ts';

const PING_MS = 30_000;
/** After the device has slept, a connection may look open but be dead. It must respond within this time. */
const ANSWER_MS = 5_000;
const OPEN = 1;

export interface Incoming {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the description of the live channel gives each type its shape
  data: any;
  seq?: number;
  requestId?: string;
}

interface Wishes {
  url: string;
  session: Pick<Session, 'read' | 'renew'>;
  /** Node 20 has no global WebSocket. */
  WebSocket: SocketMaker | undefined;
  /** Called when the connection is open and has sent `auth`; messages sent from then on are processed after it. */
  onOpen(): void;
  onMessage(message: Incoming): void;
  onState(state: LiveState): void;
  /** Whether somebody listens, so that a lost connection is worth another round of attempts. */
  isWanted(): boolean;
}

export interface Connection {
  /** Sends a message if the connection is open; otherwise `onOpen` is responsible for it. */
  send(message: object): void;
  /** Connects, unless it is connected or connecting, and resets the number of attempts. */
  wake(): void;
  /** Connects, or sends a ping to an existing connection. */
  check(): void;
  /** Connects again with another token, since the current one has expired. */
  renew(): void;
  /** Closes it; `wake` opens it again. */
  end(reason: string): void;
}

/** Reads a frame; undefined if it does not come from the platform. */
function messageOf(text: string): Incoming | undefined {
  try {
    const message = JSON.parse(text);
    // Some messages have no data.
    return typeof message?.type === 'string' ? { ...message, data: message.data ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

/** A connection that reconnects by itself, as docs/api.md asks of clients. */
export function connectionOf({
  url,
  session,
  WebSocket,
  onOpen,
  onMessage,
  onState,
  isWanted,
}: Wishes): Connection {
  let socket: Socket | undefined;
  let state: LiveState = { name: 'idle' };
  let attempts = 0;
  /** A token that the platform refuses, or is about to. */
  let refused: string | undefined;
  /** Whether another token may be accepted: after a refusal one is tried, and further ones if that has only expired. */
  let mayRenew = true;
  /** The sign-in to which the connection belongs; it serves no other until it has ended. */
  let member: SignedIn | undefined;
  let hasAnswered = true;
  let retrying: unknown;
  let pinging: unknown;
  /** Numbers connections, so that events of a former connection are not attributed to the current one. */
  let turn = 0;

  function become(next: LiveState): void {
    state = next;
    onState(next);
  }

  function send(message: object): void {
    if (socket?.readyState === OPEN) socket.send(JSON.stringify(message));
  }

  /** Releases the socket, even if the other side has disappeared and never closes it. */
  function drop(): void {
    turn++;
    host.clearTimeout(pinging);
    host.clearTimeout(retrying);
    const old = socket;
    socket = undefined;
    if (old) old.onmessage = old.onclose = old.onopen = null;
    try {
      old?.close();
    } catch {}
  }

  async function connect(): Promise<void> {
    drop();
    const mine = turn;
    become({ name: 'connecting' });
    let present: SignedIn | undefined;
    try {
      present = await freshSignIn(session, refused);
    } catch (error) {
      if (mine !== turn) return;
      // Unless the platform refuses to refresh the token, for example without a network, this counts as a failed connection.
      const { kind, status, message } = Object(error) as PlatformError;
      if (kind === 'refused' && (status === 401 || status === 403)) end(message);
      else lost();
      return;
    }
    if (mine === turn && isOurs(present)) open(present.accessToken);
  }

  /** Binds the connection to the signed-in member. Ends it if nobody is signed in, or another member is. */
  function isOurs(present: SignedIn | undefined): present is SignedIn {
    if (!present || (member && member.id !== present.id)) {
      end(SIGNED_OUT);
      return false;
    }
    member = present;
    return true;
  }

  function open(first: string): void {
    if (!WebSocket) {
      end('no WebSocket was given');
      return;
    }
    let mine: Socket;
    try {
      mine = new WebSocket(url);
    } catch (error) {
      // The environment forbids the address, so that another attempt would not help.
      end(String(error));
      return;
    }
    socket = mine;
    // A connection that never opens or does not respond is given up.
    ping();
    mine.onopen = () => {
      send({ type: 'auth', token: first });
      onOpen();
    };
    mine.onmessage = ({ data }: { data: string }) => receive(messageOf(data));
    mine.onclose = ({ code, reason }: { code: number; reason: string }) => closed(code, reason);
    // The close event that follows has the details.
    mine.onerror = () => undefined;
  }

  function receive(message: Incoming | undefined): void {
    hasAnswered = true;
    if (!message) return;
    if (message.type === 'auth:success') {
      attempts = 0;
      mayRenew = true;
      become({ name: 'live' });
    } else if (message.type === 'auth:expiring') {
      refused = member?.accessToken;
      void authenticate();
    } else if (message.type === 'auth:error') {
      mayRenew ||= message.data.code === 'TOKEN_EXPIRED';
      if (message.data.retryAfter)
        host.setTimeout(() => void authenticate(), message.data.retryAfter * 1_000);
    }
    onMessage(message);
  }

  async function authenticate(): Promise<void> {
    const mine = turn;
    // Without a newer token the platform closes the connection, and the next attempt renews it.
    const present = await freshSignIn(session, refused).catch(() => null);
    if (mine === turn && present !== null && isOurs(present))
      send({ type: 'auth', token: present.accessToken });
  }

  /** Sends a ping, and gives the connection up if nothing has been received by the next one. */
  function ping(ms: number = PING_MS): void {
    host.clearTimeout(pinging);
    hasAnswered = false;
    send({ type: 'ping' });
    pinging = host.setTimeout(() => (hasAnswered ? ping() : lost()), ms);
  }

  function closed(code: number, reason: string): void {
    drop();
    if (code === NOT_AUTHENTICATED && mayRenew) {
      mayRenew = false;
      refused = member?.accessToken;
      if (attempts) lost();
      else {
        attempts = 1;
        void connect();
      }
    } else if (endsFor(code)) end(reason || String(code));
    else lost();
  }

  function lost(): void {
    drop();
    const isOver = attempts >= MAX_ATTEMPTS;
    const ms = pauseMsOf(attempts++);
    // Outside of browsers nothing says when the network is back. Listeners, who may reconnect at once, are told last.
    if (!isOver || (!host.document && isWanted())) retrying = host.setTimeout(isOver ? wake : connect, ms);
    become(isOver ? { name: 'offline' } : { name: 'waiting', ms });
  }

  function wake(): void {
    listen(true);
    if (state.name === 'live' || state.name === 'connecting') return;
    attempts = 0;
    mayRenew = true;
    void connect();
  }

  function check(): void {
    if (state.name === 'live' || state.name === 'connecting') ping(ANSWER_MS);
    else wake();
  }

  const checkIfVisible = () => host.document?.visibilityState === 'visible' && check();
  let isListening = false;
  /**
   * The network and the page report when an attempt is worthwhile; not every environment has both. They are listened to
   * from the first use until the end.
   */
  function listen(isOn: boolean): void {
    if (isOn === isListening) return;
    isListening = isOn;
    const change = isOn ? 'addEventListener' : 'removeEventListener';
    host[change]?.('online', check);
    host.document?.[change]?.('visibilitychange', checkIfVisible);
    // A tab that was visible during a whole sleep gets no other event.
    host.document?.[change]?.('resume', check);
  }

  function end(reason: string): void {
    drop();
    listen(false);
    member = undefined;
    if (state.name !== 'ended') become({ name: 'ended', reason });
  }

  const renew = () => closed(NOT_AUTHENTICATED, '');

  return { send, wake, check, renew, end };
}
