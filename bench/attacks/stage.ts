import { type Fixture, startFixture } from '../fixture.ts';

/** Number of accounts that attack together. */
const CONSPIRATORS = 25;

export type Headers = Record<string, string>;
/** Makes one hostile request, and returns its status. */
export type Attack = (number: number) => Promise<number>;
/** Attacks by name; each is prepared just before it runs. */
export type Attacks = Record<string, () => Promise<Attack>>;

interface Prepared {
  id: string;
  accessToken: string;
}

/** Starts a platform with a bystander, attackers and an educator; returns them and helpers for attacks. */
export async function startStage() {
  const fixture = await startFixture(3 + CONSPIRATORS);
  const { url, unlimitedKey } = fixture;

  const withToken = (token: string): Headers => ({
    'x-api-key': unlimitedKey,
    authorization: `Bearer ${token}`,
  });

  /** Sends a request, reads all of its response, and returns its status. */
  async function send(path: string, headers: Headers, init: RequestInit = {}): Promise<number> {
    const response = await fetch(url + path, {
      ...init,
      headers: { ...headers, ...(init.headers as Headers) },
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Calls the API to prepare an attack, and returns the data of the response. */
  async function prepare(path: string, headers: Headers, body: object, method = 'POST'): Promise<Prepared> {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { success: boolean; data: Prepared };
    if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  }

  const [bystander, attacker, educator, ...conspirators] = fixture.members.map((member) => ({
    ...member,
    headers: withToken(member.token),
  })) as [Actor, Actor, Actor, ...Actor[]];

  // Signs in before any attack, because guessed passwords block sign-in from this address for a while.
  const administrator = withToken(
    (await prepare('/v1/auth/signin', withToken(''), { ...fixture.admin, platform: 'web' })).accessToken,
  );

  return {
    fixture,
    url,
    bystander,
    attacker,
    educator,
    conspirators,
    send,
    prepare,
    post: (path: string, headers: Headers, body: string, method = 'POST'): Promise<number> =>
      send(path, headers, { method, body, headers: { 'content-type': 'application/json' } }),
    administrator,
  };
}

type Actor = Fixture['members'][number] & { headers: Headers };
export type Stage = Awaited<ReturnType<typeof startStage>>;
