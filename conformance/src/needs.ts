/** What a case needs of the installation or of whoever runs the kit. */
export type Need = 'administrator' | 'webhook-secret' | 'strangers';

/** What is said where a need is not met. */
export const UNMET: Record<Need, string> = {
  administrator: 'needs an administrator: --admin-email and --admin-password, or --internal-key',
  'webhook-secret': 'needs the secret of the backoffice webhooks: --webhook-secret',
  strangers: 'would be seen by, or told to, every member of the installation: --touch-everybody',
};

/** Ends a case that cannot be judged here; the reason stands in the report. */
export class Skip extends Error {
  override readonly name = 'Skip';
}
