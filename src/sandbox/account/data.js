import { $, account, on, timeOf } from './page-parts.js';

/** Interval at which the state of a pending export is polled. */
const POLL_MS = 1_000;

/**
 * Shows the state of the newest export. The link needs a step-up, so it is requested only when the member asks for
 * the export.
 */
function show({ status, createdAt, expiresAt, url }) {
  $('data-state').textContent = `Your export of ${timeOf(createdAt)} is ${status}.`;
  $('archive').hidden = !url;
  if (!url) return;
  $('archive').href = url;
  $('archive').textContent = `Download the ZIP, until ${timeOf(expiresAt)}`;
}

/** Clears the link of the member who has signed out. */
export function forgetData() {
  $('data-state').textContent = '';
  $('archive').hidden = true;
  $('archive').href = '#data-title';
}

/** Polls the export until it is finished, or until the member signs out. */
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
  return 'You also receive a mail about it.';
});

on($('download'), () => follow(account.api));
