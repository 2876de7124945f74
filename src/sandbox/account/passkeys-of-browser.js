// The browser's part of WebAuthn. The API's options and its responses use the JSON format of WebAuthn unchanged.

/**
 * Browsers report the same error when the user cancels, when the time is over, and when there is no passkey for
 * this site.
 */
async function given(asked) {
  try {
    return (await asked).toJSON();
  } catch (cause) {
    if (cause.name === 'InvalidStateError')
      throw new Error('This device has one of your passkeys already.', { cause });
    if (cause.name === 'NotAllowedError')
      throw new Error('No passkey was used: you cancelled, or this device has none.', { cause });
    throw cause;
  }
}

/** Creates a passkey from the API's creation options. */
export const newPasskey = (options) =>
  given(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );

/** Signs in with a passkey by the API's request options. */
export const usedPasskey = (options) =>
  given(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
