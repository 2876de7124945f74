import { SANDBOX_PAYMENT_KEY } from '../../src/sandbox/index.ts';
import type { TestPlatform } from './platform.ts';

/** Returns a checkout session as the provider of the sandbox has it, which is also how webhooks show it. */
export async function providerSession(
  { sandboxUrl }: Pick<TestPlatform, 'sandboxUrl'>,
  id: string,
): Promise<{ id: string; payment_intent: string | null }> {
  const answer = await fetch(`${sandboxUrl}/v1/checkout/sessions/${id}`, {
    headers: { authorization: `Bearer ${SANDBOX_PAYMENT_KEY}` },
  });
  return (await answer.json()) as { id: string; payment_intent: string | null };
}
