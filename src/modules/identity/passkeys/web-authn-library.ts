/** Loads the library of WebAuthn. That takes a tenth of a second, which a process without passkeys is spared. */
export async function loadWebAuthnLibrary() {
  const [protocol, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...protocol, ...helpers };
}

export type WebAuthnLibrary = Awaited<ReturnType<typeof loadWebAuthnLibrary>>;
