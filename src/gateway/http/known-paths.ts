import findMyWay from 'find-my-way';

/**
 * Knows which methods each path has. Fastify answers 404 where a path exists with another method; this is what
 * tells 405, `Allow` and what a browser's preflight may ask for.
 */
export function knownPaths(routes: { method: string; path: string; anyOrigin?: boolean }[]) {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER });
  const methods = new Map<string, Set<string>>();
  const open = new Set<unknown>();
  for (const { method, path, anyOrigin } of routes) {
    const shape = path.replaceAll(/:\w+/g, ':');
    const known = methods.get(shape);
    if (known) {
      known.add(method);
      continue;
    }
    const all = new Set([method]);
    methods.set(shape, all);
    if (anyOrigin) open.add(all);
    router.on('GET', path, () => undefined, all);
  }
  return {
    /** The methods of the path behind this URL; empty when there is no such path. */
    methodsOf(url: string): string[] {
      const found = router.find('GET', url.split('?', 1)[0] as string);
      if (!found) return [];
      const all = found.store as Set<string>;
      return [...all, ...(all.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    },
    /** Whether pages of every origin may read what is behind this URL. */
    isOpen: (url: string): boolean => open.has(router.find('GET', url.split('?', 1)[0] as string)?.store),
  };
}

export type KnownPaths = ReturnType<typeof knownPaths>;

/** Longer path parameters are no route's. */
export const MAX_PARAMETER = 1000;
