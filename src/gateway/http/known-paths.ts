import findMyWay from 'find-my-way';

/**
 * Returns an index of the methods of each path. Fastify responds with 404 when a path exists with another method; the
 * index provides 405, `Allow` and the methods for preflights.
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
    /** Returns the methods of the URL's path; empty when there is no such path. */
    methodsOf(url: string): string[] {
      const found = router.find('GET', url.split('?', 1)[0] as string);
      if (!found) return [];
      const all = found.store as Set<string>;
      return [...all, ...(all.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    },
    /** Whether every origin may read the URL. */
    isOpen: (url: string): boolean => open.has(router.find('GET', url.split('?', 1)[0] as string)?.store),
  };
}

export type KnownPaths = ReturnType<typeof knownPaths>;

/** Maximum length of a path parameter; a longer one matches no route. */
export const MAX_PARAMETER = 1000;
