// The arrows: main and cli -> app -> modules -> kernel; the gateway knows only the kernel.
const { readdirSync } = require('node:fs');

const TESTS = '\\.test\\.ts$';

/** The sub-folders of a folder, from the bottom up: each may import only those before it. */
const FLOORS = {
  'src/modules/administration': ['alerts', 'audit', 'search', 'users', 'jobs', 'health', 'overview'],
  'src/kernel': [
    'concurrency',
    'time',
    'text',
    'net',
    'distributed',
    'database',
    'messaging',
    'records',
    'operations',
    'live',
  ],
  'src/modules/education': [
    'courses',
    'lessons',
    'enrolments',
    'progress',
    'outlines',
    'quizzes',
    'ratings',
    'certificates',
  ],
  'src/modules/educators': [
    'profiles',
    'following',
    'announcements',
    'comments',
    'stories',
    'chatrooms',
    'tips',
  ],
  'src/modules/indicators': ['account', 'catalogue', 'handles', 'access', 'comparison', 'webhooks'],
  'src/modules/webhooks': ['events', 'deliveries', 'endpoints', 'sending'],
  'src/modules/wallet': [
    'ledger',
    'exchange-rates',
    'wallets',
    'transfers',
    'purchases',
    'withdrawals',
    'history',
    'corrections',
    'administration',
  ],
  'src/modules/identity': [
    'throttles',
    'keys',
    'platforms',
    'users',
    'email-verification',
    'sessions',
    'accounts',
    'factors',
    'passkeys',
    'profile',
    'purchases',
    'permissions',
    'funding-keys',
    'passwords',
    'step-up',
    'account-deletion',
    'sign-in',
    'sso',
    'support',
  ],
};

/** A sub-folder without a floor would be free to import any other. */
function foldersWithoutFloor(folder, floors) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => name !== 'migrations' && !floors.includes(name));
}

