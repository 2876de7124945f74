import { Type } from 'typebox';

/** The button of the page sends no fields. */
export const LinkBody = Type.Object({});
