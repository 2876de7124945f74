import { liveClient } from './live.js';

const $ = (id) => document.getElementById(id);
const given = new URLSearchParams(location.search);
const { api, key } = document.body.dataset;
$('api').value = given.get('api') ?? api;
$('key').value = given.get('key') ?? key;

let session;
let live;
let room;
const people = new Map();
const typing = new Map();

async function call(method, path, body) {
  const response = await fetch($('api').value + path, {
    method,
    headers: {
      'x-api-key': $('key').value,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(session ? { authorization: `Bearer ${session.accessToken}` } : {}),
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!answer.success) throw new Error(answer.errors?.[0]?.message ?? answer.message);
  return answer.data;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function show({ messageId, userId, message, timestamp }) {
  if (document.querySelector(`[data-message="${messageId}"]`)) return;
  const line = element('li', userId === session.user.id ? 'mine' : '', '');
  line.dataset.message = messageId;
  line.append(
    element('b', '', people.get(userId) ?? 'Somebody'),
    element('time', '', new Date(timestamp).toLocaleTimeString()),
    element('p', '', message),
  );
  $('messages').append(line);
  line.scrollIntoView();
}

async function showAll() {
  const said = await call('GET', `/v1/chatrooms/${room}/messages?limit=50`);
  for (const { userId, user } of said) people.set(userId, user.firstName);
  $('messages').replaceChildren();
  for (const { id, userId, message, createdAt } of said.reverse())
    show({ messageId: id, userId, message, timestamp: createdAt });
}

async function nameOf(userId) {
  if (people.has(userId)) return;
  people.set(userId, 'Somebody');
  const [found] = await call('GET', `/v1/chatrooms/${room}/messages?limit=1`);
  if (found?.userId === userId) people.set(userId, found.user.firstName);
}

function showTyping() {
  const now = Date.now();
  const names = [...typing].filter(([, at]) => now - at < 4_000).map(([id]) => people.get(id) ?? 'Somebody');
  $('typing').textContent = names.length > 0 ? `${names.join(', ')} …` : '';
}
setInterval(showTyping, 500);

let online = 0;
const events = {
  'subscribe:success': ({ data }) => {
    if (data.channel !== 'chatroom') return;
    online = data.activeNow;
    $('online').textContent = `${online} online`;
    // More was missed than is replayed.
    if (data.more) showAll();
  },
  'chat:message': async ({ data }) => {
    typing.delete(data.userId);
    await nameOf(data.userId);
    show(data);
    showTyping();
  },
  'chat:updated': ({ data }) => {
    const text = document.querySelector(`[data-message="${data.messageId}"] p`);
    if (text) text.textContent = data.message;
  },
  'chat:deleted': ({ data }) => document.querySelector(`[data-message="${data.messageId}"]`)?.remove(),
  'chat:typing': ({ data }) => {
    if (data.userId !== session.user.id) typing.set(data.userId, Date.now());
    showTyping();
  },
  'user:online': async () => {
    const { activeNow } = await call('GET', `/v1/chatrooms/${room}`);
    $('online').textContent = `${activeNow} online`;
  },
  'market:price': ({ data: { symbol, price, changePercent } }) => {
    const shown = $(`price-${symbol}`) ?? element('span', '', '');
    shown.id = `price-${symbol}`;
    shown.className = changePercent < 0 ? 'down' : 'up';
    shown.textContent = `${symbol} ${price} (${changePercent} %)`;
    $('prices').append(shown);
  },
  error: ({ data }) => {
    $('fault').textContent = data.message;
  },
};

async function begin(data) {
  session = data;
  people.set(session.user.id, session.user.firstName);
  const rooms = await call('GET', '/v1/chatrooms?type=public&limit=1');
  const wanted = given.get('room');
  room =
    wanted ?? rooms[0]?.id ?? (await call('POST', '/v1/chatrooms', { name: 'Lobby', type: 'public' })).id;
  $('name').textContent = (await call('GET', `/v1/chatrooms/${room}`)).name;
  await showAll();
  live = liveClient({
    url: $('api').value,
    token: () => session.accessToken,
    onEvent: (message) => events[message.type]?.(message),
    onState: (state) => {
      $('state').textContent = state;
      $('again').hidden = state !== 'disconnected';
    },
  });
  live.enter(room);
  live.watch(['EURUSD', 'GOLD', 'BTCUSD']);
  // A little before it runs out; the connection is told of the new one when it asks.
  setInterval(async () => {
    Object.assign(
      session,
      await call('POST', '/v1/auth/refresh-token', { refreshToken: session.refreshToken }),
    );
  }, 12 * 60_000);
  $('sign-in').hidden = true;
  $('chat').hidden = false;
}

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('refused').textContent = '';
  const [email, password, firstName] = ['email', 'password', 'first-name'].map((id) => $(id).value);
  const isNew = event.submitter?.id === 'sign-up';
  try {
    const who = { email, password, platform: 'web', device: crypto.randomUUID().slice(0, 8) };
    await begin(
      isNew
        ? await call('POST', '/v1/auth/signup', {
            ...who,
            firstName: firstName || 'Guest',
            lastName: 'Member',
          })
        : await call('POST', '/v1/auth/signin', who),
    );
  } catch (error) {
    $('refused').textContent = error.message;
  }
});
$('say').addEventListener('submit', (event) => {
  event.preventDefault();
  $('fault').textContent = '';
  if ($('text').value.trim()) live.say(room, $('text').value);
  $('text').value = '';
});
$('text').addEventListener('input', () => live.typing(room));
$('again').addEventListener('click', () => live.reconnect());
$('drop').addEventListener('click', () => live.drop());
