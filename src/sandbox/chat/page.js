// A chat built on the client SDK. Other applications import it from '@platform-api/sdk'.
import { createClient } from '/sdk.js';

const $ = (id) => document.getElementById(id);
const given = new URLSearchParams(location.search);
const { api: apiUrl, key } = document.body.dataset;
$('api').value = given.get('api') ?? apiUrl;
$('key').value = given.get('key') ?? key;

let api;
let me;
let room;
/** The open WebSocket, kept so that a button can drop it as a network failure would. */
let socket;
/** Names of members by user id. */
const people = new Map();
const typing = new Map();

class KeptSocket extends WebSocket {
  constructor(url) {
    super(url);
    socket = this;
  }
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Remembers the name of a member, because some events carry only the id. */
const meet = ({ id, name }) => people.set(id, name || 'A former member');
const nameOf = (userId) => people.get(userId) ?? 'Somebody';

function show({ id, userId, user, message, createdAt }) {
  meet(user);
  const line = element('li', userId === me.id ? 'mine' : '', '');
  line.dataset.message = id;
  line.append(
    element('b', '', nameOf(userId)),
    element('time', '', new Date(createdAt).toLocaleTimeString()),
    element('p', '', message),
  );
  $('messages').append(line);
  line.scrollIntoView();
}

const lineOf = (id) => document.querySelector(`[data-message="${id}"]`);

function showTyping() {
  const now = Date.now();
  const recent = [...typing].filter(([, at]) => now - at < 4_000);
  const names = recent.map(([id]) => nameOf(id));
  $('typing').textContent = names.length > 0 ? `${names.join(', ')} …` : '';
}
setInterval(showTyping, 500);

const showOnline = ({ activeNow }) => {
  $('online').textContent = `${activeNow} online`;
};

function showPrice({ symbol, price, changePercent }) {
  const shown = $(`price-${symbol}`) ?? element('span', '', '');
  shown.id = `price-${symbol}`;
  shown.className = changePercent < 0 ? 'down' : 'up';
  shown.textContent = `${symbol} ${price} (${changePercent} %)`;
  $('prices').append(shown);
}

const STATES = {
  connecting: () => 'connecting',
  live: () => 'connected',
  waiting: () => 'reconnecting',
  offline: () => 'disconnected',
  ended: ({ reason }) => `closed: ${reason}`,
};

async function enter() {
  const [first] = (await api.chatrooms.list({ type: 'public', limit: 1 })).items;
  const id =
    given.get('room') ?? (first ?? (await api.chatrooms.create({ name: 'Lobby', type: 'public' }))).id;
  $('name').textContent = (await api.chatrooms.get(id)).name;
  const { items } = await api.chatrooms.listMessages(id, { limit: 50 });
  for (const message of items.reverse()) show(message);

  const live = api.live();
  live.onState((state) => {
    $('state').textContent = STATES[state.name]?.(state) ?? '';
    $('again').hidden = !['offline', 'ended'].includes(state.name);
  });
  live.on('market:price', showPrice);
  live.on('user:online', async ({ user }) => {
    meet(user);
    showOnline(await api.chatrooms.get(id));
  });
  live.watch(['EURUSD', 'GOLD', 'BTCUSD']);

  // The room first delivers the messages that were sent after the list was read.
  room = live.room(id, { after: items.at(-1)?.seq ?? 0 });
  room.on('entered', showOnline);
  room.on('message', (message) => {
    typing.delete(message.userId);
    show(message);
    showTyping();
  });
  room.on('updated', ({ id, message }) => lineOf(id)?.querySelector('p').replaceChildren(message));
  room.on('deleted', ({ id }) => lineOf(id)?.remove());
  room.on('typing', ({ userId }) => {
    if (userId !== me.id) typing.set(userId, Date.now());
    showTyping();
  });
  room.on('left', ({ reason }) => {
    $('fault').textContent = `You may not read this room: ${reason}`;
  });
}

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('refused').textContent = '';
  const [email, password, firstName] = ['email', 'password', 'first-name'].map((id) => $(id).value);
  const who = { email, password, platform: 'web' };
  const names = { firstName: firstName || 'Guest', lastName: 'Member' };
  // The page keeps the tokens itself, so that each window can be a different member.
  api = createClient({ baseUrl: $('api').value, apiKey: $('key').value, WebSocket: KeptSocket });
  try {
    const isNew = event.submitter?.id === 'sign-up';
    const { user } = isNew ? await api.auth.signUp({ ...who, ...names }) : await api.auth.signIn(who);
    me = user;
    await enter();
    $('sign-in').hidden = true;
    $('chat').hidden = false;
  } catch (error) {
    $('refused').textContent = error.fields?.[0]?.message ?? error.message;
  }
});
$('say').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('fault').textContent = '';
  const text = $('text').value;
  $('text').value = '';
  try {
    if (text.trim()) await room.send(text);
  } catch (error) {
    $('fault').textContent = error.message;
  }
});
$('text').addEventListener('input', () => room.typing());
$('again').addEventListener('click', () => api.live().reconnect());
$('drop').addEventListener('click', () => socket.close());
