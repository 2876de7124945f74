import { parseArgs } from 'node:util';
import { PLANTED } from './planted.ts';

export const USAGE = `Usage: npm run simulate -- [--seeds <count>] [--from <seed>]   plays that many seeds, 20 by default
       npm run simulate -- --seed <seed>                       plays one again, and shortens it if it fails
       npm run simulate -- --planted [<part of a name>] [--from <seed>] [--seeds <count>]
                                                               plants known faults, and tells at which seed each is found`;
const DEFAULT_SEEDS = 20;
/** Seeds within which each planted fault must be found. */
const MAX_SEEDS = 200;

/** What to play: `count` seeds from `from` on. */
interface Options {
  from: number;
  count: number;
  /** The names of the faults to plant, one after another. */
  planted: string[] | undefined;
}

/** Returns the options of a command line, or a sentence that says what is wrong with it. */
export function readOptions(args: string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        seeds: { type: 'string' },
        from: { type: 'string' },
        seed: { type: 'string' },
        planted: { type: 'boolean', default: false },
      },
    });
    const seeds = values.seeds ?? String(values.planted ? MAX_SEEDS : DEFAULT_SEEDS);
    const [from, count] = values.seed === undefined ? [values.from ?? '1', seeds] : [values.seed, '1'];
    if (![from, count].every((text) => /^[1-9]\d{0,8}$/.test(text))) return 'Seeds are numbered from 1 on.';
    if (!values.planted)
      return positionals[0] === undefined
        ? { from: Number(from), count: Number(count), planted: undefined }
        : `${positionals[0]} is not an option.`;
    const planted = PLANTED.map(({ name }) => name).filter((name) => name.includes(positionals[0] ?? ''));
    if (planted.length === 0) return `No planted fault has ${positionals[0]} in its name.`;
    return { from: Number(from), count: Number(count), planted };
  } catch (error) {
    return (error as Error).message;
  }
}
