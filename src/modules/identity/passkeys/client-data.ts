/** What a browser has an authenticator sign; the rest of its members is unchecked. */
export interface ClientData {
  type: unknown;
  challenge: string;
  origin: string;
  crossOrigin?: unknown;
  topOrigin?: unknown;
  tokenBinding?: unknown;
}

/** Returns what the browser has signed; undefined if it is malformed. */
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
