import findMyWay from 'find-my-way';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import { deprecationHeaders } from '../../kernel/operations/deprecation.ts';
import type { Deprecation } from '../../kernel/operations/operation.ts';

interface KnownRoute {
  method: string;
  path: string;
  /** Whether pages of every origin may read it. */
  anyOrigin?: boolean;
  deprecated?: Deprecation | undefined;
}

interface KnownPath {
  methods: Set<string>;
  isOpen: boolean;
  /** Undefined as soon as one of its methods is not deprecated. */
  deprecated: Deprecation | undefined;
}

/**
 * Returns an index of the methods of each path. Fastify responds with 404 when a path exists with another method; the
 * index provides 405, `Allow` and the methods for preflights.
 */
export function knownPaths(routes: KnownRoute[]) {
  // Built on first use: most requests need none of it.
  const router = lazy(() => routerOf(routes));
  const route = (url: string) => router().find('GET', url.split('?', 1)[0] as string);
  const find = (url: string): KnownPath | undefined => route(url)?.store as KnownPath | undefined;

  return {
    /** Returns the methods of the URL's path; empty when there is no such path. */
    methodsOf(url: string): string[] {
      const { methods } = find(url) ?? {};
      if (!methods) return [];
      return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    },
    /** Returns the deprecation headers for the 405 of a path on which every method is deprecated. */
    deprecationOf(url: string): Record<string, string> {
      const found = route(url);
      const { deprecated } = (found?.store ?? {}) as Partial<KnownPath>;
      return deprecated ? deprecationHeaders(deprecated, found?.params as Record<string, string>) : {};
    },
    /** Whether every origin may read the URL. */
    isOpen: (url: string): boolean => find(url)?.isOpen ?? false,
  };
}

function routerOf(routes: KnownRoute[]) {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER });
  const known = new Map<string, KnownPath>();
  for (const { method, path, anyOrigin = false, deprecated } of routes) {
    const shape = path.replaceAll(/:\w+/g, ':');
    const earlier = known.get(shape);
    if (earlier) {
      earlier.methods.add(method);
      if (!deprecated) earlier.deprecated = undefined;
      continue;
    }
    const found = { methods: new Set([method]), isOpen: anyOrigin, deprecated };
    known.set(shape, found);
    router.on('GET', path, () => undefined, found);
  }
  return router;
}

export type KnownPaths = ReturnType<typeof knownPaths>;

/** Maximum length of a path parameter; a longer one matches no route. */
export const MAX_PARAMETER = 1000;
