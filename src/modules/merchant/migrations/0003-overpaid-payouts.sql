-- 'overpaid': ended without the provider's money, and then the provider paid it all the same. Operators are told once.
alter table merchant.payout
  drop constraint payout_status_check,
  add constraint payout_status_check check (
    status in ('queued', 'submitting', 'submitted', 'paid', 'failed', 'cancelled', 'returned', 'overpaid')
  );
