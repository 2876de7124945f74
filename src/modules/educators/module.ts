import type { Module } from '../contract.ts';
import { educatorOperations } from './educators.operations.ts';
import { type EducatorDeps, educatorRules } from './educators.ts';

/** Educators: so far their chatrooms, and being notified of them. */
export const educatorModule = (deps: EducatorDeps): Module<undefined> => ({
  name: 'educators',
  service: undefined,
  operations: educatorOperations(educatorRules(deps)),
});
