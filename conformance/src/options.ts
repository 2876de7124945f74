import { parseArgs } from 'node:util';

/** The options of a run. */
export interface Options {
  /** Base URL of the installation, without a slash at the end. */
  url: string;
  /** An API key of the Admin tier. */
  adminKey: string;
  adminEmail?: string | undefined;
  adminPassword?: string | undefined;
  internalKey?: string | undefined;
  webhookSecret?: string | undefined;
  /** The domain of the addresses of the members that it makes. */
  emailDomain: string;
  /** Whether to run cases whose effects every member of the installation would see or be notified of. */
  touchEverybody: boolean;
  /** The areas to run; all of them if there are none. */
  only: string[];
  /** The file to write the report to; `-` is standard output. */
  json?: string | undefined;
  /** The report of another run, to be compared with. */
  compare?: string | undefined;
}

/** The command line is invalid; the message says why. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

export const USAGE = `Usage: platform-conformance --url URL --admin-key KEY [options]

Checks a running installation of the Platform API against its specification. It makes members of its own, and deletes them.

  --url URL               base URL, such as https://api.example.com
  --admin-key KEY         API key of the Admin tier (or CONFORMANCE_ADMIN_KEY)
  --admin-email EMAIL     an administrator without a second factor, for the cases of administrators ...
  --admin-password TEXT   ... and their password (or CONFORMANCE_ADMIN_PASSWORD)
  --internal-key KEY      instead of both: the internal key, which makes a member administrator for the time of the run
                          (or CONFORMANCE_INTERNAL_KEY)
  --webhook-secret TEXT   the secret of the backoffice webhooks (or CONFORMANCE_WEBHOOK_SECRET)
  --email-domain DOMAIN   domain of the members' addresses (example.com)
  --touch-everybody       also run cases that other members see or are told of: only on an installation without members
  --only AREA             run this area alone; may be repeated
  --json FILE             write the report; - is standard output
  --compare FILE          tell what differs from the report of another run
  --list                  print the areas and cases

Exit codes: 0 everything holds, 1 something does not, 2 the kit could not run.`;

/** @throws UsageFault */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options | 'help' | 'list' {
  const text = { type: 'string' } as const;
  const { values } = parsed(() =>
    parseArgs({
      args,
      options: {
        url: text,
        'admin-key': text,
        'admin-email': text,
        'admin-password': text,
        'internal-key': text,
        'webhook-secret': text,
        'email-domain': text,
        'touch-everybody': { type: 'boolean' },
        only: { type: 'string', multiple: true },
        json: text,
        compare: text,
        list: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  if (values.help) return 'help';
  if (values.list) return 'list';
  const adminKey = values['admin-key'] ?? environment.CONFORMANCE_ADMIN_KEY;
  if (!values.url || !URL.canParse(values.url) || !/^https?:/.test(values.url))
    throw new UsageFault('--url must be the base URL.');
  if (!adminKey) throw new UsageFault('--admin-key is missing.');
  const adminPassword = values['admin-password'] ?? environment.CONFORMANCE_ADMIN_PASSWORD;
  if (values['admin-email'] && !adminPassword) throw new UsageFault('--admin-password is missing.');
  return {
    url: values.url.replace(/\/+$/, ''),
    adminKey,
    adminEmail: values['admin-email'],
    adminPassword,
    internalKey: values['internal-key'] ?? environment.CONFORMANCE_INTERNAL_KEY,
    webhookSecret: values['webhook-secret'] ?? environment.CONFORMANCE_WEBHOOK_SECRET,
    emailDomain: values['email-domain'] ?? 'example.com',
    touchEverybody: values['touch-everybody'] ?? false,
    only: values.only ?? [],
    json: values.json,
    compare: values.compare,
  };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}
