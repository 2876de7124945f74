import { createClient } from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from './client.ts';

/** Signs a new member up through a client of the SDK, which then is theirs. */
export async function signedUp(apiKey: string, baseUrl: string) {
  const api = createClient({ apiKey, baseUrl });
  const names = { firstName: 'Ada', lastName: 'L' };
  const { user } = await api.auth.signUp({
    email: newEmail(),
    password: PASSWORD,
    platform: 'web',
    ...names,
  });
  return { api, user };
}
