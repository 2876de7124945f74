import { Type } from 'typebox';
import type { UserOverviewPart } from '../contract.ts';

/** Returns the shape of what the parts show of a user. */
export const userOverviewShape = (parts: UserOverviewPart[]) =>
  Type.Object(Object.fromEntries(parts.map(({ name, shape }) => [name, shape])), { $id: 'UserOverview' });
