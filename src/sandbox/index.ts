import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Clock, systemClock } from '../kernel/time.ts';
import { addBackoffice } from './backoffice.ts';
import { addCharting } from './charting/index.ts';
import { addChat } from './chat/index.ts';
import { addLivePlatform } from './live-platform.ts';
import { addMailbox } from './mailbox.ts';
import { addPayments } from './payments/index.ts';
import { addPrices } from './prices.ts';
import { addPush, SANDBOX_PROJECT } from './push.ts';
import { addSchedule } from './schedule.ts';
import { type StorageMode, storageServer } from './storage/index.ts';
import { addVideo } from './video/index.ts';
import { addWebPush } from './web-push.ts';

const HOST = '127.0.0.1';

export interface Sandbox {
  url: string;
  /** Of its mail server. */
  smtpUrl: string;
  /**
   * The API's base URL, where its payment provider sends webhooks (those that wait are sent), and an API key that its
   * pages call it with.
   */
  deliverTo(apiUrl: string, apiKey?: string): void;
  /** Whether the modules beside the wallet are to reach it. */
  isWalletReachable(): boolean;
  close(): Promise<void>;
}

/** The API key that the sandbox's backoffice accepts; it guards nothing. */
export const SANDBOX_BACKOFFICE_KEY = 'sandbox-backoffice-key';

/** The API key of its payment provider; what it signs is guarded by the secret of the webhooks. */
export const SANDBOX_PAYMENT_KEY = 'sk_sandbox';

/** How the platform reaches the sandbox's push service. */
export const sandboxPushes = ({ url }: Pick<Sandbox, 'url'>) => ({
  account: {
    project_id: SANDBOX_PROJECT,
    client_email: 'platform@sandbox.localhost',
    private_key: generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    token_uri: `${url}/push/token`,
  },
  apiUrl: `${url}/push/`,
});

const STORAGE_PATH = '/storage';
const STORAGE_BUCKET = 'platform';
/** They guard nothing but what developers upload to their own machine. */
const STORAGE_CREDENTIALS = { accessKeyId: 'sandbox', secretAccessKey: 'the secret of the sandbox' };

/** The same of its object storage. */
export const sandboxStorage = ({ url }: Pick<Sandbox, 'url'>) => ({
  ...STORAGE_CREDENTIALS,
  endpoint: `${url}${STORAGE_PATH}`,
  publicEndpoint: `${url}${STORAGE_PATH}`,
  region: 'us-east-1',
  bucket: STORAGE_BUCKET,
});

interface SandboxOptions {
  /** Where it listens, or on any free port if that is taken. */
  port: number;
  /** The same of its mail server. */
  smtpPort?: number;
  /** Signs the payment provider's webhooks. */
  paymentWebhookSecret: string;
  /** Seconds after which a payout settles by itself. */
  payoutDelay: number;
  /** Where it keeps what should outlive a restart. */
  stateFile?: string;
  /** The same of its charting platform. */
  chartingFile?: string;
  /** Where its storage keeps objects; a folder of this process's own unless said. */
  objectsFolder?: string;
  /** The time by which its storage's links expire. */
  clock?: Clock;
  /** Told of each step of a payment, for tests that interrupt between two: `checkout asked`, `payout answered`. */
  onStep?: (step: string) => void;
}

/**
 * Local stand-ins of the external systems, which speak the real ones' protocols over HTTP on the loopback.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, smtpPort = 0, paymentWebhookSecret: webhookSecret, payoutDelay, stateFile, onStep } = options;
  const storage = storageServer({
    folder: options.objectsFolder ?? join(tmpdir(), `platform-api-storage-${process.pid}`),
    basePath: STORAGE_PATH,
    credentials: STORAGE_CREDENTIALS,
    bucket: STORAGE_BUCKET,
    clock: options.clock ?? systemClock,
  });
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    // Requests to the storage are streams of gigabytes: they go past Fastify, and take the time that they need.
    serverFactory: (handle) =>
      createServer({ requestTimeout: 0 }, (request, response) =>
        storage.serves(request.url) ? void storage.handle(request, response) : handle(request, response),
      ),
  });
  addStorageControl(app, storage);
  const isWalletReachable = addWalletControl(app);
  addBackoffice(app, SANDBOX_BACKOFFICE_KEY);
  const mailbox = await addMailbox(app, port === 0 ? 0 : smtpPort);
  addLivePlatform(app);
  addSchedule(app);
  addCharting(app, { stateFile: options.chartingFile, onStep });
  let api = { url: '', key: '' };
  addChat(app, () => api);
  addVideo(app, () => api);
  const prices = addPrices(app);
  const ownUrl = () => `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
  addWebPush(app, { ownUrl, ...addPush(app) });
  const payments = addPayments(app, {
    secretKey: SANDBOX_PAYMENT_KEY,
    webhookSecret,
    payoutDelay,
    ownUrl,
    ...(stateFile === undefined ? {} : { stateFile }),
    ...(onStep === undefined ? {} : { onStep }),
  });
  app.get('/', async (_request, reply) => reply.redirect('/mailbox'));
  await app.listen({ host: HOST, port }).catch(async (error) => {
    // A second instance beside the first: its ready line tells where its own sandbox is.
    if (error.code !== 'EADDRINUSE') throw error;
    await app.listen({ host: HOST, port: 0 });
  });
  return {
    url: ownUrl(),
    smtpUrl: mailbox.url,
    deliverTo: (apiUrl, apiKey = '') => {
      api = { url: apiUrl, key: apiKey };
      payments.deliverTo(`${apiUrl}/v1/webhooks/payments`);
    },
    isWalletReachable,
    close: async () => {
      payments.close();
      prices.close();
      await Promise.all([mailbox.close(), app.close()]);
    },
  };
}

/** Makes the wallet's service unavailable to the other modules, or available again; returns whether it is. */
function addWalletControl(app: FastifyInstance): () => boolean {
  let isReachable = true;
  app.post('/control/wallet', async (request, reply) => {
    const { mode } = (request.body ?? {}) as { mode?: string };
    if (mode !== 'ok' && mode !== 'fail')
      return reply.code(400).send({ error: 'mode must be one of ok, fail' });
    isReachable = mode === 'ok';
    return { mode };
  });
  return () => isReachable;
}

/** Tells the storage how to behave. */
function addStorageControl(app: FastifyInstance, storage: ReturnType<typeof storageServer>): void {
  app.post('/control/storage', async (request, reply) => {
    const { mode } = (request.body ?? {}) as { mode?: string };
    if (!STORAGE_MODES.includes(mode as StorageMode))
      return reply.code(400).send({ error: `mode must be one of ${STORAGE_MODES.join(', ')}` });
    storage.setMode(mode as StorageMode);
    return { mode };
  });
}

const STORAGE_MODES: StorageMode[] = ['ok', 'fail', 'hang', 'slow'];
