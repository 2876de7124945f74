import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { allInTurn } from '../kernel/concurrency/all-in-turn.ts';
import type { Core } from '../kernel/core.ts';
import { metricsReporter } from '../kernel/database/metrics-reporter.ts';
import type { FailureMaker } from '../kernel/failures.ts';
import type { ObjectId } from '../kernel/ids.ts';
import { OBJECT_ID } from '../kernel/ids.ts';
import type { LiveContributions } from '../kernel/live/live-commands.ts';
import type { Job } from '../kernel/messaging/jobs.ts';
import { type Forwarding, forwarding } from '../kernel/net/forwarding.ts';
import { invalidToken } from '../kernel/operations/access.ts';
import type { UserCaller } from '../kernel/operations/callers.ts';
import type { Operation } from '../kernel/operations/operation.ts';
import type { OutgoingMessage } from '../kernel/operations/outgoing.ts';
import type { RawRoute } from '../kernel/operations/raw-routes.ts';
import { forgetOldEntries } from '../kernel/records/audit-retention.ts';
import type { ErasePerson } from '../kernel/records/erasure.ts';
import { idempotency, userScope } from '../kernel/records/idempotency.ts';
import type { Secrets } from '../kernel/secrets.ts';
import { SECOND_MS } from '../kernel/time/time.ts';
import { describeLive } from './asyncapi/description.ts';
import { type Authenticate, authentication } from './authentication.ts';
import { isOfConsole } from './console/credentials.ts';
import { operatorConsole } from './console/index.ts';
import { accessLog } from './http/access-log.ts';
import { failureAnswers } from './http/failures.ts';
import { rawPage } from './http/raw-routes.ts';
import { buildServer } from './http/server.ts';
import { apiKeyOperations } from './keys/api-keys.operations.ts';
import { type ApiKeys, apiKeys, type MustStayAdministrator } from './keys/api-keys.ts';
import { takePageAllowance } from './limits/allowances.ts';
import { rateLimits } from './limits/rate-limits.ts';
import { type Metrics, platformMetrics, type ShareMetrics } from './metrics.ts';
import { monitoringServer } from './monitoring.ts';
import { type Described, describe } from './openapi/description.ts';
import type { Sections } from './openapi/sections.ts';
import { assistantPages } from './pages/assistants.ts';
import { descriptionPage, liveDescriptionPages } from './pages/descriptions.ts';
import { type Health, healthPages } from './pages/health.ts';
import { homePage, redirectPages } from './pages/home.ts';
import { livePage } from './pages/live.ts';
import { metricsPage } from './pages/metrics.ts';
import { referencePages } from './pages/reference.ts';
import { errorAdministration } from './reports/error-administration.ts';
import { errorReportOperations } from './reports/error-reports.operations.ts';
import { errorReports, forgetOldReports } from './reports/error-reports.ts';
import type { GatewaySettings } from './settings.ts';

const UNTRUSTED_PROXY =
  'X-Forwarded-For of an address that is not in TRUSTED_PROXIES is ignored. If it is your proxy, add it: its clients share the limits of one address';

/** Returns the members with these e-mail addresses, by address. */
type FindOwners = (emails: string[]) => Promise<Map<string, ObjectId>>;
type FindNames = (
  userIds: ObjectId[],
) => Promise<{ userId: ObjectId; firstName: string; lastName: string }[]>;

interface GatewayDeps
  extends Pick<
    Core,
    'database' | 'cache' | 'audit' | 'clock' | 'newId' | 'log' | 'load' | 'node' | 'tracing'
  > {
  environment: 'development' | 'production';
  /** The browser origins that may use the API; undefined means all. */
  origins: string[] | undefined;
  publicUrl: string;
  /** Seals the cookies of the console, and secrets in saved responses. */
  secrets: Secrets;
  /** The release that the console shows. */
  version: string;
  /** Whether the console signs in by passkeys, too. */
  offersPasskeys: boolean;
  /** Whether metrics are served on a separate port instead of beside the API. */
  hasMetricsApart: boolean;
  /** Whether only the live channel is served, and beside it nothing but health and metrics. */
  isLiveOnly: boolean;
  /** Base URL of the sandbox's external systems, in development. */
  sandboxUrl: string | undefined;
  /** The API key that the reference fills in, in development. */
  developmentApiKey: string | undefined;
  /** Adds the metrics of other processes that share the port of this one. */
  shareMetrics: ShareMetrics | undefined;
  settings: GatewaySettings;
}

