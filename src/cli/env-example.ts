import { SETTINGS } from '../app/config.ts';

/** Returns the content of `.env.example`: every setting, commented out, with its purpose. */
export function envExample(): string {
  const settings = SETTINGS.map(
    ({ variable, about, example = '', isSecret }) =>
      `# ${about}\n#${variable}=${example}\n${isSecret ? `#${variable}_FILE=\n` : ''}`,
  );
  return `${HEAD}\n${settings.join('\n')}`;
}

const HEAD = `# All settings; in development every one is optional. Copy this file to .env to change one.
# A setting with a second line <NAME>_FILE can be read from the file named there, such as a mounted secret.
`;
