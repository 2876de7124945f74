// A page about the member's own account, built on the client SDK. Other applications import it from
// '@platform-api/sdk'.
import { createClient } from '/sdk.js';
import { forgetSecrets, showAuthenticator } from './authenticator.js';
import { forgetData } from './data.js';
import { $, account, on, textOf } from './page-parts.js';
import { showPasskeys } from './passkeys.js';
import { usedPasskey } from './passkeys-of-browser.js';
import { showSessions } from './sessions.js';
import { stepUp } from './step-up.js';

const given = new URLSearchParams(location.search);
const { api: apiUrl, key } = document.body.dataset;
$('api').value = given.get('api') ?? apiUrl;
$('key').value = given.get('key') ?? key;
/** The sign-in fields that name the session: a member has one session per device. */
const place = () => ({ platform: 'web', device: $('device').value });

function showEmail({ email, emailVerified }) {
  $('email-state').textContent = emailVerified ? `${email} is verified.` : `${email} is not verified yet.`;
  for (const id of ['verify', 'mails']) $(id).hidden = emailVerified;
  $('mailbox').href = `/mailbox?to=${encodeURIComponent(email)}`;
}

/** Loads the account and renders all its sections. */
async function show() {
  const { profile, secondFactors, auth } = account.api;
  const [own, factors, passkeys, sessions] = await Promise.all([
    profile.get(),
    secondFactors.getFactors(),
    secondFactors.listPasskeys(),
    auth.listSessions({ limit: 100 }),
  ]);
  $('name').textContent = own.name;
  $('address').textContent = own.email;
  showEmail(own);
  showAuthenticator(factors);
  showPasskeys(passkeys);
  showSessions(sessions.items);
}
account.show = show;

/** Shows the sign-in form, and clears what the page held of the member. */
function leave(reason) {
  forgetSecrets();
  forgetData();
  $('app').hidden = true;
  $('sign-in').hidden = false;
  $('refused').textContent = reason === 'signed-out' ? '' : 'Your session has ended.';
  askCode(false);
  $('email').focus();
}

function askCode(isAsked) {
  $('asks-code').hidden = !isAsked;
  $('code').required = isAsked;
  $('code').value = '';
}

/** Signs in and shows the account, or shows why the sign-in failed. */
async function enter(signIn) {
  $('refused').textContent = '';
  try {
    const api = createClient({
      baseUrl: $('api').value,
      apiKey: $('key').value,
      // The client repeats a request that needs a step-up, after `stepUp` has confirmed the session.
      onStepUp: stepUp,
      onSignedOut: (reason) => api === account.api && leave(reason),
    });
    await signIn(api);
    account.api = api;
    for (const note of document.querySelectorAll('section > [role]')) note.textContent = '';
    await show();
  } catch (error) {
    $('refused').textContent = textOf(error);
    if (error.code !== 'MFA_REQUIRED' && error.code !== 'INVALID_MFA_CODE') return;
    askCode(true);
    $('code').focus();
    return;
  }
  askCode(false);
  $('password').value = '';
  $('sign-in').hidden = true;
  $('app').hidden = false;
  $('name').focus();
}

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const [email, password, firstName, mfaCode] = ['email', 'password', 'first-name', 'code'].map(
    (id) => $(id).value,
  );
  const who = { email, password, ...place() };
  const isNew = event.submitter?.id === 'sign-up';
  await enter((api) =>
    isNew
      ? api.auth.signUp({ ...who, firstName: firstName || 'Guest', lastName: 'Member' })
      : api.auth.signIn({ ...who, ...(mfaCode && { mfaCode }) }),
  );
});

$('by-passkey').addEventListener('click', () =>
  enter(async (api) => {
    const response = await usedPasskey(await api.auth.getPasskeySignInOptions());
    await api.auth.signInByPasskey({ response, ...place() });
  }),
);

$('sign-out').addEventListener('click', () => account.api.signOut());

on($('verify'), async () => {
  await account.api.auth.verifyEmail({ code: $('email-code').value });
  $('verify').reset();
  return 'Your address is verified.';
});

on($('resend'), async () => {
  await account.api.auth.resendVerification();
  return 'A new mail is on its way.';
});

// The member may have followed the mail's link in another tab.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && !$('app').hidden) show().catch(() => undefined);
});