interface GatewayContributions extends ReturnType<typeof errorAdministration> {
  operations: Operation[];
  jobs: Job[];
}

export interface Gateway {
  /** Determines the client addresses of requests through proxies. */
  forwarding: Forwarding;
  keys: ApiKeys;
  /** What the gateway contributes to the platform beside the modules: API keys, error reports and what shows them. */
  contributions: GatewayContributions;
  /** The metrics of `/metrics`; modules add theirs. */
  metrics: Metrics;
  /** Returns whether this process exports the figures of the whole installation. */
  isReporter: () => Promise<boolean>;
  /** Returns the OpenAPI description of these operations and of the messages that the platform sends. */
  describe(described: Described): object;
  /** Returns the AsyncAPI description of the live channel. */
  describeLive(live: LiveContributions): object;
  /** Returns the HTTP server for these operations, not yet listening. */
  serve(parts: {
    operations: Operation[];
    /** Sentences about the groups of operations, by their tag. */
    sections: Sections;
    /** Messages sent to other systems, which administrators set up. */
    outgoing: OutgoingMessage[];
    /** Routes outside the API. */
    rawRoutes: RawRoute[];
    /** What they may refuse with. */
    rawFailures: FailureMaker[];
    live: LiveContributions;
    authenticate: Authenticate;
    /** Returns the current data of the members whose sessions are active. */
    callersOf: (sessionIds: string[]) => Promise<UserCaller[]>;
    /** Finds the members whose addresses failed sign-ins gave. */
    ownersOf: FindOwners;
    /** Finds the names of the members whose requests failed. */
    contactsOf: FindNames;
    mustStayAdministrator: MustStayAdministrator;
    health: Health;
    /** Whether responses close their connection, so that clients reconnect to another process. */
    isDraining: () => boolean;
  }): FastifyInstance;
  /**
   * Counts an unauthenticated attempt against the allowance of its address. Returns the seconds to wait if the
   * allowance is exhausted.
   */
  countAnonymous(address: string): Promise<number | undefined>;
  /** Returns a server for health and metrics only, not yet listening. */
  monitor(health: Health): Server;
  /**
   * Removes the personal data of a deleted member from failure reports, and deletes the saved responses of their
   * requests.
   */
  erase: ErasePerson;
  /** Stores the failure reports and the use of keys that are still in memory; what cannot be stored is lost. */
  close(): Promise<void>;
}

