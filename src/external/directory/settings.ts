import { optionalUrl } from '../../kernel/address-settings.ts';
import { choice, headerSecret, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the customer directory, which checks passwords and knows purchases. */
export const directorySettings = {
  source: choice(
    'CUSTOMER_DIRECTORY',
    ['local', 'backoffice'],
    'local',
    "The source of passwords and purchases: the platform's own database or the external backoffice",
  ),
  backofficeUrl: optionalUrl(
    'BACKOFFICE_URL',
    'Base URL of the external backoffice',
    'https://backoffice.example.com/api',
  ),
  backofficeApiKey: headerSecret('BACKOFFICE_API_KEY', 8, 'The bearer token for the external backoffice'),
} satisfies Record<string, Setting<unknown>>;

export type DirectorySettings = ValuesOf<typeof directorySettings>;

/** Returns the missing settings of the selected customer directory. */
export function directoryFaults({ source, backofficeUrl, backofficeApiKey }: DirectorySettings): string[] {
  const isComplete = source === 'local' || (backofficeUrl && backofficeApiKey);
  return isComplete ? [] : ['CUSTOMER_DIRECTORY=backoffice requires BACKOFFICE_URL and BACKOFFICE_API_KEY'];
}
