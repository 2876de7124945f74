import { platformVersion } from '../version.ts';

/** What clients and operators need to know of a server that has started, by name. */
export type ReadyFacts = Partial<
  Record<
    'url' | 'reference' | 'metrics' | 'sandbox' | 'apiKey' | 'adminApiKey' | 'adminEmail' | 'adminPassword',
    string
  >
>;

/** Returns the one line that programs read: `platform-api ready name=value ...`. */
export function readyLine(facts: ReadyFacts): string {
  return ['platform-api ready', ...Object.entries(facts).map(([name, value]) => `${name}=${value}`)].join(
    ' ',
  );
}

/** Returns the same for people: a line for each thing. */
export function readySummary(facts: ReadyFacts): string {
  const { url, reference, metrics, sandbox, apiKey, adminApiKey, adminEmail, adminPassword } = facts;
  const rows: [string, string | undefined][] = [
    ['API', url],
    ['Reference', reference],
    ['Metrics', metrics],
    ['Sandbox', sandbox && `${sandbox} (mailbox, pushes, chat, payments)`],
    ['API key', apiKey && `${apiKey} (Mobile tier)`],
    ['Admin key', adminApiKey && `${adminApiKey} (Admin tier)`],
    ['Sign-in', adminEmail && `${adminEmail} with the password ${adminPassword}`],
  ];
  const told = rows.flatMap(([name, value]) => (value ? `  ${name.padEnd(11)}${value}` : []));
  return [`Platform API ${platformVersion()} is ready. Ctrl-C stops it.`, '', ...told, ''].join('\n');
}
