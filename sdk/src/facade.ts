import type { Call, Caller } from './caller.ts';
import type { Operation } from './operation.ts';
import { type CallOptions, checkKey } from './options.ts';

type Takes = 'body' | 'query';

/** The methods of a group: the operation that each method calls, and the kinds of its arguments in order. */
export type Methods = Record<string, readonly [Operation, ...Takes[]]>;

/**
 * Creates the methods of a table of groups. A method takes the path parameters one by one, then the body and the
 * query if the operation has them, then options. It throws a TypeError at once for a key that cannot be sent.
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
    let place = 0;
    const params: Record<string, unknown> = {};
    for (const name of names) params[name] = given[place++];
    const request: Record<string, unknown> = { params };
    for (const name of takes) request[name] = given[place++] ?? {};
    // The types of groups are written from the same operations.
    const call = caller.call as (
      operation: Operation,
      request: object,
      options: CallOptions,
    ) => Call<unknown>;
    const options = (given[place] ?? {}) as CallOptions;
    if (operation.isIdempotent) checkKey(options);
    return call(operation, request, options);
  };
}
