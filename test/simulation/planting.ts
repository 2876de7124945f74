import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLANTED, type PlantedFault } from './planted.ts';

/** @throws Error unless the source contains the text exactly once, so that a stale fault is noticed */
export function plant({ name, file, find, replace }: PlantedFault, source: string): string {
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new Error(`${name}: ${file} contains the text ${parts.length - 1} times, not once`);
  return parts.join(replace);
}

/** Replaces the fault's text in the modules that this process loads from now on. */
export function installFault(name: string): void {
  const fault = PLANTED.find((one) => one.name === name);
  if (!fault) throw new Error(`there is no planted fault ${name}`);
  const target = pathToFileURL(resolve(fault.file)).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      return { ...loaded, source: plant(fault, String(loaded.source)) };
    },
  });
}
