import { resolve } from 'node:path';

/** Where the generators are installed, if they are; it goes with `node_modules`. */
export const GENERATORS: string = resolve(import.meta.dirname, '../../node_modules/.cache/generators');
