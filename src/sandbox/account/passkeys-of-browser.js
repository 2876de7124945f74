// What the browser does with passkeys. Options and answers of the API are the JSON of WebAuthn as it is.

/** Browsers say the same of who cancels, waits too long or has no passkey here. */
async function given(asked) {
  try {
    return (await asked).toJSON();
  } catch (cause) {
    if (cause.name === 'InvalidStateError')
      throw new Error('This device has a passkey of yours already.', { cause });
    if (cause.name === 'NotAllowedError') throw new Error('The browser was given no passkey.', { cause });
    throw cause;
  }
}

/** Makes a passkey by creation options of the API. */
export const newPasskey = (options) =>
  given(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );

/** Uses a passkey by request options of the API. */
export const usedPasskey = (options) =>
  given(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
