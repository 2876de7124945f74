import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import { type CircuitBoard, circuitBreaker } from '../../kernel/net/circuit-breaker.ts';
import { ExternalFault, type OutboundResponse, outboundClient } from '../../kernel/net/outbound.ts';
import { canonicalAddress } from '../../kernel/text/email-address.ts';
import { hasReplacement } from '../../kernel/text/safe-text.ts';
import { shortenTo } from '../../kernel/text/text.ts';
import { isVisible, withoutTurning } from '../../kernel/text/visible.ts';
import type { Clock } from '../../kernel/time/time.ts';
import {
  authenticationFailed,
  type Customer,
  type CustomerDirectory,
  emailTaken,
  type Product,
} from './port.ts';

interface BackofficeOptions {
  baseUrl: string;
  apiKey: string;
  clock: Clock;
  board?: CircuitBoard;
  timeoutMs?: number;
}

type Json = Record<string, unknown>;

const MAX_ID_LENGTH = 255;
const MAX_NAME_LENGTH = 100;

/**
 * Returns the customer directory of the external backoffice, over HTTP. Validates every response; an invalid one counts
 * as an outage.
 */
export function backofficeDirectory({
  baseUrl,
  apiKey,
  clock,
  board,
  timeoutMs = 5000,
}: BackofficeOptions): CustomerDirectory {
  const send = outboundClient({
    baseUrl: baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`,
    headers: { authorization: `Bearer ${apiKey}` },
    timeoutMs,
    retries: 1,
  });
  const guarded = circuitBreaker(
    clock,
    () => new ExternalFault('the backoffice is unavailable; calls are suspended'),
    {
      system: 'backoffice',
      board,
    },
  );

  async function call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    options?: { idempotent: boolean },
  ): Promise<OutboundResponse> {
    try {
      return await guarded(() => send({ method, path, body, ...options }));
    } catch (error) {
      throw error instanceof ExternalFault ? serviceUnavailable(error) : error;
    }
  }

  return {
    authenticate: async (email, password) => {
      const answer = await call('POST', 'auth/login', { email, password });
      if (answer.status === 401) throw authenticationFailed();
      return customerNamed(email, dataOf(answer));
    },
    products: async (email) => {
      const answer = await call('GET', `customers/products?email=${encodeURIComponent(email)}`);
      return answer.status === 404 ? [] : productsOf(dataOf(answer));
    },
    register: async (customer) => {
      const answer = await call('POST', 'customers', customer);
      if (answer.status === 409) throw emailTaken();
      return {
        customerId: customerNamed(customer.email, dataOf(answer)).customerId,
        enrol: async () => undefined,
      };
    },
    preparePassword: async (email, password) => async () => {
      // Not retried, because a transaction waits for it.
      passOnRefusal(await call('PUT', 'customers/password', { email, password }, { idempotent: false }));
    },
    customerOf: async (tokens) => {
      const answer = await call('POST', 'auth/verify', tokens);
      return answer.status === 401 ? undefined : { customer: customerOf(dataOf(answer)) };
    },
  };
}

/** Throws the backoffice's own failures, the 4xx responses, unchanged, as the specification demands. */
function passOnRefusal({ status, body }: OutboundResponse): void {
  if (status < 400) return;
  const { message, error } = (isJson(body) ? body : {}) as Json;
  throw new Failure(
    status,
    typeof error === 'string' && /^[A-Z_]{1,64}$/.test(error) ? error : 'BACKOFFICE_REFUSED',
    typeof message === 'string' && isVisible(message)
      ? shortenTo(message, 500)
      : 'External Backoffice refused the request',
  );
}

/** Returns the `data` of a successful response; passes on a refusal. */
function dataOf(answer: OutboundResponse): Json {
  passOnRefusal(answer);
  const { data } = (isJson(answer.body) ? answer.body : {}) as Json;
  if (!isJson(data)) throw invalidResponse();
  return data;
}

function customerOf(data: Json): Customer {
  const { customer } = data;
  if (!isJson(customer) || typeof customer.email !== 'string') throw invalidResponse();
  const email = canonicalAddress(customer.email);
  if (email === undefined) throw invalidResponse();
  return {
    email,
    firstName: nameOf(customer.firstName),
    lastName: nameOf(customer.lastName),
    customerId: idOf(customer.id),
    products: productsOf(data),
  };
}

/** Returns the customer if it is the one asked about; any other would be signed in with the password of this one. */
function customerNamed(email: string, data: Json): Customer {
  const customer = customerOf(data);
  if (customer.email !== email) throw invalidResponse();
  return customer;
}

/** Returns a name as members have them. Whoever is called otherwise there signs in all the same. */
function nameOf(value: unknown): string {
  const name =
    typeof value === 'string'
      ? withoutTurning(value)
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim()
      : '';
  return isVisible(name) ? shortenTo(name, MAX_NAME_LENGTH) : '';
}

/**
 * Returns the customer's id, bounded because it is stored in a unique index; null if there is none. A blank one or a zero
 * names nobody: all who have it would be one member. So would two whose ids differ only in what was replaced.
 */
function idOf(value: unknown): string | null {
  const id = Number.isSafeInteger(value) && value !== 0 ? String(value) : value;
  if (typeof id !== 'string' || !isVisible(id)) return null;
  if (id.length > MAX_ID_LENGTH || hasReplacement(id)) throw invalidResponse();
  return id;
}

/** Returns the products; null or a missing field means none, anything but a list is invalid. */
function productsOf({ services }: Json): Product[] {
  if (services !== null && services !== undefined && !isJson(services)) throw invalidResponse();
  const products = services?.products ?? [];
  if (!Array.isArray(products)) throw invalidResponse();
  return products.filter(isJson).map((product) => ({
    sku: textOf(product.sku),
    product_name: textOf(product.product_name),
    last_purchased_date: typeof product.last_purchased_date === 'string' ? product.last_purchased_date : null,
  }));
}

/** An article number may be a number. What else there may be in JSON is not always one that can be written as a text. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalidResponse = (): Failure =>
  serviceUnavailable(new ExternalFault('the backoffice sent an invalid response'));
