import { serviceUnavailable } from '../kernel/failures.ts';

/**
 * Returns a service that is unreachable while a switch says so: every call, including those of nested parts, fails with
 * 503. The sandbox uses it to show how other modules behave without the service.
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
