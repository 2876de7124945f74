-- A suppression that an operator has removed stays known: a repeated or older report does not bring it back.

alter table mail.suppression add column removed_at timestamptz;
