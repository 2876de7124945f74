import { setTimeout as sleep } from 'node:timers/promises';
import { outboundClient } from '../../kernel/net/outbound.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import type { Prefill } from '../page.ts';

/** An administrator, who may register endpoints. */
export interface Administrator {
  email: string;
  password: string;
}

/** Longer than the platform's pause between two secrets, which a restart of the sandbox may fall into. */
const MOST_TRIES = 15;

/** Replaces a secret, once the platform allows it after an earlier replacement. */
async function afterPause(rotate: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      return await rotate();
    } catch (error) {
      if ((error as { code?: string }).code !== 'WEBHOOK_SECRET_JUST_REPLACED' || tries === MOST_TRIES)
        throw error;
      await sleep(SECOND_MS);
    }
  }
}

type Json = Record<string, unknown>;

/**
 * Registers an endpoint at the platform. If one with this address exists, gives it a new secret and enables it.
 * @throws with the platform's message, or when it cannot be reached
 */
export async function registerAt(
  { url: baseUrl, key }: Prefill,
  { email, password }: Administrator,
  url: string,
): Promise<{ id: string; secret: string }> {
  const call = outboundClient({ baseUrl, headers: { 'x-api-key': key }, retries: 0 });
  let token = '';
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<unknown> => {
    const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
    const answer = await call({ method, path, headers, ...(body && { body }) });
    const { data, message, error } = answer.body as { data: unknown; message: string; error?: string };
    if (answer.status >= 400) throw Object.assign(new Error(message), { code: error });
    return data;
  };
  // Signs in with a device of its own, so that the administrator's other session stays.
  const signIn = { email, password, platform: 'web', device: 'sandbox' };
  const session = (await ask('POST', '/v1/auth/signin', signIn)) as Json;
  token = String(session.accessToken);
  const all = (await ask('GET', '/v1/webhook-endpoints?limit=100')) as Json[];
  const existing = all.find((one) => one.url === url);
  if (!existing) {
    const description = 'The sandbox';
    return (await ask('POST', '/v1/webhook-endpoints', { url, description })) as {
      id: string;
      secret: string;
    };
  }
  const id = String(existing.id);
  const { secret } = (await afterPause(() =>
    ask('POST', `/v1/webhook-endpoints/${id}/rotate-secret`),
  )) as Json;
  if (existing.enabled !== true) await ask('PATCH', `/v1/webhook-endpoints/${id}`, { enabled: true });
  return { id, secret: String(secret) };
}
