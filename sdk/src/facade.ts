import type { Call, Caller } from './caller.ts';
import type { Operation } from './operation.ts';
import type { CallOptions } from './options.ts';

type Takes = 'body' | 'query';

/** The methods of a group: the operation that each calls, and what its inputs are, in their order. */
export type Methods = Record<string, readonly [Operation, ...Takes[]]>;

/**
 * Makes the methods of a table of groups. A method takes the parameters of the path one by one, then its body and its
 * query where it has them, then options.
 */
export function methodsOf<Groups>(caller: Caller, table: Record<keyof Groups, Methods>): Groups {
  const groups = Object.entries(table as Record<string, Methods>).map(([group, operations]) => {
    const methods = Object.entries(operations).map(([name, [operation, ...takes]]) => [
      name,
      methodOf(caller, operation, takes),
    ]);
    return [group, Object.fromEntries(methods)];
  });
  return Object.fromEntries(groups) as Groups;
}

function methodOf(caller: Caller, operation: Operation, takes: Takes[]) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return (...given: unknown[]): Call<unknown> => {
    const params = Object.fromEntries(names.map((name, place) => [name, given[place]]));
    const rest = given.slice(names.length);
    const input = Object.fromEntries(takes.map((name) => [name, rest.shift() ?? {}]));
    // The types of groups are written from the same operations.
    const call = caller.call as (
      operation: Operation,
      request: object,
      options: CallOptions,
    ) => Call<unknown>;
    return call(operation, { params, ...input }, (rest[0] ?? {}) as CallOptions);
  };
}
