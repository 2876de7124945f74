-- What the limit of issued Keys counts; unknown of verifications by earlier releases.
alter table wallet.verification add column issued kernel.keys;
