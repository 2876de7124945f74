import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { nullable } from '../kernel/operations/shapes.ts';
import { modeOf, taking } from './taking.ts';

const CustomerInBody = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1 })),
  email: Type.String({ minLength: 1 }),
  password: Type.Optional(Type.String()),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  /** As the directory returns them, also null and what it should not return. */
  products: Type.Optional(nullable(Type.Array(Type.Object({}, { additionalProperties: true })))),
});
type Customer = Required<Static<typeof CustomerInBody>>;

const MODES = ['ok', 'fail', 'hang', 'nonsense', 'mistaken'] as const;
type Mode = (typeof MODES)[number];

const HANG_MS = 60_000;

/**
 * Adds a backoffice for development and tests. It implements the real one's HTTP protocol, keeps its customers in
 * memory, and can be made (`POST /control/backoffice`) to fail, hang, send invalid responses, or answer with another customer
 * than the one asked about.
 */
export function addBackoffice(app: FastifyInstance, apiKey: string): void {
  const customers = new Map<string, Customer>();
  const tokens = new Map<string, string>();
  let mode: Mode = 'ok';
  let requests = 0;

  /** The customer that a response names. */
  const named = (asked: Customer): Customer =>
    (mode === 'mistaken' && [...customers.values()].find(({ email }) => email !== asked.email)) || asked;
  const view = ({ id, email, firstName, lastName }: Customer) => ({ id, email, firstName, lastName });
  const success = (data: object) => ({ success: true, data });
  const refusal = (error: string, message: string) => ({ success: false, error, message });
  const services = ({ products }: Customer) => ({ services: { products } });

  app.post(
    '/control/backoffice',
    taking(modeOf(MODES), ({ body }) => {
      mode = body.mode;
      return success({ mode });
    }),
  );
  app.get('/control/backoffice', async () => success({ mode, requests: requests }));
  /** Creates or updates a customer. */
  app.put(
    '/control/backoffice/customers',
    taking(CustomerInBody, ({ body }) => {
      const existing = customers.get(body.email);
      const id = body.id ?? existing?.id ?? `C-${randomBytes(4).toString('hex')}`;
      const customer = {
        password: '',
        firstName: 'Sandbox',
        lastName: 'Customer',
        products: [],
        ...existing,
        ...body,
        id,
      };
      customers.set(customer.email, customer);
      return success(view(customer));
    }),
  );

  app.register(
    async (backoffice) => {
      backoffice.addHook('onRequest', async (request, reply) => {
        requests++;
        if (request.headers.authorization !== `Bearer ${apiKey}`) {
          return reply.code(403).send(refusal('FORBIDDEN', 'Wrong key'));
        }
        if (mode === 'fail') return reply.code(500).send(refusal('INTERNAL', 'failing on request'));
        if (mode === 'nonsense') return reply.type('application/json').send('{"data":"<html>"');
        if (mode === 'hang') await new Promise((resolve) => setTimeout(resolve, HANG_MS).unref());
      });
      backoffice.post<{ Body: Customer }>('/auth/login', async ({ body }, reply) => {
        const customer = customers.get(body.email);
        if (!customer || customer.password === '' || customer.password !== body.password) {
          return reply.code(401).send(refusal('WRONG_CREDENTIALS', 'Wrong e-mail or password'));
        }
        const accessToken = randomBytes(16).toString('hex');
        const refreshToken = randomBytes(16).toString('hex');
        tokens.set(`${accessToken} ${refreshToken}`, customer.email);
        return success({ customer: view(named(customer)), accessToken, refreshToken, ...services(customer) });
      });
      backoffice.post<{ Body: { accessToken: string; refreshToken: string } }>(
        '/auth/verify',
        async ({ body }, reply) => {
          const customer = customers.get(tokens.get(`${body.accessToken} ${body.refreshToken}`) ?? '');
          if (!customer) return reply.code(401).send(refusal('WRONG_TOKENS', 'Unknown tokens'));
          return success({ customer: view(customer), ...services(customer) });
        },
      );
      backoffice.get<{ Querystring: { email: string } }>('/customers/products', async ({ query }, reply) => {
        const customer = customers.get(query.email);
        if (!customer) return reply.code(404).send(refusal('NOT_FOUND', 'No such customer'));
        return success(services(customer));
      });
      backoffice.post<{ Body: Customer }>('/customers', async ({ body }, reply) => {
        const existing = customers.get(body.email);
        if (existing && existing.password !== '')
          return reply.code(409).send(refusal('EXISTS', 'The customer exists'));
        const { email, password, firstName, lastName } = body;
        const id = existing?.id ?? `C-${randomBytes(4).toString('hex')}`;
        const customer = { id, email, password, firstName, lastName, products: existing?.products ?? [] };
        customers.set(email, customer);
        return reply.code(201).send(success({ customer: view(named(customer)), ...services(customer) }));
      });
      backoffice.put<{ Body: Customer }>('/customers/password', async ({ body }, reply) => {
        const customer = customers.get(body.email);
        if (!customer) return reply.code(404).send(refusal('NOT_FOUND', 'No such customer'));
        customer.password = body.password;
        return success({});
      });
    },
    { prefix: '/backoffice' },
  );
}
