import { $, account, on, timeOf } from './page-parts.js';

/** How often a pending export is looked at. */
const POLL_MS = 1_000;

/** Shows how the newest export goes. Its link takes a confirmation, so that it is read only when it is asked for. */
function show({ status, createdAt, expiresAt, url }) {
  $('data-state').textContent = `Your export of ${timeOf(createdAt)} is ${status}.`;
  $('archive').hidden = !url;
  if (!url) return;
  $('archive').href = url;
  $('archive').textContent = `Download the ZIP, until ${timeOf(expiresAt)}`;
}

/** Forgets the link of who was signed in. */
export function forgetData() {
  $('data-state').textContent = '';
  $('archive').hidden = true;
  $('archive').href = '#data-title';
}

/** Waits until the export has been made, for as long as the member stays. */
async function follow(api) {
  for (;;) {
    const newest = await api.exports.get();
    if (api !== account.api) return;
    show(newest);
    if (newest.status !== 'pending') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

on($('export'), async () => {
  await account.api.exports.begin();
  await follow(account.api);
  return 'A mail tells you, too.';
});

on($('download'), () => follow(account.api));
