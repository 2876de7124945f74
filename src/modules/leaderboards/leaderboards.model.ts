export const PERIOD_DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

export const MAX_ROWS = 50;
