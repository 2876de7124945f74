import { platformVersion } from '../app/version.ts';

/** The facts that clients and operators need about a started server, by name. */
export type ReadyFacts = Partial<
  Record<
    | 'url'
    | 'reference'
    | 'metrics'
    | 'sandbox'
    | 'apiKey'
    | 'adminApiKey'
    | 'adminEmail'
    | 'adminPassword'
    | 'processes',
    string
  >
>;

/** Returns the line for programs: `platform-api ready name=value ...`. */
export function readyLine(facts: ReadyFacts): string {
  return ['platform-api ready', ...Object.entries(facts).map(([name, value]) => `${name}=${value}`)].join(
    ' ',
  );
}

/**
 * Returns the facts for people, one per line, within a terminal's 80 characters.
 * @param savedIn the file that contains the keys and the sign-in
 */
export function readySummary(facts: ReadyFacts, savedIn: string | undefined): string {
  const { url, reference, metrics, sandbox, apiKey, adminApiKey, adminEmail, adminPassword } = facts;
  const rows: [string, string | undefined][] = [
    ['API', url],
    ['Reference', reference],
    ['Metrics', metrics],
    ['Sandbox', sandbox && `${sandbox} (mailbox, chat, video, payments, ...)`],
    ['API key', apiKey],
    ['Admin key', adminApiKey],
    ['Sign-in', adminEmail && `${adminEmail}, password ${adminPassword}`],
    ['Saved in', savedIn],
    ['To try it', savedIn && url && 'npm run platform -- tour'],
  ];
  const lines = rows.flatMap(([name, value]) => (value ? `  ${name.padEnd(11)}${value}` : []));
  return [`Platform API ${platformVersion()} is ready. Ctrl-C stops it.`, '', ...lines, ''].join('\n');
}
