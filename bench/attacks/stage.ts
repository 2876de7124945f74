import { type Fixture, startFixture } from '../fixture.ts';

/** Accounts that attack together. */
const CONSPIRATORS = 25;

export type Headers = Record<string, string>;
/** Makes one hostile move, and returns its status. */
export type Attack = (number: number) => Promise<number>;
/** Attacks by name; each is prepared when its turn comes. */
export type Attacks = Record<string, () => Promise<Attack>>;

interface Prepared {
  id: string;
  accessToken: string;
}

/** A platform with a bystander, attackers and an educator, and what attacks are made of. */
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

  /** Calls the API for the preparation of an attack, and returns its data. */
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

  // Signed in before any attack, since guessed passwords close sign-in to this address for a while.
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
