import { invalidId } from '../failures.ts';
import { ObjectIdShape, refusedAs } from './shapes.ts';

/** A path parameter that is an object identifier; anything else is 400 `Invalid <thing> ID`. */
export const pathId = (thing: string) => refusedAs(ObjectIdShape, invalidId(thing));
