import { serviceUnavailable } from '../kernel/failures.ts';

/**
 * Returns the service in a wrapper that makes it unreachable while `isReachable` is false: every call, including those
 * of nested parts, then fails with 503. It shows how other modules behave without the service.
 */
export function unreachableService<Service extends object>(
  service: Service,
  isReachable: () => boolean,
): Service {
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function')
        return (...given: unknown[]): unknown =>
          isReachable() ? member.apply(target, given) : Promise.reject(serviceUnavailable());
      return typeof member === 'object' && member !== null ? unreachableService(member, isReachable) : member;
    },
  });
}
