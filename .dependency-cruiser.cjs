// The arrows: main and cli -> platform -> modules -> kernel; the gateway knows only the kernel.
const TESTS = '\\.test\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
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
      name: 'modules-know-the-kernel-and-doors',
      comment: 'A module reaches another only through its index.ts, and nothing above it',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^(src/|test/|bench/)',
        pathNot: '^src/(kernel/|modules/$1/|modules/[^/]+/index\\.ts$|external/[^/]+/port\\.ts$)',
      },
    },
    {
      name: 'external-systems-know-the-kernel',
      severity: 'error',
      from: { path: '^src/external/', pathNot: TESTS },
      to: { path: '^src/', pathNot: '^src/(kernel|external)/' },
    },
    {
      name: 'platform-knows-doors-only',
      severity: 'error',
      from: { path: '^src/(platform|assembly)\\.ts$' },
      to: { path: '^src/(modules|gateway)/', pathNot: '/index\\.ts$' },
    },
    {
      name: 'rules-know-no-HTTP',
      comment: 'Only *.operations.ts and *.schemas.ts speak of operations; rules may name shapes and callers',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '(\\.operations|\\.schemas|\\.test|index)\\.ts$' },
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
      from: { path: '^src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
