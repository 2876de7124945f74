import findMyWay from 'find-my-way';
import { lazy } from '../../kernel/concurrency/lazy.ts';

interface KnownRoute {
  method: string;
  path: string;
  /** Whether pages of every origin may read it. */
  anyOrigin?: boolean;
}

interface KnownPath {
  methods: Set<string>;
  isOpen: boolean;
}

/**
 * Returns an index of the methods of each path. Fastify responds with 404 when a path exists with another method; the
 * index provides 405, `Allow` and the methods for preflights.
 */
export function knownPaths(routes: KnownRoute[]) {
  // Most callers need none of this: it is built for the first one that does.
  const router = lazy(() => routerOf(routes));
  const find = (url: string): KnownPath | undefined =>
    router().find('GET', url.split('?', 1)[0] as string)?.store as KnownPath | undefined;

  return {
    /** Returns the methods of the URL's path; empty when there is no such path. */
    methodsOf(url: string): string[] {
      const { methods } = find(url) ?? {};
      if (!methods) return [];
      return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    },
    /** Whether every origin may read the URL. */
    isOpen: (url: string): boolean => find(url)?.isOpen ?? false,
  };
}

function routerOf(routes: KnownRoute[]) {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER });
  const known = new Map<string, KnownPath>();
  for (const { method, path, anyOrigin = false } of routes) {
    const shape = path.replaceAll(/:\w+/g, ':');
    const earlier = known.get(shape);
    if (earlier) {
      earlier.methods.add(method);
      continue;
    }
    const found = { methods: new Set([method]), isOpen: anyOrigin };
    known.set(shape, found);
    router.on('GET', path, () => undefined, found);
  }
  return router;
}

export type KnownPaths = ReturnType<typeof knownPaths>;

/** Maximum length of a path parameter; a longer one matches no route. */
export const MAX_PARAMETER = 1000;
