import type { Ingredients } from '../requests.ts';
import type { World } from '../world.ts';

/**
 * Instructions for valid requests that the description alone cannot give: secrets from mails, and sequences of
 * other requests.
 */
export type Recipes = Record<string, (world: World) => Promise<Ingredients>>;
