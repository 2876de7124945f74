import { $, account, element, on, timeOf } from './page-parts.js';
import { newPasskey } from './passkeys-of-browser.js';

/** Returns the list item of a passkey, with its buttons. */
function item({ id, name, createdAt, lastUsedAt, backedUp }) {
  const facts = [
    `added ${timeOf(createdAt)}`,
    lastUsedAt ? `used ${timeOf(lastUsedAt)}` : 'not used yet',
    ...(backedUp ? ['kept on several devices'] : []),
  ];
  const line = element('p', '');
  line.append(element('b', name), ...facts.map((fact) => element('small', fact)));
  const form = element('form', '', { class: 'row' });
  const label = element('label', 'Name ');
  const input = element('input', '', { required: '', maxlength: '100', value: name });
  label.append(input);
  const remove = element('button', 'Remove', {
    type: 'button',
    class: 'plain',
    'aria-label': `Remove ${name}`,
  });
  const rename = element('button', 'Rename', {
    type: 'submit',
    class: 'plain',
    'aria-label': `Rename ${name}`,
  });
  form.append(label, rename, remove);
  const made = element('li', '');
  made.append(line, form);
  $('passkeys').append(made);
  on(form, async () => {
    await account.api.secondFactors.renamePasskey(id, { name: input.value });
    return `Renamed to ${input.value}.`;
  });
  on(remove, async () => {
    await account.api.secondFactors.removePasskey(id);
    return `${name} was removed.`;
  });
}

/** Renders the list of the member's passkeys. */
export function showPasskeys(passkeys) {
  $('passkeys-state').textContent =
    passkeys.length === 0 ? 'You have none. A passkey signs in without password and code.' : '';
  $('passkeys').replaceChildren();
  for (const passkey of passkeys) item(passkey);
}

on($('add-passkey'), async () => {
  const { secondFactors } = account.api;
  const name = $('passkey-name').value;
  const response = await newPasskey(await secondFactors.getPasskeyOptions());
  await secondFactors.addPasskey({ name, response });
  $('passkey-name').value = '';
  return `${name} was added.`;
});
