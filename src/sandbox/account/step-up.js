import { $, account, on, textOf, timeOf } from './page-parts.js';
import { usedPasskey } from './passkeys-of-browser.js';

const dialog = $('confirming');
const form = dialog.querySelector('form');
const [password, code] = ['password', 'code'].map((name) => $(`confirm-by-${name}`));
const fault = dialog.querySelector('[role=alert]');

/** Shows or hides a field; a hidden field is disabled, so that the form does not require it. */
function offer(label, isOffered) {
  const input = label.querySelector('input');
  label.hidden = !isOffered;
  input.disabled = !isOffered;
  input.value = '';
}

/** Asks the member to confirm the session by code, password or passkey, and returns whether they did. */
export async function stepUp(api) {
  const { totp, passkeys } = await api.secondFactors.getFactors();
  offer(password, !totp && passkeys === 0);
  offer(code, totp);
  form.querySelector('[type=submit]').hidden = !totp && passkeys > 0;
  $('confirm-by-passkey').hidden = passkeys === 0;
  fault.textContent = '';
  dialog.showModal();
  const attempt = (prove) => async (event) => {
    event.preventDefault();
    fault.textContent = '';
    try {
      await api.secondFactors.stepUp(await prove());
      dialog.close('confirmed');
    } catch (error) {
      fault.textContent = textOf(error);
    }
  };
  form.onsubmit = attempt(async () =>
    totp
      ? { mfaCode: code.querySelector('input').value }
      : { password: password.querySelector('input').value },
  );
  $('confirm-by-passkey').onclick = attempt(async () => ({
    passkey: await usedPasskey(await api.auth.getPasskeySignInOptions()),
  }));
  dialog.returnValue = '';
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  return dialog.returnValue === 'confirmed';
}

$('give-up').addEventListener('click', () => dialog.close());

/** Shows until when the session stays confirmed. */
export function showStepUp({ elevatedUntil }) {
  $('step-up-state').textContent = elevatedUntil
    ? `This session is confirmed until ${timeOf(elevatedUntil)}.`
    : 'This session is not confirmed.';
}

on($('step-up'), async () => {
  await stepUp(account.api);
});
