import type { Core } from '../../kernel/core.ts';
import type { Identity } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { auditOperations } from './audit/audit.operations.ts';
import { auditRules } from './audit/audit.ts';

interface AdministrationDeps extends Pick<Core, 'audit'> {
  identity: Pick<Identity, 'contactsOf'>;
}

/** What operators look at across all modules. Keeps no data of its own. */
export function administrationModule({ audit, identity }: AdministrationDeps): Module<undefined> {
  return {
    name: 'administration',
    sections: { Audit: 'What administrators did, to whom, when and why.' },
    service: undefined,
    operations: auditOperations(auditRules({ audit, identity })),
  };
}
