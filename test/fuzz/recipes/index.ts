import { ACCOUNT_RECIPES } from './accounts.ts';
import { ANALYTICS_RECIPES } from './analytics.ts';
import { INDICATOR_RECIPES } from './indicators.ts';
import { LEARNING_RECIPES } from './learning.ts';
import { MAILED_RECIPES } from './mailed.ts';
import { OPERATING_RECIPES } from './operating.ts';
import type { Recipes } from './steps.ts';
import { TALKING_RECIPES } from './talking.ts';

/** Recipes by operation. Other operations succeed with values from the description and from earlier responses. */
export const RECIPES: Recipes = {
  ...ACCOUNT_RECIPES,
  ...MAILED_RECIPES,
  ...LEARNING_RECIPES,
  ...TALKING_RECIPES,
  ...INDICATOR_RECIPES,
  ...ANALYTICS_RECIPES,
  ...OPERATING_RECIPES,
};
