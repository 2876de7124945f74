import { $, account, element, on, timeOf } from './page-parts.js';
import { showStepUp } from './step-up.js';

const METHODS = { password: 'by password', passkey: 'by passkey', sso: 'by single sign-on' };

function item({ id, platform, device, userAgent, address, method, lastSeenAt, elevatedUntil, isCurrent }) {
  const facts = [
    METHODS[method],
    address,
    `seen ${timeOf(lastSeenAt)}`,
    ...(elevatedUntil ? [`confirmed until ${timeOf(elevatedUntil)}`] : []),
  ];
  const where = `${device} on ${platform}`;
  const line = element('p', '');
  line.append(element('b', where), element('span', isCurrent ? 'this session' : ''));
  const more = element('p', '');
  more.append(...[...facts, userAgent].map((fact) => element('small', fact)));
  const end = element('button', 'End', { type: 'button', class: 'plain', 'aria-label': `End ${where}` });
  const made = element('li', '');
  made.append(line, more, end);
  $('sessions').append(made);
  on(end, async () => {
    await account.api.auth.endSession(id);
    return 'The session has ended.';
  });
}

/** Renders the list of the member's sessions. */
export function showSessions(sessions) {
  $('sessions').replaceChildren();
  for (const session of sessions) item(session);
  showStepUp(sessions.find(({ isCurrent }) => isCurrent) ?? {});
}

on($('change-password'), async () => {
  const body = { currentPassword: $('present-password').value, newPassword: $('new-password').value };
  await account.api.passwords.change(body);
  $('change-password').reset();
  return 'The password was changed, and your other sessions have ended.';
});
