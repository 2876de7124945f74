/** Requests an address as a video player does. */
export const read = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(address, { headers });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
};

export const readText = async (address: string): Promise<string> =>
  (await read(address)).body.toString('utf8');

/** Returns the absolute addresses in a playlist. */
export const addressesIn = (playlist: string, address: string): string[] =>
  [...playlist.matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)].map(
    ([, quoted, line]) => new URL(String(quoted ?? line), address).href,
  );
