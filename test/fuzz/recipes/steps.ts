import type { Loose } from '../../support/client.ts';
import type { Ingredients } from '../requests.ts';
import type { Actor, World } from '../world.ts';

/** How an operation is asked so that it is granted: secrets from mails, and sequences of other requests. */
export type Recipes = Record<string, (world: World) => Promise<Ingredients>>;

/** Makes a request that must be granted, and returns its data. */
export async function step({ client }: Actor, method: string, path: string, body?: object): Promise<Loose> {
  const answer = await client.send(method, path, body);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.data;
}
