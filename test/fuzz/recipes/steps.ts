import type { Ingredients } from '../requests.ts';
import type { World } from '../world.ts';

/** How an operation is asked so that it is granted: secrets from mails, and sequences of other requests. */
export type Recipes = Record<string, (world: World) => Promise<Ingredients>>;
