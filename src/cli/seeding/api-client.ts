import type { SeedCall } from '../../modules/seed.ts';

interface SignedIn {
  accessToken: string;
  user: { id: string };
}

/** Returns the client with which seeds call the API. */
export function apiClient(url: string, apiKey: string) {
  const call: SeedCall = async (method, path, body, token) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = (await response.json()) as { success: boolean; data: unknown };
    if (!answer.success)
      throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const at = { platform: 'web', device: 'seed' };
  return {
    call,
    signIn: async (email: string, password: string): Promise<SignedIn> =>
      (await call('POST', '/v1/auth/signin', { email, password, ...at })) as SignedIn,
    signUp: async (draft: object): Promise<SignedIn> =>
      (await call('POST', '/v1/auth/signup', { ...draft, ...at })) as SignedIn,
  };
}
