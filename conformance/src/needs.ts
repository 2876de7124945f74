/** What a case may need of the installation or of the run's options. */
export type Need = 'administrator' | 'webhook-secret' | 'strangers';

/** The reason in the report when a need is not met. */
export const UNMET: Record<Need, string> = {
  administrator: 'needs an administrator: --admin-email and --admin-password, or --internal-key',
  'webhook-secret': 'needs the secret of the backoffice webhooks: --webhook-secret',
  strangers: 'its effects would be visible to every member of the installation: --touch-everybody',
};

/** Thrown by a case that cannot be judged on this installation; the report shows its reason. */
export class Skip extends Error {
  override readonly name = 'Skip';
}