/**
 * Creates the gateway, which every request passes: API keys, rate limits, envelope, authentication, error store,
 * description.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const { database, cache, audit, clock, newId, log, environment, publicUrl, settings } = deps;
  const isProduction = environment === 'production';
  const stalledClientMs = settings.stalledClientSeconds * SECOND_MS;
  const limits = rateLimits(cache, clock);
  const onUncounted = (error: Error) => log.error(error, 'the use of API keys could not be stored');
  // Until the API is served, only the command line and the setup act, which are no members.
  let mustStayAdministrator: MustStayAdministrator = async (_tx, { actor }) => {
    if (OBJECT_ID.test(actor)) throw invalidToken();
  };
  const keys = apiKeys({
    ...{ database, audit, clock, newId, environment, onError: onUncounted },
    mustStayAdministrator: (tx, actor) => mustStayAdministrator(tx, actor),
  });
  const onError = (error: Error) => log.error(error, 'failure reports could not be stored');
  let ownersOf: FindOwners = async () => new Map();
  let contactsOf: FindNames = async () => [];
  const reports = errorReports({
    ...{ database, audit, clock, onError },
    ownersOf: (emails) => ownersOf(emails),
    contactsOf: (userIds) => contactsOf(userIds),
  });
  const once = idempotency({ database, clock });
  const reporter = metricsReporter(database, deps.node);
  const metrics = platformMetrics({ isReporter: reporter.isReporter, shareMetrics: deps.shareMetrics });
  metrics.add({
    name: 'error_reports_dropped_total',
    help: 'Failure reports of this process that could not be stored',
    scope: 'process',
    group: 'Requests',
    read: reports.dropped,
  });
  const own = [...apiKeyOperations(keys), ...errorReportOperations(reports, clock)];

  const { trustedProxies = [], internalApiKeys = [], webhookSecrets = [] } = settings;
  const credentialsReader = (authenticate: Authenticate) =>
    authentication({
      keys,
      authenticate,
      internalKeys: internalApiKeys,
      webhookSecrets,
      mailSecrets: settings.mailWebhookSecrets ?? webhookSecrets,
    });
  const proxies = forwarding(trustedProxies, (address) => log.warn({ address }, UNTRUSTED_PROXY));

  return {
    forwarding: proxies,
    keys,
    contributions: {
      operations: own,
      jobs: [
        forgetOldReports({ database, clock }, settings.errorReportRetentionDays),
        forgetOldEntries({ database, clock }, settings.auditRetentionDays),
        once.forget,
      ],
      ...errorAdministration(reports, clock),
    },
    metrics,
    isReporter: reporter.isReporter,
    describe: (described) => describe(described, publicUrl),
    describeLive: (live) => describeLive(live, publicUrl),
    serve: ({
      operations,
      sections,
      outgoing,
      rawRoutes,
      rawFailures,
      live,
      authenticate,
      callersOf,
      health,
      isDraining,
      ...found
    }) => {
      ({ ownersOf, contactsOf, mustStayAdministrator } = found);
      const readCredentials = credentialsReader(authenticate);
      const describeSome = (some: Operation[]) => {
        const isForAdministrators = some.some(({ access }) => access.audience.includes('administrator'));
        const someOutgoing = isForAdministrators ? outgoing : [];
        return describe({ operations: some, sections, outgoing: someOutgoing, rawFailures }, '/');
      };
      const console = operatorConsole({ ...deps, isProduction, authenticate, callersOf });
      const monitoring = [...healthPages(health), ...(deps.hasMetricsApart ? [] : [metricsPage(metrics)])];
      return buildServer({
        operations: deps.isLiveOnly ? [] : operations,
        readCredentials: (request) =>
          isOfConsole(request) ? console.readCredentials(request) : readCredentials(request),
        addConsole: deps.isLiveOnly ? () => undefined : console.addSessions,
        limits,
        countKeyUse: keys.countUse,
        failures: failureAnswers({ reports, log, clock, isProduction, counts: metrics }),
        metrics,
        tracing: deps.tracing,
        idempotency: once,
        keptAnswers: {
          sealer: deps.secrets.sealer('gateway.kept-answers'),
          signer: deps.secrets.signer('gateway.fingerprints'),
        },
        load: deps.load,
        clock,
        newId,
        isProduction,
        forwarding: proxies,
        trustedProxies,
        corsOrigins: deps.origins,
        isDraining,
        stalledClientMs,
        logAccess: accessLog(log, settings.logsAccess),
        pages: deps.isLiveOnly
          ? monitoring
          : [
              ...monitoring,
              homePage(deps.sandboxUrl, deps.developmentApiKey),
              ...redirectPages(),
              livePage(),
              descriptionPage(operations, describeSome),
              ...assistantPages(() => describeSome(operations)),
              ...referencePages(() => describeSome(operations), deps.developmentApiKey),
              ...liveDescriptionPages(() => describeLive(live, publicUrl)),
              ...console.pages,
              ...rawRoutes.map(rawPage),
            ],
      });
    },
    countAnonymous: async (address) =>
      (await takePageAllowance(limits, 'address', address)).refusal?.details.retryAfterSeconds,
    monitor: (health) => monitoringServer(health, metrics, stalledClientMs),
    async erase(person) {
      await reports.erase(person);
      await once.erase(userScope(person.userId));
    },
    close: () => allInTurn([reporter.leave, reports.flush, keys.close]),
  };
}
