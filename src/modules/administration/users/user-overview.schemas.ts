import { Type } from 'typebox';
import type { UserOverviewPart } from '../contract.ts';

/** Returns the shape of a user's overview, from the shapes of its parts. */
export const userOverviewShape = (parts: UserOverviewPart[]) =>
  Type.Object(Object.fromEntries(parts.map(({ name, shape }) => [name, shape])), { $id: 'UserOverview' });
