// The loads that versions of the platform are compared by.
import type { Fixture } from './fixture.ts';
import { request } from './load.ts';
import { requestsOf } from './scene.ts';

/** Prepares a load on a platform; the returned function makes the bytes of its next request. */
export type Load = (fixture: Fixture) => Promise<() => Buffer>;

/** A room in which every member has written, and fifty messages are. */
export async function newRoom({ url, members, unlimitedKey }: Fixture): Promise<string> {
  const post = async (path: string, token: string, body: object): Promise<string> => {
    const headers = { 'x-api-key': unlimitedKey, authorization: `Bearer ${token}` };
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { success: boolean; data: { id: string } };
    if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const [owner] = members as [Fixture['members'][number]];
  const id = await post('/v1/chatrooms', owner.token, { name: 'Bench', type: 'public' });
  for (const { token } of members) await post(`/v1/chatrooms/${id}/messages`, token, { message: 'Hello' });
  return id;
}

const ofMembers = (
  { members, apiKeys }: Fixture,
  make: (headers: Record<string, string>) => Buffer,
): (() => Buffer) => {
  const all = members.map(({ token }, place) =>
    make({ 'x-api-key': apiKeys[place % apiKeys.length] as string, authorization: `Bearer ${token}` }),
  );
  let next = 0;
  return () => all[next++ % all.length] as Buffer;
};

export const LOADS: Record<string, Load> = {
  balance: async (fixture) => requestsOf(fixture).balance,
  transfers: async (fixture) => requestsOf(fixture).uniformTransfer,
  hot: async (fixture) => requestsOf(fixture).transferToHot,
  mixed: async (fixture) => requestsOf(fixture).mixed,
  history: async (fixture) => requestsOf(fixture).history,
  'sign-ins': async (fixture) => requestsOf(fixture).signIn,
  /** A message each; at most a hundred a minute are allowed to a member. */
  chat: async (fixture) => {
    const room = await newRoom(fixture);
    return ofMembers(fixture, (headers) =>
      request('POST', `/v1/chatrooms/${room}/messages`, headers, { message: 'Gold breaks out' }),
    );
  },
  messages: async (fixture) => {
    const room = await newRoom(fixture);
    return ofMembers(fixture, (headers) => request('GET', `/v1/chatrooms/${room}/messages`, headers));
  },
  notifications: async (fixture) =>
    ofMembers(fixture, (headers) => request('GET', '/v1/notifications', headers)),
};