const floorRules = Object.entries(FLOORS).flatMap(([folder, floors]) => {
  const missing = foldersWithoutFloor(folder, floors);
  if (missing.length > 0) throw new Error(`${folder} has folders without a floor: ${missing.join(', ')}`);
  return floors.slice(0, -1).map((floor, at) => ({
    name: `${folder}/${floor}-imports-only-floors-below`,
    severity: 'error',
    from: { path: `^${folder}/${floor}/`, pathNot: TESTS },
    to: { path: `^${folder}/(${floors.slice(at + 1).join('|')})/` },
  }));
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    ...floorRules,
    {
      name: 'models-import-models',
      comment:
        'The words and rows of a resource; stores and shapes are made of them, and not the other way round',
      severity: 'error',
      from: { path: '\\.model\\.ts$' },
      to: {
        path: '^src/',
        pathNot: '^src/(kernel/|modules/[^/]+/contract\\.ts$|external/[^/]+/port\\.ts$|.*\\.model\\.ts$)',
      },
    },
    {
      name: 'shapes-and-stores-meet-in-models',
      comment: 'The API and the database change independently: neither is derived from the other',
      severity: 'error',
      from: { path: '^src/.*\\.schemas\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(kernel/|modules/[^/]+/contract\\.ts$|external/[^/]+/port\\.ts$|.*\\.(model|schemas)\\.ts$)',
      },
    },
    {
      name: 'stores-know-no-shapes-and-no-rules',
      severity: 'error',
      from: { path: '^src/.*\\.store\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(kernel/|modules/[^/]+/contract\\.ts$|external/[^/]+/port\\.ts$|.*\\.(model|store)\\.ts$)',
      },
    },
    {
      name: 'the-kernel-knows-no-domain',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: TESTS },
      to: { path: '^(src/(?!kernel/)|test/|bench/)' },
    },
    {
      name: 'the-gateway-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/gateway/', pathNot: TESTS },
      to: { path: '^(src/(?!kernel/|gateway/)|test/|bench/)' },
    },
    {
      name: 'modules-import-contracts-of-others',
      comment: 'A module reaches another through its contract.ts alone, and nothing above it',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^(src/|test/|bench/)',
        pathNot:
          '^src/(kernel/|modules/$1/|modules/(module|seed)\\.ts$|modules/[^/]+/contract\\.ts$|external/[^/]+/port\\.ts$)',
      },
    },
    {
      name: 'module.ts-knows-no-module',
      comment: 'A hub adds its kind of contribution to module.ts from its own contract',
      severity: 'error',
      from: { path: '^src/modules/(module|seed)\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(kernel/|modules/seed\\.ts$)' },
    },
    {
      name: 'contracts-import-the-kernel-and-contracts',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/contract\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(kernel/|modules/[^/]+/contract\\.ts$)' },
    },
    {
      name: 'factories-are-imported-by-the-list-of-modules',
      comment: 'A module.ts is imported by src/app/modules.ts alone',
      severity: 'error',
      from: { path: '^(src|test|bench)/', pathNot: '^src/app/modules\\.ts$' },
      to: { path: '^src/modules/[^/]+/module\\.ts$' },
    },
    {
      name: 'external-systems-know-the-kernel',
      severity: 'error',
      from: { path: '^src/external/', pathNot: TESTS },
      to: { path: '^src/', pathNot: '^src/(kernel|external)/' },
    },
    {
      name: 'the-root-imports-factories-contracts-and-settings',
      severity: 'error',
      from: { path: '^src/app/', pathNot: TESTS },
      to: {
        path: '^src/(modules|gateway)/',
        pathNot:
          '^src/(modules/[^/]+/(module|contract|settings)\\.ts|modules/module\\.ts|gateway/(index|settings)\\.ts)$',
      },
    },
    {
      name: 'settings-load-fast',
      comment: 'Every command reads the settings first, so a settings.ts imports only the kinds of settings',
      severity: 'error',
      from: { path: '^src/(modules|gateway|external)/.*settings\\.ts$' },
      to: {
        pathNot:
          '^src/(kernel/(settings|address-settings|records/days-kept)|external/.*(settings|limits))\\.ts$',
      },
    },
    {
      name: 'rules-know-no-HTTP',
      comment: 'Only *.operations.ts and *.schemas.ts speak of operations; rules may name shapes and callers',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '(\\.operations|\\.schemas|\\.test|module|contract)\\.ts$' },
      to: { path: '(^src/kernel/operations/operation\\.ts$|fastify)' },
    },
    {
      name: 'nothing-runs-on-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-development-dependencies-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: `${TESTS}|^src/sandbox/` },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'production-loads-no-stand-ins',
      comment: 'The sandbox is imported when development starts, and by tests',
      severity: 'error',
      from: { path: '^src/', pathNot: `${TESTS}|^src/sandbox/` },
      to: { path: '^src/sandbox/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'production-loads-no-seeds',
      comment: 'A module imports its own seed dynamically, when the command `seed` asks for it',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^src/.*\\.seed\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'only-the-kernel-opens-connections',
      comment:
        'SQL that is sent past the kernel would be invisible to the tests of statements and of schemas',
      severity: 'error',
      from: { path: '^src/(modules|cli|app|gateway)/', pathNot: TESTS },
      to: { path: 'node_modules/(pg|@types/pg)/' },
    },
    {
      name: 'the-SDK-stands-alone',
      comment: 'Programs of others contain it; only its emitter reads the description of the platform',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: TESTS },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'the-conformance-kit-stands-alone',
      comment: 'Operators run it without our source, and it must judge the platform by its answers',
      severity: 'error',
      from: { path: '^conformance/src/' },
      to: { pathNot: '^(conformance/src/|(node:)?\\w+$)' },
    },
    {
      name: 'the-platform-knows-no-SDK',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^sdk/' },
    },
    {
      name: 'the-console-calls-the-SDK',
      comment: 'Its pages reach the platform through the operations that others use, too',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { pathNot: '^(console/src/|node_modules/preact/|@platform-api/sdk)' },
    },
    {
      name: 'the-sandbox-knows-the-kernel-and-external-systems',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: TESTS },
      to: { path: '^src/', pathNot: '^src/(sandbox|kernel|external)/' },
    },
    {
      name: 'adapters-are-made-from-settings',
      comment: 'The root knows the index.ts and the settings.ts of an external system, not its adapters',
      severity: 'error',
      from: { path: '^src/app/', pathNot: TESTS },
      to: { path: '^src/external/', pathNot: '/(index|settings|port)\\.ts$' },
    },
    {
      name: 'everything-resolves',
      comment:
        'What begins with a slash is loaded by a page from its server; examples and the console import the SDK as it is published',
      severity: 'error',
      from: { pathNot: '^(sdk/examples|console/src)/' },
      to: { couldNotResolve: true, pathNot: '^/' },
    },
  ],
  options: {
    // What packing the SDK leaves, as the client guide does.
    exclude: { path: '^sdk/dist/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
