import type { BreachedPasswords } from '../../external/breaches/port.ts';
import type { CustomerDirectory } from '../../external/directory/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { EraseEverywhere } from '../../kernel/records/erasure.ts';
import { retention } from '../../kernel/records/retention.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import { canonicalAddress } from '../../kernel/text/email-address.ts';
import type { Media } from '../media/contract.ts';
import type { Module } from '../module.ts';
import { accountDeletionOperations } from './account-deletion/account-deletion.operations.ts';
import { accountDeletion } from './account-deletion/account-deletion.ts';
import { accountRules } from './accounts/accounts.ts';
import { ensuringAdministrators } from './accounts/administrators.ts';
import { erasingRules } from './accounts/erasing.ts';
import { mustStayAdministrator } from './accounts/locking.ts';
import { sessionsOfUsersOperations } from './accounts/sessions-of-users.operations.ts';
import { type Identity, USER_CHANGED_CHANNEL } from './contract.ts';
import {
  verificationLinkOf,
  verificationOperations,
} from './email-verification/email-verification.operations.ts';
import { verificationLinks } from './email-verification/verification-links.ts';
import { factorOperations } from './factors/factors.operations.ts';
import { fundingKeyOperations } from './funding-keys/funding-keys.operations.ts';
import { fundingKeyStore } from './funding-keys/funding-keys.store.ts';
import { fundingKeyRules } from './funding-keys/funding-keys.ts';
import { identityAdministration } from './identity.administration.ts';
import { identityMails } from './identity.mails.ts';
import { identityMeasures } from './identity.measures.ts';
import { identityNotices } from './identity.notices.ts';
import { identityInternalEvents, identityPublicEvents } from './identity.public-events.ts';
import { identitySearchable } from './identity.searchable.ts';
import { signingKeyStore } from './keys/signing-keys.store.ts';
import { signingKeys } from './keys/signing-keys.ts';
import { spentTokenStore } from './keys/spent-tokens.store.ts';
import { memberPasswords } from './member-passwords.ts';
import { identityRecords } from './member-records.store.ts';
import { passkeyOperations } from './passkeys/passkeys.operations.ts';
import { passwordOperations } from './passwords/passwords.operations.ts';
import { passwordHasher } from './passwords/passwords.ts';
import { permissionOperations } from './permissions/permissions.operations.ts';
import { permissionStore } from './permissions/permissions.store.ts';
import { platformOperations } from './platforms/platforms.operations.ts';
import { profileOperations } from './profile/profile.operations.ts';
import { changingProfiles } from './profile/profile.ts';
import { purchaseOperations } from './purchases/purchases.operations.ts';
import { purchaseStore } from './purchases/purchases.store.ts';
import { purchaseRules } from './purchases/purchases.ts';
import { FORGET_OLD } from './retention.ts';
import { sealedColumns, sealers } from './sealed-columns.ts';
import { secondFactors } from './second-factors.ts';
import { accessTokens } from './sessions/access-tokens.ts';
import { authenticating } from './sessions/authenticating.ts';
import { elevationStore } from './sessions/elevation.store.ts';
import { elevationRules } from './sessions/elevation.ts';
import { newSignInOperations } from './sessions/new-sign-ins.operations.ts';
import { newSignIns } from './sessions/new-sign-ins.ts';
import { sessionOperations } from './sessions/sessions.operations.ts';
import { sessionStore } from './sessions/sessions.store.ts';
import { sessionRules } from './sessions/sessions.ts';
import { signInLinks } from './sessions/sign-in-links.ts';
import type { IdentitySettings } from './settings.ts';
import { localDirectory } from './sign-in/local-directory.ts';
import { passkeySignIn } from './sign-in/passkey-sign-in.ts';
import { passwordSignIn } from './sign-in/password-sign-in.ts';
import { signInOperations } from './sign-in/sign-in.operations.ts';
import { ssoOperations } from './sso/sso.operations.ts';
import { ssoRules } from './sso/sso.ts';
import { ssoTokens } from './sso/sso-tokens.ts';
import { stepUpOperations } from './step-up/step-up.operations.ts';
import { stepUpRules } from './step-up/step-up.ts';
import { identityLookUpStore } from './support/look-ups.store.ts';
import { supportOperations } from './support/support.operations.ts';
import { supportRules } from './support/support.ts';
import { throttles } from './throttles/throttles.ts';
import { userAdministration } from './user-administration.operations.ts';
import { contactOf } from './users/users.model.ts';
import { userStore } from './users/users.store.ts';
import { userRules } from './users/users.ts';
import { verifiedEmails } from './verified-emails.ts';

