import type { Logger } from 'pino';
import {
  type Config,
  developmentFile,
  monitoringPortOf,
  type PlatformConfig,
  runsJobs,
  sandboxChartingFile,
  sandboxClockFile,
  sandboxFile,
  sandboxObjects,
  servesClients,
} from '../app/config.ts';
import { createPlatform } from '../app/platform.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { developmentCredentials, remembered, saveState } from './development-credentials.ts';
import { renewEndedKeys } from './ended-keys.ts';
import { trimWhenIdle } from './idle-memory.ts';
import type { Lifetime } from './lifetime.ts';
import { loadSandbox } from './load-sandbox.ts';
import { tooFewFiles } from './open-files.ts';
import { ownSiblings, reportReady } from './processes.ts';
import { operatorOutput, progress } from './progress.ts';
import { ensureSchema } from './schema.ts';
import { installCredentials } from './setup.ts';
import { type ReadyFacts, readyLine, readySummary } from './summary.ts';
import { completeConfig } from './with-platform.ts';

/** Migrates the database, and starts the platform on it with the sandbox of external systems. */
export async function serve(config: Config, log: Logger, life: Lifetime, databaseUrl: string): Promise<void> {
  const tell = progress(config);
  if (config.migrate === 'auto') tell('Migrating the database to the newest schema');
  await ensureSchema(config, databaseUrl, log, { life });
  if (config.environment === 'development') await renewEndedKeys(config, databaseUrl);
  tell('Starting the platform');
  const sandbox = config.environment === 'development' ? await sandboxOf(config) : undefined;
  if (sandbox) life.register({ end: sandbox.close });

  const complete = completeConfig(config, databaseUrl, sandbox?.settings);
  const platform = await createPlatform({
    config: complete,
    log,
    siblings: ownSiblings(),
    movedOnMs: sandbox?.clock.offsetMs,
    decorators: sandbox?.decorators,
  });
  life.register({ retire: platform.retire, end: platform.close });
  warnOfLacks(complete, log);
  const credentials = await installCredentials(platform, complete);
  if (runsJobs(config.role)) await platform.work();
  // Only this process has the clock that the sandbox moves on.
  if (config.role === 'all') sandbox?.catchUpBy(platform.catchUp);
  const url = servesClients(config.role) ? await platform.listen() : undefined;
  if (url) sandbox?.deliverTo(url, complete.credentials?.apiKey);
  trimWhenIdle();
  const monitoringPort = monitoringPortOf(config);
  const monitoring = monitoringPort === undefined ? undefined : await platform.monitor(monitoringPort);

  const facts: ReadyFacts = {
    ...(url && { url, reference: `${url}/reference` }),
    ...(monitoring && { metrics: `${monitoring}/metrics` }),
    ...(sandbox && { sandbox: sandbox.url }),
    ...credentials,
  };
  if (credentials.apiKey && url) saveState(developmentFile(config), { api: url, sandbox: sandbox?.url });
  if (reportReady(facts)) return;
  const savedIn = credentials.apiKey && developmentFile(config);
  process.stdout.write(process.stdout.isTTY ? `\n${readySummary(facts, savedIn)}` : `${readyLine(facts)}\n`);
}

/** Says what a platform lacks that most installations need. */
function warnOfLacks(config: PlatformConfig, log: Logger): void {
  if (!config.storage.endpoint) log.warn('no STORAGE_ENDPOINT: nothing can be uploaded or played');
  if (!config.mail.url) log.warn('no SMTP_URL: no mail is sent');
  if (config.environment === 'production' && config.payment.provider === 'sandbox')
    log.warn('no PAYMENT_PROVIDER: Keys cannot be bought, and withdrawals are not paid out');
  if (!config.push.fcmServiceAccount) log.warn('no FCM_SERVICE_ACCOUNT: phones get no pushes');
  if (!config.gateway.webhookSecrets?.length)
    log.warn('no WEBHOOK_SECRET: the webhooks of the backoffice are refused');
  // A fifth as many as are signed in may be signing in.
  const fewFiles = servesClients(config.role) && tooFewFiles(Math.ceil(1.2 * config.realtime.maxConnections));
  if (fewFiles) log.warn(fewFiles);
}

const SANDBOX_PORT = 3001;

/** Starts the sandbox of external systems; it reuses its port, so that links to it stay valid. */
async function sandboxOf(config: Config): Promise<Sandbox & { settings: Partial<PlatformConfig> }> {
  const { startSandbox, sandboxSettings } = await loadSandbox();
  const file = developmentFile(config);
  const { paymentWebhookSecret, adminEmail, adminPassword } = developmentCredentials(file);
  const administrator = {
    email: config.adminEmail ?? adminEmail,
    password: config.adminPassword ?? adminPassword,
  };
  const wanted = config.sandbox.port ?? remembered(file).sandboxPort ?? SANDBOX_PORT;
  // The sandbox starts listening before the platform and must not take its ports.
  const unlessUsed = (port: number): number =>
    port === config.port || port === config.metricsPort ? 0 : port;
  const sandbox = await startSandbox({
    port: config.port === 0 ? 0 : unlessUsed(wanted),
    smtpPort: unlessUsed(config.sandbox.smtpPort),
    paymentWebhookSecret,
    payoutDelay: config.sandbox.payoutDelaySeconds,
    administrator: () => administrator,
    member: () => remembered(file).member ?? administrator,
    stateFile: sandboxFile(config),
    chartingFile: sandboxChartingFile(config),
    objectsFolder: sandboxObjects(config),
    clockFile: sandboxClockFile(config),
  });
  const port = Number(new URL(sandbox.url).port);
  if (config.port !== 0 && wanted !== 0 && port !== wanted) {
    operatorOutput(config)(
      `Port ${wanted} is taken: the sandbox is at ${sandbox.url}. SANDBOX_PORT sets another.`,
      'warn',
    );
    if (config.sandbox.port === undefined) saveState(file, { sandboxPort: port });
  }
  return { ...sandbox, settings: sandboxSettings(sandbox, config, { paymentWebhookSecret }) };
}
