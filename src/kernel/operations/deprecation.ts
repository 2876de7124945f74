import type { Deprecation, Operation } from './operation.ts';

/**
 * Returns the operation at another, deprecated path. It behaves exactly like its successor; its description says that
 * it is deprecated, and its response headers name the successor.
 */
export const deprecatedAlias = (
  operation: Operation,
  { path, id, since }: Pick<Operation, 'path' | 'id'> & Pick<Deprecation, 'since'>,
): Operation => ({ ...operation, path, id, deprecated: { since, successor: operation.path } });

/** Returns the headers of a deprecated operation's responses (RFC 9745, RFC 5829). */
export const deprecationHeaders = (
  { since, successor }: Deprecation,
  params: Record<string, string>,
): Record<string, string> => {
  const path = successor.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    link: `<${path}>; rel="successor-version"`,
  };
};
