export const TIERS = ['mobile', 'live_platform', 'crm', 'third_party', 'admin'] as const;
export type Tier = (typeof TIERS)[number];
