import { type Recipes, step } from './steps.ts';

const NAMES = '/v1/analytics/events/names';

export const ANALYTICS_RECIPES: Recipes = {
  removeEventName: async (world) => {
    const actor = await world.one('administrator');
    const body = {
      eventName: `fuzz.${(await world.newMember('stranger')).id}`,
      eventType: 'fuzz',
      reason: 'Doubtful',
    };
    await step(actor, 'POST', NAMES, body);
    return { actor, body };
  },
};
