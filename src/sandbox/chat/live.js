// A client of the live channel, as docs/api.md describes one: it comes back by itself, misses nothing, and says nothing
// twice. Copy it.

const FIRST_PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 30_000;
/** Attempts in a row without success. After these it waits until there is a reason to expect one. */
const MOST_ATTEMPTS = 5;
const PING_MS = 30_000;
/** Closes after which coming back as before makes no sense: the application asks again, with another token for 4401. */
const FINAL = [4401, 4409, 4410, 4429];

/**
 * @param {{ url: string, token: () => string, onEvent: (message: any) => void, onState: (state: string) => void }} options
 * `url` is the API's; `token` answers the access token of that moment.
 */
export function liveClient({ url, token, onEvent, onState }) {
  /** How far each room is that we are in. */
  const rooms = new Map();
  const symbols = new Set();
  /** What was said and is not acknowledged yet. */
  const unacknowledged = new Map();
  /** Subscriptions that were asked for and are not answered yet. */
  const asked = new Map();
  let socket;
  let attempts = 0;
  let retrying;
  /** Only the application may ask again. */
  let isFinal = false;
  let isOver = false;

  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const subscribe = (channel, more) => {
    const requestId = crypto.randomUUID();
    asked.set(requestId, () => subscribe(channel, more));
    send({ type: 'subscribe', channel, ...more(), requestId });
  };
  const enter = (chatroomId) =>
    subscribe('chatroom', () => {
      const after = rooms.get(chatroomId);
      return { chatroomId, ...(after === undefined ? {} : { after }) };
    });
  const watchAll = () => subscribe('market', () => ({ symbols: [...symbols] }));

  const answers = {
    'auth:success': () => {
      attempts = 0;
      onState('connected');
      asked.clear();
      for (const chatroomId of rooms.keys()) enter(chatroomId);
      if (symbols.size > 0) watchAll();
      for (const message of unacknowledged.values()) send(message);
    },
    'auth:error': ({ data }) =>
      data.retryAfter && setTimeout(() => send({ type: 'auth', token: token() }), data.retryAfter * 1_000),
    'auth:expiring': () => send({ type: 'auth', token: token() }),
    'subscribe:success': ({ data, requestId }) => {
      asked.delete(requestId);
      if (data.channel === 'chatroom' && rooms.get(data.chatroomId) === undefined)
        rooms.set(data.chatroomId, data.seq);
    },
    'chat:ack': ({ data }) => unacknowledged.delete(data.clientMessageId),
    unsubscribed: ({ data }) => rooms.delete(data.chatroomId),
  };

  function receive(message) {
    const { type, data, seq, requestId } = message;
    if (seq !== undefined) {
      if (seq <= (rooms.get(data.chatroomId) ?? 0)) return;
      rooms.set(data.chatroomId, seq);
    }
    if (type === 'error' && unacknowledged.has(requestId))
      refused(unacknowledged, requestId, data, (one) => send(one));
    if (type === 'subscribe:error' && asked.has(requestId))
      refused(asked, requestId, data, (again) => asked.delete(requestId) && again());
    answers[type]?.(message);
    onEvent(message);
  }

  /** Done again after a while where that makes sense; else it would be refused again. */
  function refused(waiting, id, { retryAfter }, again) {
    const one = waiting.get(id);
    if (retryAfter === undefined) waiting.delete(id);
    else setTimeout(() => waiting.get(id) === one && again(one), retryAfter * 1_000);
  }

  function connect() {
    clearTimeout(retrying);
    onState('connecting');
    socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/live`);
    socket.onopen = () => send({ type: 'auth', token: token() });
    socket.onmessage = ({ data }) => receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      isFinal = FINAL.includes(code);
      if (isOver || isFinal) {
        onState(`closed: ${reason || code}`);
        return;
      }
      if (attempts === MOST_ATTEMPTS) {
        onState('disconnected');
        return;
      }
      const pauseMs = Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts++);
      onState('reconnecting');
      retrying = setTimeout(connect, pauseMs * (0.5 + Math.random() / 2));
    };
  }

  /** Tries at once, and has all attempts again, unless it is connected or connecting. */
  function reconnect() {
    if (isOver || socket.readyState !== WebSocket.CLOSED) return;
    attempts = 0;
    connect();
  }
  const wake = () => !isFinal && reconnect();
  const wakeIfVisible = () => document.visibilityState === 'visible' && wake();
  // Neither exists outside of browsers.
  globalThis.addEventListener?.('online', wake);
  globalThis.document?.addEventListener('visibilitychange', wakeIfVisible);

  const pinging = setInterval(() => send({ type: 'ping' }), PING_MS);
  connect();
  return {
    enter(chatroomId) {
      if (!rooms.has(chatroomId)) rooms.set(chatroomId, undefined);
      enter(chatroomId);
      wake();
    },
    leave(chatroomId) {
      rooms.delete(chatroomId);
      send({ type: 'unsubscribe', channel: 'chatroom', chatroomId });
    },
    say(chatroomId, text) {
      const id = crypto.randomUUID();
      const message = { type: 'chat:send', chatroomId, message: text, clientMessageId: id, requestId: id };
      unacknowledged.set(id, message);
      send(message);
      wake();
    },
    typing: (chatroomId) => send({ type: 'chat:typing', chatroomId }),
    watch(names) {
      for (const name of names) symbols.add(name);
      watchAll();
    },
    reconnect,
    /** As a broken network would. */
    drop: () => socket.close(),
    close() {
      isOver = true;
      clearInterval(pinging);
      clearTimeout(retrying);
      globalThis.removeEventListener?.('online', wake);
      globalThis.document?.removeEventListener('visibilitychange', wakeIfVisible);
      socket.close();
    },
  };
}
