/** Loads the WebAuthn library. That takes a tenth of a second, which processes without passkeys avoid. */
export async function loadWebAuthnLibrary() {
  const [protocol, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...protocol, ...helpers };
}

export type WebAuthnLibrary = Awaited<ReturnType<typeof loadWebAuthnLibrary>>;
