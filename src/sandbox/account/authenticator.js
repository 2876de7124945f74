import { $, account, element, on } from './page-parts.js';

/** Shows the state of the authenticator app, and the buttons that apply to it. */
export function showAuthenticator({ totp, recoveryCodesLeft }) {
  $('authenticator-state').textContent = totp
    ? `Your app is set up. You have ${recoveryCodesLeft} recovery codes left.`
    : 'You have none. Once you have one, signing in by password also asks for its code.';
  $('enrol').hidden = totp || !$('enrolment').hidden;
  for (const id of ['renew-codes', 'remove-authenticator']) $(id).hidden = !totp;
}

function showCodes(codes) {
  $('recovery').hidden = codes.length === 0;
  $('recovery-codes').replaceChildren(...codes.map((code) => element('li', code)));
}

function endEnrolment() {
  $('enrolment').hidden = true;
  $('enrolment').reset();
  $('secret').textContent = '';
  $('qr').removeAttribute('src');
}

/** Clears the secrets that the API returns only once: the app's secret and the recovery codes. */
export function forgetSecrets() {
  endEnrolment();
  showCodes([]);
}

on($('enrol'), async () => {
  const { secret, qrSvg } = await account.api.secondFactors.enrollAuthenticator();
  $('secret').textContent = secret;
  $('qr').src = `data:image/svg+xml,${encodeURIComponent(qrSvg)}`;
  $('enrolment').hidden = false;
  $('first-code').focus();
});

on($('cancel-enrolment'), endEnrolment);

on($('enrolment'), async () => {
  const body = { code: $('first-code').value };
  const { recoveryCodes } = await account.api.secondFactors.confirmAuthenticator(body);
  endEnrolment();
  showCodes(recoveryCodes);
  return 'The app is set up.';
});

on($('renew-codes'), async () => {
  const { recoveryCodes } = await account.api.secondFactors.renewRecoveryCodes();
  showCodes(recoveryCodes);
  return 'Your earlier recovery codes are void.';
});

on($('remove-authenticator'), async () => {
  await account.api.secondFactors.removeAuthenticator();
  showCodes([]);
  return 'The app was removed.';
});
