import { listEventName } from '../../../sdk/src/index.ts';
import type { Recipes } from './steps.ts';

export const ANALYTICS_RECIPES: Recipes = {
  removeEventName: async (world) => {
    const actor = await world.one('administrator');
    const body = {
      eventName: `fuzz.${(await world.newMember('stranger')).id}`,
      eventType: 'fuzz',
      reason: 'Doubtful',
    };
    await actor.client.call(listEventName, { body });
    return { actor, body };
  },
};
