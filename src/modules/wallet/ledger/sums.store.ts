/**
 * Selects the sums of transactions. Dollars are summed only from purchases and withdrawals, whose metadata the
 * platform writes; the metadata of others may contain anything.
 */
export const SUMS = `count(*) as count,
  least(coalesce(sum(amount), 0), 9007199254740991)::bigint as keys,
  coalesce(sum(case when (type = 'withdrawal' or (type = 'fund' and metadata -> 'manualFunding' is null))
    and json_typeof(metadata -> 'usdAmount') = 'number' then (metadata ->> 'usdAmount')::numeric end), 0) as usd,
  min(created_at) as oldest_at`;
