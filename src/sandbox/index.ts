import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import type { TravellingClock } from '../kernel/time/time.ts';
import { addAccount } from './account/index.ts';
import { addBackoffice } from './backoffice.ts';
import { addCharting } from './charting/index.ts';
import { addChat } from './chat/index.ts';
import { addClock, type CatchUp, clockFrom } from './clock.ts';
import { addControlPage } from './controls.ts';
import { addLivePlatform } from './live-platform.ts';
import { addMailbox } from './mailbox.ts';
import { addIcon, addIndex, type Prefill } from './page.ts';
import { addPayments } from './payments/index.ts';
import { addPrices } from './prices.ts';
import { addPush, SANDBOX_PROJECT } from './push.ts';
import { addSchedule } from './schedule.ts';
import { addSdk } from './sdk.ts';
import { type StorageMode, storageServer } from './storage/index.ts';
import { modeOf, taking } from './taking.ts';
import { unreachableService } from './unreachable-service.ts';
import { addVideo } from './video/index.ts';
import { addWebPush } from './web-push.ts';
import { addWebhooks } from './webhooks/index.ts';
import type { Administrator } from './webhooks/registration.ts';

const HOST = '127.0.0.1';

export interface Sandbox {
  url: string;
  /** URL of its mail server. */
  smtpUrl: string;
  /**
   * Sets the API's base URL, to which its payment provider sends webhooks (pending ones are sent now), and the API key
   * that its pages use.
   */
  deliverTo(apiUrl: string, apiKey?: string): void;
  /** The clock that `POST /control/clock` moves on. */
  clock: Pick<TravellingClock, 'offsetMs'>;
  /** Sets the function that catches up after the clock was moved; without it the clock cannot be moved. */
  catchUpBy(catchUp: CatchUp): void;
  /** Wraps services of the platform, so that the sandbox can make them unreachable for other modules. */
  decorators: { wallet<Service extends object>(service: Service): Service };
  close(): Promise<void>;
}

/** The API key that the sandbox's backoffice accepts; it protects nothing. */
export const SANDBOX_BACKOFFICE_KEY = 'sandbox-backoffice-key';

/** The API key of its payment provider; webhooks are protected by their own secret. */
export const SANDBOX_PAYMENT_KEY = 'sk_sandbox';

/** Returns the settings with which the platform reaches the sandbox's push service. */
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
/** The credentials protect only files that developers upload to their own machine. */
const STORAGE_CREDENTIALS = { accessKeyId: 'sandbox', secretAccessKey: 'the secret of the sandbox' };

/** Returns the settings with which the platform reaches the sandbox's object storage. */
export const sandboxStorage = ({ url }: Pick<Sandbox, 'url'>) => ({
  ...STORAGE_CREDENTIALS,
  endpoint: `${url}${STORAGE_PATH}`,
  publicEndpoint: `${url}${STORAGE_PATH}`,
  region: 'us-east-1',
  bucket: STORAGE_BUCKET,
});

interface SandboxOptions {
  /** The port to listen on; any free port if it is taken. */
  port: number;
  /** The port of its mail server; any free port if it is taken. */
  smtpPort?: number;
  /** Signs the payment provider's webhooks. */
  paymentWebhookSecret: string;
  /** Seconds after which a payout settles automatically. */
  payoutDelay: number;
  /** The file that stores state across restarts. */
  stateFile?: string;
  /** The file that stores the state of its charting platform across restarts. */
  chartingFile?: string;
  /** The folder of its storage's objects; by default one for this process. */
  objectsFolder?: string;
  /** The clock to be moved on, for tests. */
  clock?: TravellingClock;
  /** The file that stores the offset of the clock across restarts. */
  clockFile?: string;
  /** Returns the member whose credentials fill the pages' sign-in forms. */
  member?: () => Prefill['member'];
  /** Returns the administrator who registers its receiver of webhooks. */
  administrator?: () => Administrator;
  /**
   * Called at each step of a payment, so that tests can interrupt it there: `checkout asked`, `payout answered`.
   */
  onStep?: (step: string) => void;
}

/**
 * Starts local stand-ins for the external systems, which implement the real systems' HTTP protocols on the loopback
 * interface.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, smtpPort = 0, paymentWebhookSecret: webhookSecret, payoutDelay, stateFile, onStep } = options;
  const { clock = clockFrom(options.clockFile) } = options;
  const storage = storageServer({
    folder: options.objectsFolder ?? join(tmpdir(), `platform-api-storage-${process.pid}`),
    basePath: STORAGE_PATH,
    credentials: STORAGE_CREDENTIALS,
    bucket: STORAGE_BUCKET,
    clock,
  });
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    // Storage requests stream gigabytes: they bypass Fastify and have no timeout.
    serverFactory: (handle) =>
      createServer({ requestTimeout: 0 }, (request, response) =>
        storage.serves(request.url) ? void storage.handle(request, response) : handle(request, response),
      ),
  });
  addIcon(app);
  addStorageControl(app, storage);
  const isWalletReachable = addWalletControl(app);
  addBackoffice(app, SANDBOX_BACKOFFICE_KEY);
  const mailbox = await addMailbox(app, { port: port === 0 ? 0 : smtpPort, clock });
  addLivePlatform(app);
  addSchedule(app);
  addCharting(app, { stateFile: options.chartingFile, clock, onStep });
  let api = { url: '', key: '' };
  addSdk(app);
  const prefill = (): Prefill => ({ ...api, member: options.member?.() });
  addIndex(app, prefill, clock);
  addAccount(app, prefill);
  addChat(app, prefill);
  addVideo(app, prefill);
  const prices = addPrices(app);
  const ownUrl = () => `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
  addWebhooks(app, { api: prefill, administrator: () => options.administrator?.(), ownUrl, clock });
  addWebPush(app, { ownUrl, clock, ...addPush(app, clock) });
  const payments = addPayments(app, {
    secretKey: SANDBOX_PAYMENT_KEY,
    webhookSecret,
    payoutDelay,
    clock,
    ownUrl,
    ...(stateFile === undefined ? {} : { stateFile }),
    ...(onStep === undefined ? {} : { onStep }),
  });
  const time = addClock(app, { clock, file: options.clockFile, passTime: payments.passTime });
  addControlPage(app, ownUrl);
  await app.listen({ host: HOST, port }).catch(async (error) => {
    // Another instance uses the port. The ready line prints the address of this sandbox.
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
    clock,
    catchUpBy: time.catchUpBy,
    decorators: { wallet: (service) => unreachableService(service, isWalletReachable) },
    close: async () => {
      payments.close();
      prices.close();
      await Promise.all([mailbox.close(), app.close()]);
    },
  };
}

/**
 * Adds the control that makes the wallet unavailable to other modules; returns a function that returns whether it is
 * reachable.
 */
function addWalletControl(app: FastifyInstance): () => boolean {
  let isReachable = true;
  app.post(
    '/control/wallet',
    taking(modeOf(['ok', 'fail']), ({ body: { mode } }) => {
      isReachable = mode === 'ok';
      return { mode };
    }),
  );
  return () => isReachable;
}

/** Adds the control of the storage's behaviour. */
function addStorageControl(app: FastifyInstance, storage: ReturnType<typeof storageServer>): void {
  app.post(
    '/control/storage',
    taking(modeOf(STORAGE_MODES), ({ body: { mode } }) => {
      storage.setMode(mode);
      return { mode };
    }),
  );
}

const STORAGE_MODES: StorageMode[] = ['ok', 'fail', 'hang', 'slow'];
