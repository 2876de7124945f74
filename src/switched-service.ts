import { serviceUnavailable } from './kernel/failures.ts';

/**
 * Returns a service that cannot be reached while a switch says so: each call of it, and of what it has parts of, is 503.
 * With it the sandbox shows what other modules do without one.
 */
export function switchedService<Service extends object>(
  service: Service,
  isReachable: () => boolean,
): Service {
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function')
        return (...given: unknown[]): unknown =>
          isReachable() ? member.apply(target, given) : Promise.reject(serviceUnavailable());
      return typeof member === 'object' && member !== null ? switchedService(member, isReachable) : member;
    },
  });
}
