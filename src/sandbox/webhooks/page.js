// A receiver that shows the webhooks that it has verified. Other applications import the SDK from
// '@platform-api/sdk'.
import { verifyWebhook } from '/sdk.js';

const $ = (id) => document.getElementById(id);
$('curl').textContent = `curl -X POST ${location.origin}/webhooks/register`;

const MAX_SHOWN = 500;
let last = 0;
const seen = new Set();

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Verifies with the time of arrival, since the page may have been opened later. */
async function verdictOf({ headers, body, receivedAt }, endpoint) {
  if (!endpoint) return { error: 'registered by another receiver' };
  try {
    return { event: await verifyWebhook(body, headers, endpoint.secret, Date.parse(receivedAt)) };
  } catch (error) {
    return { error: error.message };
  }
}

async function show(delivery, endpoint) {
  const { event, error } = await verdictOf(delivery, endpoint);
  const id = delivery.headers['webhook-id'];
  const marks = [
    ...(delivery.headers['webhook-replay'] ? ['replayed'] : []),
    ...(seen.has(id) ? ['seen before'] : []),
    ...(delivery.status === 204 ? [] : [delivery.status ? `answered ${delivery.status}` : 'not answered']),
  ];
  seen.add(id);
  const summary = document.createElement('summary');
  summary.append(
    element('b', '', event ? `#${event.sequence} ${event.type}` : 'Not a webhook of the platform'),
    element('span', event ? 'good' : 'bad', event ? 'verified' : error),
    ...marks.map((mark) => element('span', 'mark', mark)),
    element('time', '', new Date(delivery.receivedAt).toLocaleTimeString()),
  );
  const details = document.createElement('details');
  const text = event ? JSON.stringify(event, null, 2) : delivery.body;
  details.append(summary, element('pre', '', text));
  const item = document.createElement('li');
  item.append(details);
  $('deliveries').prepend(item);
  while ($('deliveries').children.length > MAX_SHOWN) $('deliveries').lastChild.remove();
}

async function look() {
  const response = await fetch(`/webhooks/inbox?after=${last}`);
  const { endpoint, deliveries } = await response.json();
  for (const delivery of deliveries) {
    await show(delivery, endpoint);
    last = delivery.number;
  }
  $('state').textContent = endpoint
    ? `Registered as ${endpoint.id}. ${last === 0 ? 'Nothing has been received yet.' : ''}`
    : 'Not registered yet.';
}

async function lookOn() {
  await look().then(
    () => {
      $('fault').textContent = '';
    },
    () => {
      $('fault').textContent = 'The sandbox does not answer.';
    },
  );
  setTimeout(lookOn, 500);
}

$('register').addEventListener('click', async () => {
  $('register').disabled = true;
  const response = await fetch('/webhooks/register', { method: 'POST' });
  const { error } = await response.json();
  $('register').disabled = false;
  $('refused').textContent = error ?? '';
});
lookOn();
