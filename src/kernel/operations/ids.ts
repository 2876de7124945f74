import { invalidId } from '../failures.ts';
import { cursorQuery, ObjectIdShape, refusedAs } from './shapes.ts';

/** A path parameter that is an object identifier; anything else is 400 `Invalid <thing> ID`. */
export const pathId = (thing: string) => refusedAs(ObjectIdShape, invalidId(thing));

/** An object identifier in a body or a query: an invalid one is 400, a missing one 422 like any other missing field. */
export const bodyId = (thing: string) => refusedAs(ObjectIdShape, invalidId(thing), null);

/** Returns the query parameters of a list of members by descending id. */
export const membersQuery = () => cursorQuery({ before: bodyId('user'), cursorOf: ['userId'] });
