import { choice, optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the customer directory, which checks passwords and knows purchases. */
export const directorySettings = {
  customerDirectory: choice(
    'CUSTOMER_DIRECTORY',
    ['local', 'backoffice'],
    'local',
    'Who checks passwords and tells purchases: our own database or the external backoffice',
  ),
  backofficeUrl: optionalUrl(
    'BACKOFFICE_URL',
    'Where the external backoffice is',
    'https://backoffice.example.com/api',
  ),
  backofficeApiKey: secret('BACKOFFICE_API_KEY', 8, 'What we show the external backoffice as a bearer token'),
} satisfies Record<string, Setting<unknown>>;

export type DirectorySettings = ValuesOf<typeof directorySettings>;

/** Returns the missing settings of the selected customer directory. */
export function directoryFaults({
  customerDirectory,
  backofficeUrl,
  backofficeApiKey,
}: DirectorySettings): string[] {
  const isComplete = customerDirectory === 'local' || (backofficeUrl && backofficeApiKey);
  return isComplete ? [] : ['CUSTOMER_DIRECTORY=backoffice needs BACKOFFICE_URL and BACKOFFICE_API_KEY'];
}