export { keyInUse } from './sealed-columns.ts';

interface IdentityDeps
  extends Pick<Core, 'database' | 'events' | 'jobs' | 'audit' | 'clock' | 'newId' | 'cache' | 'bus' | 'log'> {
  erasePerson: EraseEverywhere;
  /** The external customer directory; undefined if the platform's own database is the directory. */
  directory: CustomerDirectory | undefined;
  /** A list of breached passwords; undefined if none is asked. */
  breached: BreachedPasswords | undefined;
  media: Pick<Media, 'checkPublicUrls' | 'requestPublicUpload' | 'uploadFaults'>;
  environment: string;
  secrets: Secrets;
  /** URL to which single sign-on on `livestream` redirects. */
  livePlatformUrl: string | undefined;
  /** Returns an address of the platform, for links in mails. */
  publicUrl: () => string;
  settings: IdentitySettings;
}

/** Identity: accounts, passwords, sessions, tokens and permissions. Owns the database schema `identity`. */
export function identityModule({ settings, ...needs }: IdentityDeps): Module<Identity> {
  const { database, clock, newId, secrets, environment, livePlatformUrl } = needs;
  const { reuseLeewaySeconds, stepUpKeys } = settings;
  const store = userStore(database);
  const purchasesStore = purchaseStore(database);
  const purchases = purchaseRules({ ...needs, store: purchasesStore, users: store });
  const keys = signingKeys({
    database,
    store: signingKeyStore(database),
    clock,
    newId,
    sealer: sealers(secrets).signingKeys,
    onForeign: (error, kid) =>
      needs.log.error({ kid, error: error.message }, 'a signing key cannot be opened'),
  });
  const tokens = accessTokens({ keys, clock, environment });
  const publishChange = (userId: ObjectId) => needs.bus.publish(USER_CHANGED_CHANNEL, userId);
  const sessionsStore = sessionStore(database);
  const { hasSignedInFrom } = sessionsStore;
  const sessions = sessionRules({
    store: sessionsStore,
    tokens,
    database,
    clock,
    newId,
    newSignIns: newSignIns(needs),
    reuseLeewaySeconds,
    publishChange,
  });
  const { verification, needsVerifiedEmail, isVerifiedToSignIn, openVerification } = verifiedEmails({
    ...needs,
    settings,
    users: store,
  });
  const callers = authenticating({
    store: sessionsStore,
    tokens,
    clock,
    needsVerifiedEmail,
  });
  const elevation = elevationRules({ store: elevationStore(database), clock, stepUpKeys });
  const hasher = passwordHasher();
  const directory =
    needs.directory ??
    localDirectory({
      users: store,
      purchases: purchasesStore,
      hasher,
      clock,
      sessionOf: sessions.ofTokens,
    });
  const throttle = throttles(needs.cache, clock);
  const spentTokens = spentTokenStore(database);
  const access = { sessions, directory, publishChange };
  const common = { ...needs, ...access, users: store, elevation, throttle, hasSignedInFrom };
  const { factors, passkeys, ...second } = secondFactors({
    ...common,
    settings,
    sessions: sessionsStore,
    spentTokens,
  });
  const users = userRules({ ...needs, store, directory, verification });
  const signInByPassword = passwordSignIn({
    users,
    store,
    directory,
    codes: second.codes,
    throttle,
    verification,
    hasSignedInFrom,
  });
  const erasing = erasingRules(common);
  const { policy, prove, passwords, openResetCode } = memberPasswords({
    ...common,
    factors,
    settings,
  });
  const emailLinks = verificationLinks({ ...common, verification, factors });
  const accounts = accountRules({
    ...{ ...needs, ...access, users, store },
    ...{ erasing, policy, verification },
  });
  const sso = ssoRules({
    users,
    store,
    sessions,
    directory,
    ssoTokens: ssoTokens({ keys, spentTokens, clock, newId, secrets }),
    livePlatformUrl,
  });
  const fundingKeys = fundingKeyRules({ ...needs, store: fundingKeyStore(database), users: store });
  const links = signInLinks(secrets, clock, needs.publicUrl);
  const support = supportRules({ ...needs, directory, passwords, throttle, isVerifiedToSignIn });
  const lookUpStore = identityLookUpStore(database);
  return {
    name: 'identity',
    sealed: sealedColumns(secrets),
    memberRecords: identityRecords,
    publicEvents: identityPublicEvents,
    internalEvents: identityInternalEvents,
    seed: async () => (await import('./identity.seed.ts')).identitySeed,
    sections: {
      'Sign-in': 'Accounts, tokens, single sign-on and the sessions of a member.',
      'Second factors': 'Authenticator apps, passkeys, recovery codes, and confirming who one is.',
      Users: 'The own profile, and users as our services look them up.',
      Passwords: 'Changing and resetting a password.',
      'User administration': 'Accounts, purchases and sessions, for administrators.',
      Permissions: 'Who may do what.',
    },
    service: {
      ...callers,
      rotateSigningKey: keys.rotate,
      contactsOf: store.contactsOf,
      cardsOf: store.cardsOf,
      ...changingProfiles({ ...needs, store }, accounts),
      profilesOf: store.profilesOf,
      contactByCustomerId: async (customerId) => contactOf(await store.findByCustomerId(customerId)),
      ownersOf: store.ownersOf,
      // An invalid address belongs to no member.
      contactByEmail: async (email) => contactOf(await store.findByEmail(canonicalAddress(email) ?? '')),
      administrators: store.administrators,
      stepUp: elevation,
      mustStayAdministrator: (tx, actor) => mustStayAdministrator(store, tx, actor),
      mustStayVerified: verification.mustStayVerified,
      endedOf: sessionsStore.endedOf,
      activeSessionsOf: sessionsStore.replacementsOf,
      devicesOf: lookUpStore.devicesOf,
      educatorsAfter: (id, most) => store.withPermission('educator', id, most),
      permissionsOf: async (userId, tx) =>
        (await (tx ? store.lock(tx, userId) : store.find(userId)))?.permissions,
      keep: store.keep,
      exists: async (userId, queries) => (await store.find(userId, queries)) !== undefined,
      ensureAdministrator: ensuringAdministrators({ accounts, store, vouchFor: verification.vouchFor }),
    },
    operations: [
      ...signInOperations({
        users,
        signInByPassword,
        signInByPasskey: passkeySignIn({ database, passkeys, users, sessions, throttle }),
        sessions,
        throttle,
        policy,
      }),
      ...verificationOperations({ verification, links: emailLinks, throttle }),
      ...accountDeletionOperations(accountDeletion({ accounts, elevation, prove, verification })),
      ...ssoOperations(sso),
      ...sessionOperations(sessions),
      ...newSignInOperations({ sessions, links }),
      ...factorOperations(factors, accounts),
      ...passkeyOperations(passkeys),
      ...stepUpOperations(stepUpRules({ ...common, factors, passkeys, prove })),
      ...sessionsOfUsersOperations(sessions, accounts),
      ...passwordOperations({ passwords, policy, throttle }),
      ...permissionOperations(accounts, permissionStore(database), store),
      ...purchaseOperations(purchases, accounts),
      ...platformOperations,
      ...supportOperations(support, accounts),
      ...fundingKeyOperations(fundingKeys, accounts),
    ],
    collect: (modules) => ({
      operations: profileOperations({ ...needs, accounts }, modules).concat(
        userAdministration({ database, clock, accounts, elevation, policy }, modules),
      ),
    }),
    ...identityAdministration({
      ...needs,
      store: lookUpStore,
      accounts,
      sessions,
      support,
      factors: second.store,
    }),
    notices: identityNotices(store),
    measures: identityMeasures(store),
    metrics: [...policy.metrics, ...hasher.metrics],
    searchable: identitySearchable(store),
    subscriptions: [verification.ofSuppressed],
    mails: identityMails({
      openResetCode,
      openVerification,
      isNewestVerification: async (token) => (await verification.ownerOf(token)) !== undefined,
      endingLink: links.of,
      verificationLink: (token) => verificationLinkOf(needs.publicUrl(), token),
    }),
    jobs: [...erasing.jobs, passwords.sendCode, retention({ database, clock }, FORGET_OLD)],
    degraded: () => (keys.hasForeign() ? ['signing-keys'] : []),
    start: () => keys.check().then(second.prepare).then(policy.prepare),
  };
}
