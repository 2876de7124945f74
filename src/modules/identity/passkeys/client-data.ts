/** The data that a browser has an authenticator sign. Members other than `challenge` and `origin` are unchecked. */
export interface ClientData {
  type: unknown;
  challenge: string;
  origin: string;
  crossOrigin?: unknown;
  topOrigin?: unknown;
  tokenBinding?: unknown;
}

/** Parses the data that was signed; returns undefined if it is malformed. */
export function readClientData(clientDataJSON: string): ClientData | undefined {
  try {
    const data: Partial<ClientData> | null = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof data?.challenge === 'string' && typeof data.origin === 'string'
      ? (data as ClientData)
      : undefined;
  } catch {
    return undefined;
  }
}
